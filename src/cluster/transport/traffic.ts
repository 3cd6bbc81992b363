import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Readable} from 'node:stream';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';

/** What a connection has cost the API server so far. */
export type TrafficCounts = {
	/** Requests of any kind, watches among them. */
	readonly requests: number;
	/** Bytes of answers as they came, compressed or not; without headers. */
	readonly bytes: number;
	readonly watches: number;
	/** The most that were open at one time. */
	readonly mostWatches: number;
};

/** Counts what goes to and fro. */
export class Traffic {
	#requests = 0;
	#bytes = 0;
	#watches = 0;
	#mostWatches = 0;
	/** When anything last came, in real time; when it was first asked for, where nothing has. Undefined before that. */
	#heardAt: Duration | undefined;

	get counts(): TrafficCounts {
		return {
			requests: this.#requests,
			bytes: this.#bytes,
			watches: this.#watches,
			mostWatches: this.#mostWatches,
		};
	}

	/** How long nothing has come though something was asked for; zero before that. */
	silentFor(): Duration {
		return this.#heardAt === undefined ? 0 : performance.now() - this.#heardAt;
	}

	asked(): void {
		this.#requests += 1;
		this.#heardAt ??= performance.now();
	}

	/** An answer has begun, or goes on. */
	answered(): void {
		this.#heardAt = performance.now();
	}

	received(bytes: number): void {
		this.#bytes += bytes;
		this.answered();
	}

	/** Counts a watch until its stream is closed. */
	watchOpened(stream: Readable): void {
		this.#watches += 1;
		this.#mostWatches = Math.max(this.#mostWatches, this.#watches);
		stream.once('close', () => {
			this.#watches -= 1;
		});
	}
}

/** Is told of each request, and of its answer; there is no status where none came. */
export type RequestLog = (
	url: URL,
	headers: Readonly<Record<string, string | string[]>>,
	status: number | undefined,
	sentAt: Instant,
	answeredAt: Instant,
) => void;

/** Says nothing. */
export const silentLog: RequestLog = () => {};

/** From these levels on kubectl's `-v` shows requests, and their headers. */
const [requestLevel, headerLevel] = [6, 7];

/** What `-v` asks for, in the form of kubectl's own log. No credential is ever written. */
export function requestLog(verbosity: number, write: (text: string) => void): RequestLog {
	if (verbosity < requestLevel) return silentLog;
	// Not imported: as an ES module it would bring all that it ever loads on demand, and every command would wait for that.
	const {STATUS_CODES} = process.getBuiltinModule('node:http');
	return (url, headers, status, sentAt, answeredAt) => {
		const stamp = formatTimestamp(answeredAt).replace(/^\d+-(\d+)-(\d+)T(.*)Z$/, 'I$1$2 $3');
		const said = status === undefined ? '' : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
		const took = Math.round(answeredAt - sentAt);
		write(`${stamp} "Response" verb="GET" url="${url.href}" status="${said}" milliseconds=${took}\n`);
		if (verbosity < headerLevel) return;
		for (const [name, value] of Object.entries(headers)) {
			write(`${stamp}     ${name}: ${name === 'authorization' ? '<masked>' : [value].flat().join(', ')}\n`);
		}
	};
}

/** Where undici tells of each request whose headers it has handed to a connection. */
const sendHeaders = 'undici:client:sendHeaders';

/**
 * Resolves once the next request of this process, and whatever is sent with it, is on its way: what keeps the process
 * busy from then on costs no time, since a server has to answer first. It never resolves where nothing is sent.
 */
export function requestSent(): Promise<void> {
	return new Promise((resolve) => {
		const onSent = () => {
			unsubscribe(sendHeaders, onSent);
			// Others of the same turn go over connections of their own, which open at the same time.
			setImmediate(resolve);
		};
		subscribe(sendHeaders, onSent);
	});
}
