import type {IncomingMessage, ServerResponse} from 'node:http';
import {buffer, json} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {linesOf} from '../../../src/cluster/watch/watch.ts';
import type {Asked, Meddler, RawList} from './meddler.ts';

/** Forwards an answer with the changes of all meddlers. */
export async function writeBody(
	answer: IncomingMessage,
	response: ServerResponse,
	{isWatch}: Asked,
	meddlers: readonly Meddler[],
): Promise<void> {
	const status = answer.statusCode ?? 502;
	const isGood = status === 200;
	const lists = meddlers.flatMap(({list}) => (list && isGood && !isWatch ? [list] : []));
	const events = meddlers.flatMap(({event}) => (event && isGood && isWatch ? [event] : []));
	const truncate = meddlers.find((meddler) => meddler.truncate)?.truncate;
	response.writeHead(status, headersOf(answer, meddlers, lists.length > 0 || truncate !== undefined));
	// The client sees an open watch before anything happens in it.
	response.flushHeaders();
	if (lists.length > 0) {
		const changed = lists.reduce<unknown>((list, change) => change(list as RawList), await json(answer));
		response.end(JSON.stringify(changed));
	} else if (events.length > 0) {
		const end = meddlers.some(({isUnended}) => isUnended) ? '' : '\n';
		for await (const lines of linesOf(answer)) {
			const changed = events.reduce<readonly string[]>((before, change) => before.flatMap(change), lines);
			response.write(changed.map((line) => `${line}${end}`).join(''));
		}
		response.end();
	} else if (truncate) {
		const bytes = await buffer(answer);
		const part = bytes.subarray(0, Math.min(bytes.length - 1, truncate.bytes));
		if (truncate.isCut) response.write(part, () => response.destroy());
		else response.end(part);
	} else {
		await pipeline(answer, response);
	}
}

function headersOf(answer: IncomingMessage, meddlers: readonly Meddler[], isOther: boolean) {
	const {connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers} = answer.headers;
	const {'content-length': ____, ...rest} = headers;
	const {date} = headers;
	const changed = meddlers.reduce((before, meddler) => meddler.date?.(before) ?? before, date ?? '');
	return {...(isOther ? rest : headers), ...(date !== undefined && {date: changed})};
}
