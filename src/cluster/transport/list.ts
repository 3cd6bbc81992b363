import {Backoff, longestAsked} from '../../async/backoff.ts';
import {anySignal} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import type {Instant} from '../../core/time/instant.ts';
import {isProtobuf, nextInHead, type Page, pageOfJson, pageOfProtobuf, protobuf} from '../codec/page.ts';
import {mostBytes, release} from './answerBody.ts';
import {hasStatus, RequestError, TooLargeError} from './requestError.ts';
import type {Listable} from './resource.ts';
import type {ListProgress} from './selection.ts';
import type {Traffic} from './traffic.ts';
import type {Transport} from './transport.ts';

/** Page size of kubectl. A page of pods has about two megabytes, and is decoded without a noticeable pause. */
const pageSize = 500;

/** Twenty times the nodes of the largest cluster that Kubernetes supports, and three times its pods, with which all else grows; a longer list has no end. */
const mostObjectsOf = (path: string): number => (growsWithNodes(path) ? 100_000 : 500_000);
const growsWithNodes = (path: string): boolean => /\/(nodes|leases)$/.test(path);

/** How many objects there may be before they are listed anew: a watch that brings ever new ones has no end. @param listed how many the last list had */
export const mostWatched = (path: string, listed: number): number =>
	Math.min(mostObjectsOf(path), growsWithNodes(path) ? 2 * listed + 5_000 : Infinity);

/** A server may ignore the size that was asked for; a page of more objects can only have empty ones. */
const mostOfPage = 100_000;
/** Pages that may be empty, or nearly: a proxy may filter what it passes on. */
const sparePages = 1000;

/** Protobuf from an API server; JSON from a substitute. */
const json = 'application/json';
const accepted = `${protobuf},${json}`;

/** A whole collection, and the version from which to watch it. */
export type ListedObjects<T> = Readonly<{
	objects: readonly T[];
	resourceVersion: string;
	/** When the first page began to arrive: all pages show the state at this instant, or just before. */
	asOf: Instant;
	/** Number of leading objects that were passed to `onPage`. */
	emittedCount: number;
}>;

/** Receives each page except the last, as soon as it is decoded. */
export type OnPage<T> = (objects: readonly T[], progress: ListProgress) => void;

/** Lists page by page, each decoded at once, so that a large cluster fits in memory. @throws RequestError if it cannot be read */
export async function list<T>(
	transport: Transport,
	resource: Listable<T>,
	signal?: AbortSignal,
	onPage?: OnPage<T>,
): Promise<ListedObjects<T>> {
	const pages = () => listPages(transport, resource, signal, onPage);
	return pages().catch((error: unknown) => {
		// The version of the pages expired meanwhile. Retry once, from the first page.
		if (!hasStatus(error, 410)) throw error;
		return pages();
	});
}

/** How many objects a collection has; undefined if the server does not tell. @throws RequestError if it cannot be read */
export async function countOf<T>(transport: Transport, resource: Listable<T>): Promise<number | undefined> {
	const {whole} = requestPage(transport, resource, '', 1, new AbortController().signal);
	const {remaining} = readPage(await whole, resource, transport);
	return remaining && remaining + 1;
}

async function listPages<T>(
	transport: Transport,
	resource: Listable<T>,
	signal: AbortSignal | undefined,
	onPage: OnPage<T> | undefined,
): Promise<ListedObjects<T>> {
	const ending = new AbortController();
	const untilEnd = anySignal(signal, ending.signal);
	let size = transport.chunkSize ?? pageSize;
	const ask = (next: string) => requestPage(transport, resource, next, size, untilEnd);
	const objects: T[] = [];
	let [read, emittedCount, pages, bytes] = [0, 0, 0, 0];
	let hasDropped = false;
	try {
		let first = ask('');
		for (let asked = first; ; ) {
			// The next page is requested as soon as its token is known, while this one arrives and is decoded. There is at most
			// one extra request, which spares the server and our memory.
			const early = await asked.next;
			let coming = early ? ask(early) : undefined;
			const whole = await asked.whole.catch((error: unknown) => {
				size = smallerSize(size);
				if (!(error instanceof TooLargeError) || size === 0) throw error;
				return undefined;
			});
			if (!whole) {
				hasDropped = true;
				const again = ask(asked.name);
				if (asked === first) first = again;
				asked = again;
				continue;
			}
			const page = readPage(whole, resource, transport);
			pages += 1;
			const isEndless =
				read > mostObjectsOf(resource.path) || pages > sparePages + (2 * read) / (size || pageSize);
			if (isEndless) throw tooLarge(`the list at ${resource.path}`, 'has no end: page follows page');
			bytes += whole.length;
			if (bytes > mostBytesOf(resource.path, read))
				throw tooLarge(
					`the list at ${resource.path}`,
					`is too large: ${Math.floor(bytes / 2 ** 20)} MiB, and ${read} objects until then`,
				);
			if (!coming && page.next !== '') coming = ask(page.next);
			const before = objects.length;
			read += decodeAll(page, resource, objects, transport);
			release(whole);
			if (coming && onPage) {
				onPage(objects.slice(before), {read, about: page.remaining && read + page.remaining});
				emittedCount = objects.length;
			}
			// A page that was asked for early, and is not wanted any more, may still be under way.
			if (!coming && hasDropped) ending.abort();
			if (!coming)
				return {objects, resourceVersion: page.resourceVersion, asOf: first.arrivedAt(), emittedCount};
			asked = coming;
		}
	} catch (error) {
		ending.abort();
		throw error;
	}
}

/** Single objects may be as large as etcd allows, but not all of them: so many bytes each are a lot. */
const muchOfOne = 2 ** 16;
/** What is beyond that in all objects together. */
export const mostBeyond = 2 * mostBytes.list;

/** By how much an object is larger than is usual. */
export const beyondUsual = (bytes: number): number => Math.max(0, bytes - muchOfOne);

/** The most bytes of a list. Nodes and leases may have as much as 15,000 nodes of 35 KiB. */
const mostBytesOf = (path: string, count: number): number =>
	Math.min(mostBeyond + count * muchOfOne, growsWithNodes(path) ? 16 * mostBytes.list : Infinity);

/** A page size for objects that are too large for pages of this size; zero if there is none. */
const smallerSize = (size: number): number =>
	size === 0 || size > pageSize ? pageSize : Math.floor(size / 10);

function requestPage<T>(
	transport: Transport,
	{path, query, message, accept = message ? accepted : json, maxAttempts = 5}: Listable<T>,
	name: string,
	size: number,
	signal: AbortSignal,
) {
	const {timing, traffic} = transport;
	const next = Promise.withResolvers<string | undefined>();
	let arrivedAt = timing.now();
	const onHead = (head: Buffer) => {
		arrivedAt = timing.now();
		const found = nextInHead(head);
		if (found !== undefined) next.resolve(found);
	};
	const asked = {
		...query,
		...(size > 0 && {limit: String(size)}),
		...(name !== '' && {continue: name}),
	};
	const whole = retryOnThrottle(
		() => transport.bytes(path, asked, accept, 'list', signal, onHead),
		timing,
		traffic,
		maxAttempts,
		signal,
	);
	// Errors are handled where `whole` is awaited.
	whole.catch(() => undefined).then(() => next.resolve(undefined));
	return {
		/** Its own token. */
		name,
		whole,
		/** The token of the next page; undefined if it cannot be read before the whole page has arrived. */
		next: next.promise,
		/** When it began to arrive, in the last attempt. */
		arrivedAt: () => arrivedAt,
	};
}

function readPage<T>(bytes: Buffer, resource: Listable<T>, transport: Transport): Page {
	const {message} = resource;
	const page = parsedOrThrow(resource.path, transport, () =>
		message && isProtobuf(bytes)
			? pageOfProtobuf(bytes, message)
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
			if (count > mostOfPage)
				throw tooLarge(
					`the list at ${resource.path}`,
					`is too large: a page has more than ${mostOfPage} objects`,
				);
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
	} catch (error) {
		throw error instanceof TooLargeError ? error : transport.notUnderstood(path);
	}
}

export const tooLarge = (which: string, what: string): RequestError =>
	new TooLargeError(
		`${which} ${what}`,
		'check what answers there: kubectl get --raw, whether a proxy is in between, and how large labels and annotations are',
	);

function notAList(path: string): RequestError {
	return new RequestError(
		`the server does not answer like a Kubernetes API server: no list at ${path}`,
		'check the address of the server: kubectl version',
	);
}

/**
 * Retries one page if the server is overloaded: 429, or 5xx with Retry-After. Who is asked to wait for longer than a minute is told so.
 *
 * @throws the last attempt's error
 */
async function retryOnThrottle<T>(
	ask: () => Promise<T>,
	{sleep, random}: Timing,
	traffic: Traffic,
	maxAttempts: number,
	signal: AbortSignal,
): Promise<T> {
	const backoff = new Backoff(random);
	for (let attempt = 1; ; attempt++) {
		try {
			return await ask();
		} catch (error) {
			if (!isThrottled(error) || attempt === maxAttempts || signal.aborted) throw error;
			if (error.retryAfter > longestAsked) throw error;
			await traffic.waitedFor(error, sleep(backoff.next(error.retryAfter), signal));
		}
	}
}

function isThrottled(error: unknown): error is RequestError {
	if (!(error instanceof RequestError) || error.status === undefined) return false;
	return error.status === 429 || (error.status >= 500 && error.retryAfter > 0);
}
