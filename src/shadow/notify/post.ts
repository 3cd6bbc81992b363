import {readFileSync} from 'node:fs';
import {type Duration, second} from '../../core/time/instant.ts';
import {messageOf} from '../../text/userError.ts';

/** How long an answer may take. */
const answerTimeout: Duration = 10 * second;

/** What became of a POST. `mayRetry` says whether the same may be taken later. */
export type Posted =
	| {readonly isTaken: true}
	| {
			readonly isTaken: false;
			readonly mayRetry: boolean;
			readonly retryAfter: Duration;
			readonly why: string;
	  };

/** Where to post, and as whom. */
export type PostTarget = {
	readonly url: URL;
	/** A file with a bearer token, read for each POST: it may be renewed. */
	readonly tokenFile: string | undefined;
};

/** Posts JSON. It never throws; a redirect is refused, since it would carry what was meant for another. */
export async function post({url, tokenFile}: PostTarget, body: string, signal: AbortSignal): Promise<Posted> {
	try {
		const authorization =
			tokenFile === undefined ? {} : {authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`};
		const answer = await fetch(url, {
			method: 'POST',
			headers: {'content-type': 'application/json', 'user-agent': 'kubectl-evictwatch', ...authorization},
			body,
			redirect: 'error',
			signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeout)]),
		});
		await answer.body?.cancel();
		if (answer.ok) return {isTaken: true};
		const mayRetry = answer.status >= 500 || answer.status === 429 || answer.status === 408;
		const retryAfter = Number(answer.headers.get('retry-after')) * second || 0;
		return {isTaken: false, mayRetry, retryAfter, why: `the answer was ${answer.status}`};
	} catch (error) {
		const cause = error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error);
		return {isTaken: false, mayRetry: true, retryAfter: 0, why: cause};
	}
}
