import type {Dispatcher} from 'undici';
import {AnswerBody} from './answerBody.ts';
import {type Arriving, type Asked, gather} from './bufferedRequest.ts';

/** How an answer is taken in: as a whole, or as a stream. */
export type Asking<Answer> = {
	/** Asks; resolves with the head of the answer. @param onFailure hears of what cuts the body off */
	readonly ask: (
		dispatcher: Dispatcher,
		asked: Asked,
		signal: AbortSignal,
		onFailure: (error: unknown) => void,
	) => Promise<Answer>;
	/** Reads what a server says that does not do what it was asked for; `received` counts bytes as they came. */
	readonly readRefusal: (answer: Answer) => Promise<{readonly bytes: Buffer; readonly received: number}>;
};

/** An answer of either kind. */
export type Answered = Pick<Arriving, 'statusCode' | 'headers'> & {
	readonly body: {readonly dump: () => Promise<void>};
};

export const wholly: Asking<Arriving> = {
	ask: async (dispatcher, asked, signal, onFailure) => {
		const answer = await gather(dispatcher, asked, signal);
		answer.body.onFailure(onFailure);
		return answer;
	},
	readRefusal: ({body}) => body.read(),
};

export const streaming: Asking<Dispatcher.ResponseData> = {
	ask: async (dispatcher, asked, signal, onFailure) => {
		const answer = await dispatcher.request({...asked, signal});
		answer.body.once('error', onFailure);
		return answer;
	},
	readRefusal: async ({body, headers}) => {
		// A proxy may compress although it was asked not to.
		const refusal = new AnswerBody(headers['content-encoding'] === 'gzip');
		refusal.take(Buffer.from(await body.arrayBuffer()));
		refusal.end();
		return refusal.read();
	},
};
