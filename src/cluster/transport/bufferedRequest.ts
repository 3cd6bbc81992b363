import type {IncomingHttpHeaders} from 'node:http';
import type {Writable} from 'node:stream';
import type {Dispatcher} from 'undici';
import {orAborted} from '../../async/orAborted.ts';
import {AnswerBody, lateAnswer} from './answerBody.ts';

/** A response: its head has arrived, its body is on the way. */
export type Answer<Body> = Readonly<{
	statusCode: number;
	headers: IncomingHttpHeaders;
	/** A Status in place of the body. */
	refusal?: AnswerBody;
	body: Body;
}>;

/** A read-only request: GET, without a body. */
export type AskedRequest = Omit<Dispatcher.DispatchOptions, 'method' | 'body' | 'upgrade'> & {
	readonly method: 'GET';
};

/**
 * Sends a request, and writes what comes into a body: a buffer or a stream. Resolves with the head of the response. undici's own
 * stream would keep 8 KB per response in memory until V8's next full garbage collection.
 *
 * @throws the failure of the request, or the signal's reason; a TimeoutError without a head, whatever comes in its place: undici
 * waits anew after each informational response, and without an end for a proxy
 */
export function bufferedRequest<Body extends Writable>(
	dispatcher: Dispatcher,
	options: AskedRequest,
	makeBody: (isGzip: boolean) => Body,
	signal: AbortSignal,
): Promise<Answer<Body>> {
	const ending = new AbortController();
	const end = () => ending.abort(signal.reason);
	if (signal.aborted) end();
	signal.addEventListener('abort', end);
	const {headersTimeout} = options;
	// Connecting may take as long as an answer.
	const timer = headersTimeout && setTimeout(() => ending.abort(lateAnswer()), 2 * headersTimeout);
	const head = new Promise<Answer<Body>>((resolve, reject) => {
		const whole = dispatcher.stream({...options, signal: ending.signal}, ({statusCode, headers}) => {
			const isGzip = headers['content-encoding'] === 'gzip';
			const body = makeBody(isGzip);
			const refusal =
				statusCode < 300 ? {} : {refusal: new AnswerBody(isGzip, 'refusal', options.bodyTimeout ?? 0)};
			resolve({statusCode, headers, body, ...refusal});
			return refusal.refusal ?? body;
		});
		// undici drops an unsent request only when its turn comes.
		orAborted(whole, ending.signal)
			.catch(reject)
			.finally(() => signal.removeEventListener('abort', end));
	});
	return head.finally(() => clearTimeout(timer || undefined));
}
