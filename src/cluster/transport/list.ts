import {Backoff} from '../../async/backoff.ts';
import {anySignal} from '../../async/orAborted.ts';
import {systemTiming, type Timing} from '../../async/timing.ts';
import type {Instant} from '../../core/time/instant.ts';
import {nextInHead, type Page, pageOfJson, pageOfProtobuf, protobuf} from '../codec/page.ts';
import {release} from './answerBody.ts';
import {hasStatus, RequestError} from './requestError.ts';
import type {Listable} from './resource.ts';
import type {ListProgress} from './selection.ts';
import type {Transport, WholeResponse} from './transport.ts';

/** Page size of kubectl. A page of pods has about two megabytes, and is decoded without a noticeable pause. */
const pageSize = 500;

/** Protobuf from an API server; JSON from a substitute. */
const accepted = `${protobuf},application/json`;

/** A whole collection, and the version from which to watch it. */
export type ListedObjects<T> = {
	readonly objects: readonly T[];
	readonly resourceVersion: string;
	/** When the first page began to arrive: all pages show the state at this instant, or just before. */
	readonly asOf: Instant;
	/** Number of leading objects that were passed to `onPage`. */
	readonly emittedCount: number;
};

/** Receives each page except the last, as soon as it is decoded. */
export type OnPage<T> = (objects: readonly T[], progress: ListProgress) => void;

type ListTiming = RetryTiming & Pick<Timing, 'now'>;

/** Lists page by page, each decoded at once, so that a large cluster fits in memory. @throws RequestError if it cannot be read */
export async function list<T>(
	transport: Transport,
	resource: Listable<T>,
	timing: ListTiming = systemTiming,
	signal?: AbortSignal,
	onPage?: OnPage<T>,
): Promise<ListedObjects<T>> {
	try {
		return await listPages(transport, resource, timing, signal, onPage);
	} catch (error) {
		// The version of the pages expired meanwhile. Retry once, from the first page.
		if (!hasStatus(error, 410)) throw error;
		return listPages(transport, resource, timing, signal, onPage);
	}
}

async function listPages<T>(
	transport: Transport,
	resource: Listable<T>,
	timing: ListTiming,
	signal: AbortSignal | undefined,
	onPage: OnPage<T> | undefined,
): Promise<ListedObjects<T>> {
	const ending = new AbortController();
	const untilEnd = anySignal(signal, ending.signal);
	const ask = (next: string) => requestPage(transport, resource, next, timing, untilEnd);
	const objects: T[] = [];
	let [read, emittedCount] = [0, 0];
	try {
		const first = ask('');
		for (let asked = first; ; ) {
			// The next page is requested as soon as its token is known, while this one arrives and is decoded. There is at most
			// one extra request, which spares the server and our memory.
			const early = await asked.next;
			let coming = early ? ask(early) : undefined;
			const page = readPage(await asked.whole, resource, transport);
			if (!coming && page.next !== '') coming = ask(page.next);
			const before = objects.length;
			read += decodeAll(page, resource, objects, transport);
			release((await asked.whole).bytes);
			if (coming && onPage) {
				onPage(objects.slice(before), {read, about: page.remaining && read + page.remaining});
				emittedCount = objects.length;
			}
			if (!coming)
				return {objects, resourceVersion: page.resourceVersion, asOf: first.arrivedAt(), emittedCount};
			asked = coming;
		}
	} finally {
		ending.abort();
	}
}

type RequestedPage = {
	readonly whole: Promise<WholeResponse>;
	/** The token of the next page; undefined if it cannot be read before the whole page has arrived. */
	readonly next: Promise<string | undefined>;
	/** When it began to arrive, in the last attempt. */
	readonly arrivedAt: () => Instant;
};

function requestPage<T>(
	transport: Transport,
	{path, query}: Listable<T>,
	name: string,
	timing: ListTiming,
	signal: AbortSignal,
): RequestedPage {
	const next = Promise.withResolvers<string | undefined>();
	let arrivedAt = timing.now();
	const onHead = ({bytes, mediaType}: WholeResponse) => {
		arrivedAt = timing.now();
		const found = nextInHead(bytes, mediaType === protobuf);
		if (found !== undefined) next.resolve(found);
	};
	const size = transport.chunkSize ?? pageSize;
	const asked = {
		...query,
		...(size > 0 && {limit: String(size)}),
		...(name !== '' && {continue: name}),
	};
	const whole = retryOnThrottle(() => transport.bytes(path, asked, accepted, signal, onHead), timing, signal);
	whole.then(
		() => next.resolve(undefined),
		// Errors are handled where `whole` is awaited.
		() => next.resolve(undefined),
	);
	return {whole, next: next.promise, arrivedAt: () => arrivedAt};
}

function readPage<T>({bytes, mediaType}: WholeResponse, resource: Listable<T>, transport: Transport): Page {
	const page = parsedOrThrow(resource.path, transport, () =>
		mediaType === protobuf
			? pageOfProtobuf(bytes, resource.message)
			: pageOfJson(JSON.parse(bytes.toString('utf8'))),
	);
	if (!page) throw notAList(resource.path);
	return page;
}

/** Adds the decoded objects of a page. @returns the number of its objects */
function decodeAll<T>(page: Page, resource: Listable<T>, objects: T[], transport: Transport): number {
	let count = 0;
	parsedOrThrow(resource.path, transport, () => {
		for (const item of page.items()) {
			count += 1;
			const object = resource.decode(item);
			if (object !== undefined) objects.push(object);
		}
	});
	return count;
}

// All parser errors mean the same for the user.
function parsedOrThrow<R>(path: string, transport: Transport, read: () => R): R {
	try {
		return read();
	} catch {
		throw transport.notUnderstood(path);
	}
}

function notAList(path: string): RequestError {
	return new RequestError(
		`the server does not answer like a Kubernetes API server: no list at ${path}`,
		'check the address of the server: kubectl version',
	);
}

type RetryTiming = Pick<Timing, 'sleep' | 'random'> & {
	/** Maximum number of attempts with a throttling server; 5 by default. */
	readonly maxAttempts?: number;
};

/** Retries one page if the server is overloaded: 429, or 5xx with Retry-After. @throws the last attempt's error */
async function retryOnThrottle<T>(
	ask: () => Promise<T>,
	{sleep, random, maxAttempts = 5}: RetryTiming,
	signal: AbortSignal,
): Promise<T> {
	const backoff = new Backoff(random);
	for (let attempt = 1; ; attempt++) {
		try {
			return await ask();
		} catch (error) {
			if (!isThrottled(error) || attempt === maxAttempts || signal.aborted) throw error;
			await sleep(backoff.next(error.retryAfter), signal);
		}
	}
}

function isThrottled(error: unknown): error is RequestError {
	if (!(error instanceof RequestError) || error.status === undefined) return false;
	return error.status === 429 || (error.status >= 500 && error.retryAfter > 0);
}
