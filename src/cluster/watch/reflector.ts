import {Backoff} from '../../async/backoff.ts';
import {orAborted} from '../../async/orAborted.ts';
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
import {beyondUsual, list, mostBeyond, mostWatched, type OnPage, tooLarge} from '../transport/list.ts';
import {hasStatus, mayPass, RequestError, TooLargeError} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {ListProgress} from '../transport/selection.ts';
import type {Transport} from '../transport/transport.ts';
import {collectionLoss} from './collectionLoss.ts';
import {DeliveryCheck} from './deliveryCheck.ts';
import type {EarlyList} from './earlyLists.ts';
import type {Collection} from './joinedStream.ts';
import type {Pulse} from './pulse.ts';
import {type Batch, openWatch, type WatchEnd} from './watch.ts';
import {type WatchProgress, watchProgress} from './watchProgress.ts';

/** Limit of a short interruption; after it, the collection counts as lost. */
const maxInterruption: Duration = 2 * second;

/** Interval of asking again for what is forbidden, or has no end: that may change later. */
const longPause: Duration = minute;

type ReflectorParts = Readonly<{
	transport: Transport;
	timing: Timing;
	/** Of the stream that it is joined to. */
	collection: Collection;
	/** Notes when the API server last sent anything, for any collection. */
	pulse: Pulse;
	/** Checks before a watch is reopened that it is still the same cluster. */
	identity: ClusterIdentity;
}>;

/** Receives what is not an observation: flaws, suspicions, progress. */
type ReflectorListener = Readonly<{
	reportFlaw: (flaw: string) => void;
	/** Called if a lively collection is silent: an API server that shuts down leaves all its watches open without sending. */
	suspect: () => void;
	/**
	 * Called while a lively watch is open and does not deliver what a list shows, and once more when it delivers again: what it left
	 * out may be lost. @param since the last instant at which everything was delivered
	 */
	contradicted: (since: Instant) => void;
	/** Asked before a collection that is not lively is listed to compare it with its watch. */
	mayCompare: () => boolean;
	/** If set, the first list is emitted page by page; called with the progress, and with undefined once it is complete. */
	onProgress?: ((progress: ListProgress | undefined) => void) | undefined;
}>;

/**
 * Follows one collection: lists it, watches it, resumes where a watch ended, and lists anew if that version has expired. It
 * survives any failure of server, network or credentials.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/cache/reflector.go Reflector
 */
export class Reflector<T> {
	readonly #transport: Transport;
	readonly #resource: Resource<T>;
	readonly #collection: Collection;
	readonly #pulse: Pulse;
	readonly #identity: ClusterIdentity;
	readonly #listener: ReflectorListener;
	readonly #timing: Timing;
	readonly #listBackoff: Backoff;
	readonly #watchBackoff: Backoff;
	/** The first list, if it was requested before. */
	#early: EarlyList<T> | undefined;
	/** By key, the bytes beyond the usual with which the watch brought an object; zero if it was listed. */
	#known: Map<string, number> | undefined;
	/** The sum of these. */
	#bytesBeyond = 0;
	/** More objects than that a watch may not bring without a list that shows them. */
	#most = 0;
	/** Keys that were emitted from pages, over all attempts, before the first list was complete. */
	readonly #emittedKeys = new Set<string>();
	/** Undefined if the collection must be listed. */
	#resourceVersion: string | undefined;
	#hasListed = false;
	#hasWatched = false;
	#reopening: AbortController | undefined;
	/** Whether the last watch was closed because of silence. */
	#wasSilent = false;
	/** All changes up to this instant were delivered. */
	#seenUntil: Instant = beginningOfTime;
	readonly #loss: ReturnType<typeof collectionLoss>;
	/** Undefined where what is missed only widens ranges. */
	readonly #check: DeliveryCheck | undefined;
	/** Set while the watch does not deliver what a list shows: the last instant at which it did, or a list. */
	#undeliveredSince: Instant | undefined;
	/** If set, the collection must be listed, as its watch may have missed anything since. */
	#doubtedSince: Instant | undefined;
	#isRefused = false;
	/** Monotonic time since when no watch is open; undefined while one is, and before the first list. */
	#closedSince: Duration | undefined;

	constructor(
		{transport, timing, collection, pulse, identity}: ReflectorParts,
		resource: Resource<T>,
		listener: ReflectorListener,
		early?: EarlyList<T>,
	) {
		this.#early = early;
		[this.#transport, this.#timing, this.#resource] = [transport, timing, resource];
		this.#collection = collection;
		[this.#pulse, this.#identity, this.#listener] = [pulse, identity, listener];
		this.#loss = collectionLoss(collection.lost, timing);
		const {isLively, mayBeMissed} = resource;
		this.#check = mayBeMissed
			? undefined
			: new DeliveryCheck({
					transport,
					timing,
					resource,
					isLively,
					size: () => this.#known?.size ?? 0,
					mayCompare: listener.mayCompare,
					answered: () => pulse.answered(),
					contradicted: (provenAt) => this.#contradicted(provenAt),
					proven: () => this.#proven(),
				});
		[this.#listBackoff, this.#watchBackoff] = [new Backoff(timing.random), new Backoff(timing.random)];
	}

	/** Runs until aborted. @throws UserError if an essential collection cannot be read at the start */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			try {
				if (this.#mustList) await this.#list(signal);
				else await this.#watch(this.#resourceVersion ?? '', signal);
			} catch (error) {
				if (signal.aborted) return;
				await this.#recover(error, signal);
			}
		}
	}

	async #list(signal: AbortSignal): Promise<void> {
		// Changes during the pages come late, with the watch.
		const early = this.#early;
		this.#early = undefined;
		const begunAt = early?.begunAt() ?? this.#timing.now();
		if (this.#hasListed) await this.#identity.verify(signal);
		const {keyOf, applied, deleted} = this.#resource;
		const {onProgress} = this.#listener;
		const onPage: OnPage<T> | undefined =
			onProgress &&
			((page, progress) => {
				for (const object of page) this.#emittedKeys.add(keyOf(object));
				onProgress(progress);
				const seen = page.map(applied);
				this.#collection.emit(seen, this.#timing.now(), {type: 'firstLook'}, false);
			});
		const {objects, resourceVersion, emittedCount} =
			(await (early && orAborted(early.listed, signal))) ??
			(await list(this.#transport, this.#resource, signal, this.#hasListed ? undefined : onPage));
		this.#pulse.heard();
		const listed = new Map(objects.map((object) => [keyOf(object), 0]));
		const before = this.#known?.keys() ?? this.#emittedKeys;
		const vanished = [...before].filter((key) => !listed.has(key));
		this.#emittedKeys.clear();
		this.#known = listed;
		this.#bytesBeyond = 0;
		this.#most = mostWatched(this.#resource.path, listed.size);
		this.#resourceVersion = resourceVersion;
		this.#check?.listed(resourceVersion, begunAt, listed.keys());
		const since = Math.min(this.#seenUntil, this.#doubtedSince ?? never);
		this.#doubtedSince = undefined;
		const provenance: Provenance = this.#hasListed ? {type: 'historyLost', since} : {type: 'firstLook'};
		if (this.#hasWatched) this.#collection.missed(since, this.#timing.now());
		this.#hasListed = true;
		this.#seenUntil = begunAt;
		this.#listBackoff.reset();
		onProgress?.(undefined);
		this.#collection.emit(
			// Later changes come with the watch, which starts at the resource version of all pages.
			[...vanished.map(deleted), ...objects.slice(emittedCount).map(applied)],
			this.#timing.now(),
			provenance,
		);
		this.#collection.report(undefined);
		if (!this.isUndelivered) this.#loss.end();
		this.#closedSince = this.#timing.elapsed();
	}

	get #mustList(): boolean {
		return this.#resourceVersion === undefined || this.#doubtedSince !== undefined;
	}

	/** The keys of the existing objects. */
	get known(): Iterable<string> {
		return this.#known?.keys() ?? [];
	}

	/** Closes the watch that is open or about to open, and resumes with a new one. */
	reopen() {
		this.#reopening?.abort();
	}

	/** The API server is silent: whether a watch has nothing to send, or cannot send it, is unknown. */
	loseConnection() {
		this.#lose();
		this.reopen();
	}

	/** The API server answers again; a watch that is still opening may wait on a dead connection. */
	regainConnection() {
		if (this.#closedSince !== undefined) this.reopen();
	}

	/**
	 * Marks the collection as lost if its watch was not reopened in time, and checks whether an open one delivers.
	 *
	 * @param awake how long this process was awake since the last call
	 */
	checkForLoss(awake: Duration, signal: AbortSignal) {
		if (this.#closedSince === undefined) {
			const isLostOtherwise = this.#loss.isLost() && !this.isUndelivered;
			if (this.#hasListed && !isLostOtherwise) this.#check?.look(awake, signal);
		} else if (this.#timing.elapsed() - this.#closedSince >= maxInterruption) this.#lose();
	}

	/** Whether a list shows something else than the watch has delivered; perhaps it only lags. */
	get isDoubtful() {
		return this.#check?.isDoubtful ?? false;
	}

	/** Lists the collection anew. @param since when its watch may have begun to miss changes */
	listAnew(since: Instant) {
		if (!this.#hasListed) return;
		this.#doubtedSince = Math.min(since, this.#doubtedSince ?? never);
		this.reopen();
	}

	/** Whether an open watch does not deliver what a list shows. */
	get isUndelivered() {
		return this.#undeliveredSince !== undefined;
	}

	/** Whether it waits before it asks again for what is forbidden. */
	get isRefused() {
		return this.#isRefused;
	}

	#contradicted(provenAt: Instant) {
		this.#undeliveredSince = provenAt;
		this.#collection.undelivered(true);
		this.#loss.begin(Math.min(this.#timing.now(), provenAt));
		this.#listener.contradicted(provenAt);
	}

	#proven() {
		const since = this.#undeliveredSince;
		if (since === undefined) return;
		this.#undeliveredSince = undefined;
		this.#check?.proven();
		this.#collection.undelivered(false);
		this.#loss.end();
		this.#listener.contradicted(since);
	}

	#lose() {
		if (!this.#hasListed) return;
		// The connection of a silent watch may have been dead since its last change.
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
			const nextBatch = await openWatch(this.#transport, this.#resource, resourceVersion, watcher);
			progress = this.#opened(signal);
			let next = await nextBatch();
			for (; typeof next !== 'string'; next = await nextBatch()) {
				isFruitful = true;
				this.#take(next, progress, isFirst, signal);
			}
			end = next;
		} catch (error) {
			const wasReopened = reopening.signal.aborted;
			// Its server may go on sending.
			reopening.abort();
			if (!wasReopened || error instanceof AnotherClusterError) throw error;
		}
		this.#closedSince ??= this.#timing.elapsed();
		this.#wasSilent = end === 'silent';
		if (end === 'silent') this.#transport.distrustConnections();
		// A watch that was closed before it opened has shown nothing.
		if (progress) this.#seenUntil = progress.seenUntil(end, now());
		if (end === 'silent' && isFruitful && this.#resource.isLively) this.#listener.suspect();
		const wasOfUse = isFruitful || now() - startedAt >= second;
		if (wasOfUse) this.#watchBackoff.reset();
		// A server that ends each watch at once must not be asked in a tight loop.
		const mayGoOnAtOnce = reopening.signal.aborted || (wasOfUse && end !== 'broken');
		if (!mayGoOnAtOnce) await this.#timing.sleep(this.#watchBackoff.next(), signal);
	}

	#opened(signal: AbortSignal): WatchProgress {
		const openedAt = this.#timing.now();
		this.#closedSince = undefined;
		this.#pulse.heard();
		this.#hasWatched = true;
		this.#collection.report(undefined);
		if (!this.isUndelivered)
			this.#loss.endAfterReopening(openedAt - this.#seenUntil, this.#resource.isLively, signal);
		return watchProgress(this.#seenUntil, openedAt);
	}

	/** Emits what a watch delivered. @param isFirst whether it comes from the first watch, which has missed nothing */
	#take(batch: Batch<T>, progress: WatchProgress, isFirst: boolean, signal: AbortSignal) {
		const {changes, resourceVersion, deliveredVersion, arrivedAt} = batch;
		const {keyOf, applied, deleted, path} = this.#resource;
		if ((this.#known?.size ?? 0) + changes.length > this.#most)
			throw tooLarge(`the watch at ${path}`, `has no end: it brings more than ${this.#most} objects`);
		const undeliveredSince = this.#undeliveredSince;
		const observations = changes.map(({type, object, bytes}) => {
			const key = keyOf(object);
			this.#bytesBeyond -= this.#known?.get(key) ?? 0;
			if (type === 'deleted') {
				this.#known?.delete(key);
				return deleted(key);
			}
			this.#known?.set(key, beyondUsual(bytes));
			this.#bytesBeyond += beyondUsual(bytes);
			return applied(object);
		});
		this.#pulse.heard();
		// If the next watch delivers at once what a silent one did not, that connection was dead, and others may be.
		if (this.#wasSilent && arrivedAt - progress.openedAt < second) this.#listener.suspect();
		this.#wasSilent = false;
		const isPresent = this.#resource.isLively ? progress.reachesPresent(batch) : undefined;
		if (this.#resource.isLively && !this.isUndelivered)
			this.#loss.judge(isPresent, this.#timing.now() - progress.openedAt, signal);
		if (deliveredVersion !== undefined) {
			const keys = changes.map(({object}) => keyOf(object));
			this.#check?.delivered(deliveredVersion, arrivedAt, keys);
		}
		if (deliveredVersion !== undefined && isPresent !== false && this.#check?.hasCaughtUp) this.#proven();
		if (resourceVersion !== undefined) this.#check?.bookmarked(resourceVersion);
		const missedSince = progress.arrived(batch);
		// An empty batch shows that nothing was missed, however long the server was silent.
		if (missedSince !== undefined && !isFirst && changes.length > 0)
			this.#collection.missed(this.#seenUntil, progress.openedAt);
		this.#watchBackoff.reset();
		this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
		const provenance = this.#provenanceOf(missedSince ?? undeliveredSince);
		if (observations.length > 0) this.#collection.emit(observations, arrivedAt, provenance);
		this.#collection.report(undefined);
		if (this.#bytesBeyond > mostBeyond)
			throw tooLarge(
				`the watch at ${path}`,
				`is too large: its objects exceed 64 KiB each by ${mostBeyond / 2 ** 20} MiB in all`,
			);
	}

	#provenanceOf(lateSince: Instant | undefined): Provenance | undefined {
		if (lateSince !== undefined) return {type: 'late', since: lateSince};
		const since = this.#pulse.unreadSince;
		return since === undefined ? undefined : {type: 'delayed', since};
	}

	async #recover(error: unknown, signal: AbortSignal): Promise<void> {
		if (!(error instanceof UserError) || error instanceof AnotherClusterError) throw error;
		if (this.#resource.isEssential && !this.#hasListed && !mayPass(error)) throw error;
		this.#closedSince ??= this.#timing.elapsed();
		this.#lose();
		const isListing = this.#mustList;
		const isEndless = error instanceof TooLargeError;
		if (isEndless || hasStatus(error, 410)) this.#resourceVersion = undefined;
		if (!hasStatus(error, 410)) this.#collection.report(error);
		const backoff = isListing ? this.#listBackoff : this.#watchBackoff;
		const retryAfter = error instanceof RequestError ? error.retryAfter : 0;
		// An API server that has just started knows no roles yet, and refuses for a moment what was allowed.
		this.#isRefused = hasStatus(error, 403) && (!this.#hasListed || backoff.isLongest);
		await this.#timing.sleep(backoff.next(this.#isRefused || isEndless ? longPause : retryAfter), signal);
		this.#isRefused = false;
	}
}
