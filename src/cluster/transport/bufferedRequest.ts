import type {IncomingHttpHeaders} from 'node:http';
import type {Dispatcher} from 'undici';
import {AnswerBody} from './answerBody.ts';

/** An answer whose head is there, and whose body comes. */
export type BufferedAnswer = {
	readonly statusCode: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: AnswerBody;
};

/** A request, but for what ends it: it reads, and carries nothing that could change anything. */
export type AskedRequest = Omit<Dispatcher.DispatchOptions, 'method' | 'body' | 'upgrade'> & {
	readonly method: 'GET';
};

/**
 * Asks for what is read as a whole; resolves once the head of the answer is there. undici would make a stream of it, and
 * what is left of one stays in memory until V8 collects its whole heap: 8 KB, for each of thousands of answers.
 *
 * @throws what kept the answer from coming, or why the signal was aborted
 */
export function bufferedRequest(
	dispatcher: Dispatcher,
	options: AskedRequest,
	signal: AbortSignal,
): Promise<BufferedAnswer> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) reject(signal.reason);
		else dispatcher.dispatch(options, new BufferingHandler(resolve, reject, signal));
	});
}

/** Hears of one request from undici. */
class BufferingHandler implements Dispatcher.DispatchHandler {
	readonly #resolve: (answer: BufferedAnswer) => void;
	readonly #reject: (error: unknown) => void;
	readonly #signal: AbortSignal;
	#controller: Dispatcher.DispatchController | undefined;
	#body: AnswerBody | undefined;

	constructor(
		resolve: (answer: BufferedAnswer) => void,
		reject: (error: unknown) => void,
		signal: AbortSignal,
	) {
		this.#resolve = resolve;
		this.#reject = reject;
		this.#signal = signal;
		signal.addEventListener('abort', this.#onAbort);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#signal.aborted) this.#onAbort();
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		statusCode: number,
		headers: IncomingHttpHeaders,
	): void {
		// Only a word on the way: the answer is still to come.
		if (statusCode < 200) return;
		this.#body = new AnswerBody(headers['content-encoding'] === 'gzip');
		this.#resolve({statusCode, headers, body: this.#body});
	}

	onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#body?.take(chunk);
	}

	onResponseEnd(): void {
		this.#signal.removeEventListener('abort', this.#onAbort);
		this.#body?.end();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.#fail(error);
	}

	readonly #onAbort = (): void => {
		const {reason} = this.#signal;
		// One that is not sent yet is not waited for: it is given up as soon as its turn comes.
		this.#fail(reason);
		this.#controller?.abort(reason);
	};

	#fail(error: unknown): void {
		this.#signal.removeEventListener('abort', this.#onAbort);
		if (this.#body) this.#body.fail(error);
		else this.#reject(error);
	}
}

/** How an answer is taken in: as a whole, or as a stream. */
export type Exchange<Answer> = {
	/** Asks; resolves with the head of the answer. @param onFailure hears of what cuts the body off */
	readonly ask: (
		dispatcher: Dispatcher,
		options: AskedRequest,
		signal: AbortSignal,
		onFailure: (error: unknown) => void,
	) => Promise<Answer>;
	/** Reads what a server says that does not do what it was asked for; `received` counts bytes as they came. */
	readonly readRefusal: (answer: Answer) => Promise<{readonly bytes: Buffer; readonly received: number}>;
};

/** An answer of either kind. */
export type AnswerHead = Pick<BufferedAnswer, 'statusCode' | 'headers'> & {
	readonly body: {readonly dump: () => Promise<void>};
};

export const buffered: Exchange<BufferedAnswer> = {
	ask: async (dispatcher, options, signal, onFailure) => {
		const answer = await bufferedRequest(dispatcher, options, signal);
		answer.body.onFailure(onFailure);
		return answer;
	},
	readRefusal: ({body}) => body.read(),
};

export const streamed: Exchange<Dispatcher.ResponseData> = {
	ask: async (dispatcher, options, signal, onFailure) => {
		const answer = await dispatcher.request({...options, signal});
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
