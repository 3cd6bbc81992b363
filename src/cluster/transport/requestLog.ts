import type {Instant} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';

/** Receives each request with its response; `status` is undefined if none came. */
export type RequestLog = (
	url: URL,
	headers: Readonly<Record<string, string | string[]>>,
	status: number | undefined,
	sentAt: Instant,
	answeredAt: Instant,
) => void;

export const silentLog: RequestLog = () => {};

/** kubectl's `-v` shows requests from level 6 on, and headers from 7 on. */
const [requestLevel, headerLevel] = [6, 7];

/** The request log of `-v`, in kubectl's format, without credentials. */
export function requestLog(verbosity: number, write: (text: string) => void): RequestLog {
	if (verbosity < requestLevel) return silentLog;
	// Not imported: the ES module would load all of its lazy parts, which slows every command.
	const {STATUS_CODES} = process.getBuiltinModule('node:http');
	return (url, headers, status, sentAt, answeredAt) => {
		const stamp = formatTimestamp(answeredAt).replace(/^\d+-(\d+)-(\d+)T(.*)Z$/, 'I$1$2 $3');
		const statusText = status === undefined ? '' : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
		const elapsed = Math.round(answeredAt - sentAt);
		write(
			`${stamp} "Response" verb="GET" url="${url.href}" status="${statusText}" milliseconds=${elapsed}\n`,
		);
		if (verbosity < headerLevel) return;
		for (const [name, value] of Object.entries(headers)) {
			write(`${stamp}     ${name}: ${name === 'authorization' ? '<masked>' : [value].flat().join(', ')}\n`);
		}
	};
}
