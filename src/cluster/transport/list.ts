import {Backoff} from '../../async/backoff.ts';
import {anySignal} from '../../async/orAborted.ts';
import {systemTiming, type Timing} from '../../async/timing.ts';
import type {Instant} from '../../core/time/instant.ts';
import {nextInHead, type Page, pageOfJson, pageOfProtobuf, protobuf} from '../codec/page.ts';
import {release} from './answerBody.ts';
import {hasStatus, RequestError} from './requestError.ts';
import type {Listable} from './resource.ts';
import type {ListProgress} from './selection.ts';
import type {Transport, Whole} from './transport.ts';

/** Objects a page: what kubectl asks for. A page of pods is some two megabytes, read without a stall. */
const pageSize = 500;

/** Protobuf from the API server itself; JSON from what stands in for it. */
const accepted = `${protobuf},application/json`;

/** All of a collection, and the version from which a watch goes on. */
export type ListedObjects<T> = {
	readonly objects: readonly T[];
	readonly resourceVersion: string;
	/** When the first page began to arrive: all pages show the state of that instant, or of one just before it. */
	readonly asOf: Instant;
	/** How many of the objects, the first ones, `onPage` was told of. */
	readonly told: number;
};

/** Told of each page but the last as soon as it is read. */
export type OnPage<T> = (objects: readonly T[], progress: ListProgress) => void;

/** What reading takes of time. */
type ListTiming = RetryTiming & Pick<Timing, 'now'>;

/**
 * Lists a collection page by page. Each page is reduced to the model at once, so that a large cluster fits in memory.
 *
 * @throws RequestError where it cannot be read.
 */
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
		// The version that the pages are of was forgotten while we read them. Once more, from the first page.
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
	const ask = (next: string) => askForPage(transport, resource, next, timing, untilEnd);
	const objects: T[] = [];
	let [read, told] = [0, 0];
	try {
		const first = ask('');
		for (let asked = first; ; ) {
			// The next page is asked for as soon as its name is known, while this one is still on its way, and is read. It may
			// be one at a time more, never two: that spares the server, and us.
			const early = await asked.next;
			let coming = early ? ask(early) : undefined;
			const page = readPage(await asked.whole, resource, transport);
			if (!coming && page.next !== '') coming = ask(page.next);
			const before = objects.length;
			read += decodeAll(page, resource, objects, transport);
			release((await asked.whole).bytes);
			if (coming && onPage) {
				onPage(objects.slice(before), {read, about: page.remaining && read + page.remaining});
				told = objects.length;
			}
			if (!coming) return {objects, resourceVersion: page.resourceVersion, asOf: first.arrivedAt(), told};
			asked = coming;
		}
	} finally {
		ending.abort();
	}
}

/** A page that was asked for. */
type ListAsked = {
	readonly whole: Promise<Whole>;
	/** What names the page after it, once that is known; undefined where it does not show before all of it is there. */
	readonly next: Promise<string | undefined>;
	/** When it began to arrive, the last time that it did. */
	readonly arrivedAt: () => Instant;
};

function askForPage<T>(
	transport: Transport,
	{path, query}: Listable<T>,
	name: string,
	timing: ListTiming,
	signal: AbortSignal,
): ListAsked {
	const next = Promise.withResolvers<string | undefined>();
	let arrivedAt = timing.now();
	const onHead = ({bytes, mediaType}: Whole) => {
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
		// Until it is waited for, its failure is nobody's.
		() => next.resolve(undefined),
	);
	return {whole, next: next.promise, arrivedAt: () => arrivedAt};
}

function readPage<T>({bytes, mediaType}: Whole, resource: Listable<T>, transport: Transport): Page {
	const page = understood(resource.path, transport, () =>
		mediaType === protobuf
			? pageOfProtobuf(bytes, resource.message)
			: pageOfJson(JSON.parse(bytes.toString('utf8'))),
	);
	if (!page) throw notAList(resource.path);
	return page;
}

/** Adds what a page holds and is wanted. @returns how many objects it holds */
function decodeAll<T>(page: Page, resource: Listable<T>, objects: T[], transport: Transport): number {
	let count = 0;
	understood(resource.path, transport, () => {
		for (const item of page.items()) {
			count += 1;
			const object = resource.decode(item);
			if (object !== undefined) objects.push(object);
		}
	});
	return count;
}

// Whatever a parser says of bytes, for the user it means one thing.
function understood<R>(path: string, transport: Transport, read: () => R): R {
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

/** What waiting takes. */
type RetryTiming = Pick<Timing, 'sleep' | 'random'> & {
	/** How often a server that asks us to wait is asked in all; 5 times where nothing is said. */
	readonly mostAttempts?: number;
};

/**
 * Asks again where the server says that it is too busy now: with 429, or with an error and Retry-After. So one page of many is
 * asked for again, rather than all of them.
 *
 * @throws what the last attempt threw
 */
async function retryOnThrottle<T>(
	ask: () => Promise<T>,
	{sleep, random, mostAttempts = 5}: RetryTiming,
	signal: AbortSignal,
): Promise<T> {
	const backoff = new Backoff(random);
	for (let attempt = 1; ; attempt++) {
		try {
			return await ask();
		} catch (error) {
			if (!asksToWait(error) || attempt === mostAttempts || signal.aborted) throw error;
			await sleep(backoff.next(error.retryAfter), signal);
		}
	}
}

function asksToWait(error: unknown): error is RequestError {
	if (!(error instanceof RequestError) || error.status === undefined) return false;
	return error.status === 429 || (error.status >= 500 && error.retryAfter > 0);
}
