import {Backoff} from '../../async/backoff.ts';
import type {Timing} from '../../async/timing.ts';
import type {Provenance} from '../../core/model/observation.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {AnotherClusterError, type ClusterIdentity} from '../controlplane/clusterIdentity.ts';
import {list, type OnPage} from '../transport/list.ts';
import {hasStatus, mayPass, RequestError} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {ListProgress} from '../transport/selection.ts';
import type {Transport} from '../transport/transport.ts';
import {CollectionLoss} from './collectionLoss.ts';
import type {Collection, JoinedStream} from './joinedStream.ts';
import type {Pulse} from './pulse.ts';
import {type Batch, openWatch, type WatchEnd} from './watch.ts';
import {WatchProgress} from './watchProgress.ts';

/** How long after it was opened a watch has told what was missed, at the most. */
const catchUp: Duration = second;
/** A watch that is open again within this was merely interrupted; later, its collection counts as unseen meanwhile. */
const reopenedWithin: Duration = 2 * second;
/** How long a collection that always has news may have none: nobody may be left to write it. */
const quietAtMost: Duration = 10 * second;
/** So much of the time that was missed a server may take until it sends the first of it. */
const shareOfLoss = 1 / 10;
/** How long after a watch was opened it may tell old changes, at the most: what seems old later shows wrong clocks. */
const longestCatchUp: Duration = minute;

/** What a reflector reads with, and where its findings go. */
type ReflectorParts = {
	readonly transport: Transport;
	readonly timing: Timing;
	readonly stream: JoinedStream;
	/** Its own in the stream. */
	readonly collection: Collection;
	/** When the API server last sent anything, for whichever collection. */
	readonly pulse: Pulse;
	/** Makes sure before a watch is opened again that it is still the same cluster. */
	readonly identity: ClusterIdentity;
};

/** Who is told of everything but observations. */
type ReflectorListener = {
	readonly reportFlaw: (flaw: string) => void;
	/**
	 * Says that a collection that always has news has none. An API server that shuts down leaves its watches open and
	 * says no more, so the other watches may be as dead.
	 */
	readonly suspect: () => void;
	/** Where it is there, the first list is told page by page, and here how far it is; undefined once it is read. */
	readonly onProgress?: ((progress: ListProgress | undefined) => void) | undefined;
};

/**
 * Keeps up with one collection: lists it, watches it, goes on from where a watch ended, and lists anew where the server
 * no longer knows that place. It lives through any failure of server, network or credentials.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/cache/reflector.go Reflector
 */
export class Reflector<T> {
	readonly #transport: Transport;
	readonly #resource: Resource<T>;
	readonly #stream: JoinedStream;
	readonly #collection: Collection;
	readonly #pulse: Pulse;
	readonly #identity: ClusterIdentity;
	readonly #listener: ReflectorListener;
	readonly #timing: Timing;
	readonly #listBackoff: Backoff;
	readonly #watchBackoff: Backoff;
	#known: Set<string> | undefined;
	/** The keys that pages told, of all attempts, before the first list was whole. */
	readonly #told = new Set<string>();
	/** Undefined while there is nothing to go on from. */
	#resourceVersion: string | undefined;
	#hasListed = false;
	#hasWatched = false;
	#reopening: AbortController | undefined;
	/** Whether the last watch was given up for its silence. */
	#wasSilent = false;
	/** Up to when all that happened is surely known. */
	#seenUntil: Instant = beginningOfTime;
	readonly #loss: CollectionLoss;
	/** Since when there is no open watch, in real time; undefined while there is one, and before the first list. */
	#closedSince: Duration | undefined;

	constructor(
		{transport, timing, stream, collection, pulse, identity}: ReflectorParts,
		resource: Resource<T>,
		listener: ReflectorListener,
	) {
		[this.#transport, this.#timing, this.#resource] = [transport, timing, resource];
		[this.#stream, this.#collection] = [stream, collection];
		[this.#pulse, this.#identity, this.#listener] = [pulse, identity, listener];
		this.#loss = new CollectionLoss((since) => stream.lost(collection, since), timing);
		[this.#listBackoff, this.#watchBackoff] = [new Backoff(timing.random), new Backoff(timing.random)];
	}

	/** Runs until aborted. @throws UserError where an essential collection cannot be read from the start. */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			try {
				if (this.#resourceVersion === undefined) await this.#list(signal);
				else await this.#watch(this.#resourceVersion, signal);
			} catch (error) {
				if (signal.aborted) return;
				await this.#recover(error, signal);
			}
		}
	}

	async #list(signal: AbortSignal): Promise<void> {
		// What happens while the pages are read comes with the watch, late.
		const begunAt = this.#timing.now();
		if (this.#hasListed) await this.#identity.verify(signal);
		const {keyOf, applied, deleted} = this.#resource;
		const {onProgress} = this.#listener;
		const onPage: OnPage<T> | undefined =
			onProgress &&
			((page, progress) => {
				for (const object of page) this.#told.add(keyOf(object));
				onProgress(progress);
				const seen = page.map(applied);
				this.#stream.emit(this.#collection, seen, this.#timing.now(), {type: 'firstLook'}, false);
			});
		const {objects, resourceVersion, told} = await list(
			...([this.#transport, this.#resource, this.#timing, signal] as const),
			this.#hasListed ? undefined : onPage,
		);
		this.#pulse.heard();
		const listed = new Set(objects.map(keyOf));
		const before = this.#known ?? this.#told;
		const vanished = [...before].filter((key) => !listed.has(key));
		this.#told.clear();
		this.#known = listed;
		this.#resourceVersion = resourceVersion;
		const provenance: Provenance = this.#hasListed
			? {type: 'historyLost', since: this.#seenUntil}
			: {type: 'firstLook'};
		if (this.#hasWatched) this.#stream.missed(this.#collection, this.#seenUntil, this.#timing.now());
		this.#hasListed = true;
		this.#seenUntil = begunAt;
		this.#listBackoff.reset();
		onProgress?.(undefined);
		this.#stream.emit(
			this.#collection,
			// What changed since its page was read comes with the watch, which begins at the version of all pages.
			[...vanished.map(deleted), ...objects.slice(told).map(applied)],
			this.#timing.now(),
			provenance,
		);
		this.#stream.report(this.#collection, undefined);
		this.#loss.end();
		this.#closedSince = this.#timing.elapsed();
	}

	/** The keys of the objects that were told of and are not gone. */
	get known(): Iterable<string> {
		return this.#known ?? [];
	}

	/** Gives up the watch that is open or about to be, and opens another from where it was. */
	reopen(): void {
		this.#reopening?.abort();
	}

	/** The API server says nothing any more: what a watch does not bring now is not to be told from what it cannot. */
	loseConnection(): void {
		this.#lose();
		this.reopen();
	}

	/** The API server speaks again: a watch that waits to be opened may wait on a dead connection. */
	regainConnection(): void {
		if (this.#closedSince !== undefined) this.reopen();
	}

	/** Looks at the clock: nothing is seen of a collection whose watch is not open again by now. */
	look(): void {
		const closedFor = this.#timing.elapsed() - (this.#closedSince ?? never);
		if (closedFor >= reopenedWithin) this.#lose();
	}

	#lose(): void {
		if (!this.#hasListed) return;
		// The connection of a watch that fell silent by itself may have been dead for all of that time.
		const heardAt = this.#wasSilent ? beginningOfTime : this.#pulse.heardAt;
		this.#loss.begin(Math.min(this.#timing.now(), Math.max(this.#seenUntil, heardAt)));
	}

	async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
		const {now} = this.#timing;
		const startedAt = now();
		const isFirst = !this.#hasWatched;
		const reopening = new AbortController();
		this.#reopening = reopening;
		const either = AbortSignal.any([signal, reopening.signal]);
		const watcher = {timing: this.#timing, signal: either, report: this.#listener.reportFlaw};
		let progress: WatchProgress | undefined;
		let [isFruitful, end]: [boolean, WatchEnd] = [false, 'broken'];
		try {
			if (!isFirst) await this.#identity.verify(either);
			const watch = await openWatch(this.#transport, this.#resource, resourceVersion, watcher);
			progress = this.#opened(signal);
			let next = await watch.next();
			for (; typeof next !== 'string'; next = await watch.next()) {
				isFruitful = true;
				this.#take(next, progress, isFirst, signal);
			}
			end = next;
		} catch (error) {
			if (!reopening.signal.aborted || error instanceof AnotherClusterError) throw error;
		}
		this.#closedSince ??= this.#timing.elapsed();
		this.#wasSilent = end === 'silent';
		if (end === 'silent') this.#transport.distrustConnections();
		// One that was given up before it was opened has shown nothing.
		if (progress) this.#seenUntil = progress.seenUntil(end, now());
		if (end === 'silent' && isFruitful && this.#resource.isLively) this.#listener.suspect();
		const wasOfUse = isFruitful || now() - startedAt >= second;
		if (wasOfUse) this.#watchBackoff.reset();
		// A server that ends each watch as soon as it is opened must not be asked in a tight loop.
		const mayGoOnAtOnce = reopening.signal.aborted || (wasOfUse && end !== 'broken');
		if (!mayGoOnAtOnce) await this.#timing.sleep(this.#watchBackoff.next(), signal);
	}

	#opened(signal: AbortSignal): WatchProgress {
		const openedAt = this.#timing.now();
		this.#closedSince = undefined;
		this.#pulse.heard();
		this.#hasWatched = true;
		this.#stream.report(this.#collection, undefined);
		const quiet = this.#resource.isLively ? quietAfter(openedAt - this.#seenUntil) : catchUp;
		this.#loss.endAfter(quiet, signal);
		return new WatchProgress(this.#seenUntil, openedAt);
	}

	/** @param isFirst whether it comes from the first watch, which has nothing to make up for */
	#take(batch: Batch<T>, progress: WatchProgress, isFirst: boolean, signal: AbortSignal): void {
		const {changes, resourceVersion, arrivedAt} = batch;
		const {keyOf, applied, deleted} = this.#resource;
		this.#pulse.heard();
		// What a silent watch kept back comes at once with the next: that connection was dead, and others may be.
		if (this.#wasSilent && arrivedAt - progress.openedAt < second) this.#listener.suspect();
		this.#wasSilent = false;
		if (this.#resource.isLively) this.#judgeLoss(batch, progress, signal);
		const missedSince = progress.arrived(batch);
		// Where a server has nothing to make up for, nothing was missed, however long it said nothing.
		if (missedSince !== undefined && !isFirst && changes.length > 0)
			this.#stream.missed(this.#collection, this.#seenUntil, progress.openedAt);
		this.#watchBackoff.reset();
		this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
		const observations = changes.map(({type, object}) => {
			const key = keyOf(object);
			if (type === 'applied') this.#known?.add(key);
			else this.#known?.delete(key);
			return type === 'applied' ? applied(object) : deleted(key);
		});
		const provenance = this.#provenanceOf(missedSince);
		if (observations.length > 0) this.#stream.emit(this.#collection, observations, arrivedAt, provenance);
		this.#stream.report(this.#collection, undefined);
	}

	/** A renewal of long ago is what was missed: the newer ones follow it. */
	#judgeLoss(batch: Batch<T>, progress: WatchProgress, signal: AbortSignal): void {
		const isPresent = progress.reachesPresent(batch);
		if (isPresent) this.#loss.end();
		else if (isPresent === undefined) this.#loss.endAfter(catchUp, signal);
		else if (this.#timing.now() - progress.openedAt < longestCatchUp) this.#loss.putOff(quietAtMost, signal);
	}

	#provenanceOf(missedSince: Instant | undefined): Provenance | undefined {
		if (missedSince !== undefined) return {type: 'late', since: missedSince};
		const since = this.#pulse.unreadSince;
		return since === undefined ? undefined : {type: 'delayed', since};
	}

	async #recover(error: unknown, signal: AbortSignal): Promise<void> {
		if (!(error instanceof UserError) || error instanceof AnotherClusterError) throw error;
		if (this.#resource.isEssential && !this.#hasListed && !mayPass(error)) throw error;
		this.#closedSince ??= this.#timing.elapsed();
		this.#lose();
		const isListing = this.#resourceVersion === undefined;
		if (hasStatus(error, 410)) this.#resourceVersion = undefined;
		else this.#stream.report(this.#collection, error);
		const retryAfter = error instanceof RequestError ? error.retryAfter : 0;
		await this.#timing.sleep((isListing ? this.#listBackoff : this.#watchBackoff).next(retryAfter), signal);
	}
}

/** How long after a loss of so long a collection that always has news may have none. */
const quietAfter = (lost: Duration): Duration =>
	Math.max(quietAtMost, Math.min(longestCatchUp, lost * shareOfLoss));
