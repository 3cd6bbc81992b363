import type {Instant} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';

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
