import type {IncomingHttpHeaders} from 'node:http';
import type {Dispatcher} from 'undici';
import {AnswerBody} from './answerBody.ts';

/** An answer whose head is there, and whose body comes. */
export type Arriving = {
	readonly statusCode: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: AnswerBody;
};

/** A request, but for what ends it: it reads, and carries nothing that could change anything. */
export type Asked = Omit<Dispatcher.DispatchOptions, 'method' | 'body' | 'upgrade'> & {
	readonly method: 'GET';
};

/**
 * Asks for what is read as a whole; resolves once the head of the answer is there. undici would make a stream of it, and
 * what is left of one stays in memory until V8 collects its whole heap: 8 KB, for each of thousands of answers.
 *
 * @throws what kept the answer from coming, or why the signal was aborted
 */
export function gather(dispatcher: Dispatcher, asked: Asked, signal: AbortSignal): Promise<Arriving> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) reject(signal.reason);
		else dispatcher.dispatch(asked, new Gatherer(resolve, reject, signal));
	});
}

/** Hears of one request from undici. */
class Gatherer implements Dispatcher.DispatchHandler {
	readonly #resolve: (answer: Arriving) => void;
	readonly #reject: (error: unknown) => void;
	readonly #signal: AbortSignal;
	#controller: Dispatcher.DispatchController | undefined;
	#body: AnswerBody | undefined;

	constructor(resolve: (answer: Arriving) => void, reject: (error: unknown) => void, signal: AbortSignal) {
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
