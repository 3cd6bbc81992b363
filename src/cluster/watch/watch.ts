import type {V1ObjectMeta} from '@kubernetes/client-node';
import type {Timing} from '../../async/timing.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {Instant} from '../../core/time/instant.ts';
import {decodeFieldWrites, type Fields, fieldsOf, parsedJson, partsOf, textOf} from '../codec/rawJson.ts';
import {AnswerTooLarge, mostBytes} from '../transport/answerBody.ts';
import {tooLarge} from '../transport/list.ts';
import {isSilence, refusedInWatch} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

type WatchChange<T> = {readonly type: 'applied' | 'deleted'; readonly object: T; readonly bytes: number};

/** The events that arrived together in a watch. */
export type Batch<T> = Readonly<{
	changes: readonly WatchChange<T>[];
	/** The resourceVersion to resume from: of the last object or bookmark, if any. */
	resourceVersion: string | undefined;
	/** The same of the last object, readable or not; undefined if there are only bookmarks. */
	deliveredVersion: string | undefined;
	arrivedAt: Instant;
	/** Whether it contains a bookmark: the server has sent everything up to it. */
	isBookmarked: boolean;
	/** The oldest last write among its objects, by the API server's clock, in whole seconds; undefined if unknown. */
	writtenAt: Instant | undefined;
	/** The same for the newest last write. */
	lastWrittenAt: Instant | undefined;
}>;

type Watcher = {
	readonly timing: Timing;
	readonly signal: AbortSignal;
	readonly report: (flaw: string) => void;
};

/** How a watch ended: by the server, by a broken connection, or closed because of silence. */
export type WatchEnd = 'ended' | 'broken' | 'silent';

/**
 * Starts to watch a collection from a resourceVersion. The server ends a watch every few minutes.
 *
 * @returns reads the next batch, or how the watch ended; throws a RequestError of status 410 if the version is too old
 * @throws RequestError if the watch is refused
 */
export async function openWatch<T>(
	transport: Transport,
	resource: Resource<T>,
	resourceVersion: string,
	{timing, signal, report}: Watcher,
): Promise<() => Promise<Batch<T> | WatchEnd>> {
	const query = {
		...resource.query,
		watch: 'true',
		allowWatchBookmarks: 'true',
		resourceVersion,
		// With jitter: otherwise all watches after a server's restart would reconnect at the same time.
		timeoutSeconds: String(Math.floor(300 + timing.random() * 300)),
	};
	const silence = resource.isLively ? timing.livelySilenceTimeout : timing.silenceTimeout;
	const stream = await transport.stream(resource.path, query, silence, signal);
	stream.on('data', (chunk: Buffer) => transport.traffic.received(chunk.length));
	const bursts = linesOf(stream);
	return async () => {
		let burst: IteratorResult<readonly string[]>;
		try {
			burst = await bursts.next();
		} catch (error) {
			// Nothing is lost: the next watch resumes from the last version. Only its failure is a problem.
			return isSilence(error) ? 'silent' : 'broken';
		}
		return burst.done ? 'ended' : readBatch(burst.value, resource, timing.now(), report);
	};
}

/** Of the lines that arrive together; parsing each would hold up a signal for long. */
const mostUnreadable = 100;

function readBatch<T>(
	lines: readonly string[],
	resource: Resource<T>,
	arrivedAt: Instant,
	report: (flaw: string) => void,
): Batch<T> {
	const changes: WatchChange<T>[] = [];
	let [resourceVersion, deliveredVersion]: (string | undefined)[] = [];
	let [isBookmarked, unreadable] = [false, 0];
	const written: Instant[] = [];
	for (const line of lines) {
		const event = parsedJson(line);
		if (event === undefined) {
			unreadable += 1;
			if (unreadable > mostUnreadable) throw tooLarge(`the watch at ${resource.path}`, 'is no JSON');
			report('watch line that is not JSON');
			continue;
		}
		const {type, object} = fieldsOf<{type: string; object: unknown}>(event);
		if (type === 'ERROR') throw refusedInWatch(object, resource.path);
		isBookmarked ||= type === 'BOOKMARK';
		// Also of unreadable objects: requesting them again would not help.
		const {metadata} = partsOf(object);
		const version = textOf(metadata.resourceVersion);
		resourceVersion = version || resourceVersion;
		if (type !== 'BOOKMARK') deliveredVersion = version || deliveredVersion;
		const change = readChange(type, object, line.length, resource, report);
		if (!change) continue;
		changes.push(change);
		const at = resource.isDated && change.type === 'applied' ? lastWriteOf(metadata) : undefined;
		if (at !== undefined) written.push(at);
	}
	const [writtenAt, lastWrittenAt] = written.length === 0 ? [] : [minOf(written), maxOf(written)];
	return {changes, resourceVersion, deliveredVersion, arrivedAt, isBookmarked, writtenAt, lastWrittenAt};
}

/** The last write of an object by its managedFields, which do not show a deletion request. */
function lastWriteOf({managedFields, deletionTimestamp}: Fields<V1ObjectMeta>): Instant | undefined {
	const times = decodeFieldWrites(managedFields).map(({time}) => time);
	return deletionTimestamp || times.length === 0 ? undefined : maxOf(times);
}

function readChange<T>(
	type: unknown,
	raw: unknown,
	bytes: number,
	resource: Resource<T>,
	report: (flaw: string) => void,
): WatchChange<T> | undefined {
	if (type === 'BOOKMARK') return undefined;
	if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
		return void report('watch event of an unknown type');
	const object = resource.decode(raw);
	return object && {type: type === 'DELETED' ? 'deleted' : 'applied', object, bytes};
}

const newline = 0x0a;

/**
 * Splits a byte stream into lines, at `\n` alone: other line separators are legal inside JSON strings. Yields the lines that
 * each chunk completes. A last line without `\n` is truncated, and dropped.
 *
 * @throws AnswerTooLarge if a line is longer than any
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
	let partial: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of chunks) {
		const lines: string[] = [];
		let start = 0;
		for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
			// Decoded per line, as a character may span two chunks.
			lines.push(Buffer.concat([...partial, chunk.subarray(start, end)]).toString('utf8'));
			partial = [];
			start = end + 1;
		}
		if (start < chunk.length) partial.push(chunk.subarray(start));
		length = start > 0 ? chunk.length - start : length + chunk.length;
		if (length > mostBytes.line) throw new AnswerTooLarge('line');
		if (lines.length > 0) yield lines;
	}
}
