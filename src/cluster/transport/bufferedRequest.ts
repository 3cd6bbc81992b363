import type {IncomingHttpHeaders} from 'node:http';
import type {Dispatcher} from 'undici';
import {AnswerBody} from './answerBody.ts';

/** A response: its head has arrived, its body is on the way. */
export type BufferedAnswer = {
	readonly statusCode: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: AnswerBody;
};

/** A read-only request: GET, without a body. */
export type AskedRequest = Omit<Dispatcher.DispatchOptions, 'method' | 'body' | 'upgrade'> & {
	readonly method: 'GET';
};

/**
 * Sends a request whose body is buffered; resolves with the head of the response. undici's stream would keep 8 KB per
 * response in memory until V8's next full garbage collection.
 *
 * @throws the failure of the request, or the signal's reason
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

/** Receives undici's callbacks for one request. */
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
		// An informational response; the final one follows.
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
		// Rejects at once; undici drops an unsent request only when its turn comes.
		this.#fail(reason);
		this.#controller?.abort(reason);
	};

	#fail(error: unknown): void {
		this.#signal.removeEventListener('abort', this.#onAbort);
		if (this.#body) this.#body.fail(error);
		else this.#reject(error);
	}
}

/** How a response is received: buffered, or as a stream. */
export type Exchange<Answer> = {
	/** Sends the request; resolves with the head. @param onFailure called if the body is cut off */
	readonly ask: (
		dispatcher: Dispatcher,
		options: AskedRequest,
		signal: AbortSignal,
		onFailure: (error: unknown) => void,
	) => Promise<Answer>;
	/** Reads the body of a failed request; `received` is its length on the wire. */
	readonly readRefusal: (answer: Answer) => Promise<{readonly bytes: Buffer; readonly received: number}>;
};

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
