import type {Timing} from '../../async/timing.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {protobuf} from '../codec/page.ts';
import {partsOf, textOf} from '../codec/rawJson.ts';
import {versionMessage} from '../codec/wire/objects.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Listable} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

/** After this time without a change from the watch of a lively collection, it is listed for comparison. */
const comparedAfter: Duration = 2.5 * second;
/** The same of any other collection; a large one is listed no more often than once in this time for so many objects. */
const [quietAfter, objectsPerSecond]: readonly [Duration, number] = [10 * second, 500];
/** An object of a lively collection that did not change for this time, while others did, is compared, too: a kubelet is silent after 20 s. */
const overdueAfter: Duration = 12 * second;
/** A list shows for this time that a silent object is silent: its node may come back, and the watch leave that out. */
const confirmedFor: Duration = 5 * minute;
/** A difference between watch and list counts only if it lasts this long: one API server may lag behind another. */
const tolerated: Duration = 5 * second;
/** After this time without a change, a list without a difference shows that nothing is left that writes. */
const longestQuiet: Duration = 10 * second;

/** Versions stand in the metadata, a small part of an object. */
const asMetadata = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const metadataAlone = `${protobuf};${asMetadata},application/json;${asMetadata},application/json`;

/** A watch that did not deliver is compared regularly for this long after it did: its lag may grow again. */
const probation: Duration = minute;

/** How far a collection has come: its newest object, and the whole store, as resourceVersions. */
type Versions = {readonly newest: number; readonly whole: number};

/** Up to which version an object was delivered, until when nothing of it was left out, and when a list last showed that. */
type DeliveredObject = {
	readonly version: number;
	at: Instant;
	readonly quietAt: Duration;
	confirmedAt: Duration;
};

type CheckParts = Readonly<{
	transport: Transport;
	timing: Timing;
	resource: Listable<unknown>;
	/** Whether its objects change every few seconds. */
	isLively: boolean;
	/** The number of its objects. */
	size: () => number;
	/** Asked before a collection that is not lively is listed: others may have their turn. */
	mayCompare: () => boolean;
	/** Called when a list was answered. */
	answered: () => void;
	/** Called when a difference has lasted too long. @param provenAt the last instant up to which everything was delivered */
	contradicted: (provenAt: Instant) => void;
	/** Called when the watch has delivered all that there is. */
	proven: () => void;
}>;

/**
 * Compares what a quiet watch has delivered with what a list shows. A watch can be open and deliver nothing: a proxy may hold
 * its events back, or the API server's versions went back because its etcd was restored. A bookmark proves nothing here: it
 * claims that everything up to it was delivered.
 */
export class DeliveryCheck {
	readonly #parts: CheckParts;
	readonly #compared: Listable<ListedVersion>;
	/** Of a lively collection, by key. */
	readonly #objects = new Map<string, DeliveredObject>();
	/** The versions that the last list showed of objects that were delivered as older. */
	#newer = new Map<string, number>();
	/** Objects whose changes the watch leaves out, until it delivers one. */
	readonly #owed = new Set<string>();
	#awake: Duration = 0;
	#delivered: Versions = {newest: 0, whole: 0};
	/** The last instant up to which everything was delivered. */
	#provenAt: Instant = never;
	/** Time since the last change, and since the last comparison; both only while this process was awake. */
	#quietFor: Duration = 0;
	#uncomparedFor: Duration = tolerated;
	#isComparing = false;
	/** While it is awake until then, the collection is compared whether the watch is quiet or not. */
	#suspectedUntil: Duration = 0;
	/** The newest version that the last list showed. Of a lively collection, one is awaited after each whole list. */
	#shown = 0;
	/** Whether the watch has delivered a change since the last whole list. */
	#hasDelivered = false;
	/** An earlier list that differed, and what the watch had delivered then. */
	#difference: {readonly listed: Versions; readonly delivered: Versions} | undefined;

	constructor(parts: CheckParts) {
		this.#parts = parts;
		const {path, query} = parts.resource;
		this.#compared = {path, query, accept: metadataAlone, message: versionMessage, decode: listedOf};
	}

	/** Whether a list shows something else than the watch has delivered. */
	get isDoubtful() {
		return this.#difference !== undefined || this.#newer.size > 0;
	}

	/** Whether the watch leaves out no object's changes, and has delivered what the last list showed: old changes may trickle in. */
	get hasCaughtUp() {
		return this.#owed.size === 0 && this.#delivered.newest >= this.#shown;
	}

	/** The collection was listed: the watch starts from there. @param at when the list began */
	listed(resourceVersion: string, at: Instant, keys: Iterable<string>) {
		const version = Number(resourceVersion);
		this.#objects.clear();
		this.#note(keys, version, at);
		for (const key of this.#owed) if (!this.#objects.has(key)) this.#owed.delete(key);
		this.#begin({newest: version, whole: version}, at);
		this.#difference = undefined;
		this.#shown = this.#parts.isLively ? Number.POSITIVE_INFINITY : 0;
		this.#hasDelivered = false;
	}

	/** The watch delivered a change. */
	delivered(resourceVersion: string, at: Instant, keys: readonly string[]) {
		this.#note(keys, Number(resourceVersion), at);
		for (const key of keys) this.#owed.delete(key);
		this.#hasDelivered = true;
		const newest = Math.max(this.#delivered.newest, Number(resourceVersion));
		this.#begin({newest, whole: Math.max(this.#delivered.whole, newest)}, at);
	}

	/** The watch delivered a bookmark. */
	bookmarked(resourceVersion: string) {
		this.#delivered = {...this.#delivered, whole: Math.max(this.#delivered.whole, Number(resourceVersion))};
	}

	#note(keys: Iterable<string>, version: number, at: Instant) {
		if (!this.#parts.isLively) return;
		const delivered = {version, quietAt: this.#awake, confirmedAt: beginningOfTime};
		for (const key of keys) this.#objects.set(key, {...delivered, at});
	}

	#begin(delivered: Versions, at: Instant) {
		this.#delivered = delivered;
		this.#provenAt = at;
		this.#quietFor = 0;
	}

	/** The watch has delivered all that there is. */
	proven() {
		this.#suspectedUntil = Math.min(this.#suspectedUntil, this.#awake + probation);
	}

	/** Lists the collection if that is due. @param awake how long this process was awake since the last call */
	look(awake: Duration, signal: AbortSignal) {
		this.#awake += awake;
		this.#quietFor += awake;
		this.#uncomparedFor += awake;
		if (!this.#isComparing && this.#isDue) void this.#compare(signal);
	}

	get #isDue() {
		const {isLively, size, mayCompare} = this.#parts;
		if (this.#uncomparedFor < tolerated) return false;
		const isQuiet = this.#quietFor >= comparedAfter;
		const spacing = Math.max(isLively ? tolerated : quietAfter, (size() / objectsPerSecond) * second);
		if (isLively)
			return (
				isQuiet ||
				(this.#uncomparedFor >= spacing &&
					(this.#awake < this.#suspectedUntil || this.#newer.size > 0 || this.#isAnyOverdue))
			);
		if (this.isDoubtful) return isQuiet;
		return this.#quietFor >= quietAfter && this.#uncomparedFor >= spacing && mayCompare();
	}

	get #isAnyOverdue() {
		const expired = this.#awake - confirmedFor;
		return [...this.#objects.values()].some((one) => one.confirmedAt <= expired && this.#isOverdue(one));
	}

	#isOverdue({quietAt}: DeliveredObject) {
		return this.#awake - quietAt >= overdueAfter;
	}

	async #compare(signal: AbortSignal): Promise<void> {
		const {transport, timing, answered, contradicted, proven} = this.#parts;
		const askedAt = timing.now();
		this.#isComparing = true;
		let uncomparedFor: Duration = 0;
		try {
			const {objects, resourceVersion} = await list(transport, this.#compared, signal);
			const newest = maxOf(
				objects.map(({version}) => version),
				0,
			);
			const provenAt = this.#provenAt;
			const hasLasted = this.#hasLasted({newest, whole: Number(resourceVersion)});
			const owedSince = this.#compareEach(objects, askedAt);
			this.#shown = newest;
			answered();
			if (hasLasted || owedSince < never) {
				this.#suspectedUntil = Number.POSITIVE_INFINITY;
				contradicted(Math.min(provenAt, owedSince));
			} else if (!this.isDoubtful && this.hasCaughtUp) {
				this.#provenAt = Math.max(provenAt, askedAt);
				if (this.#hasDelivered || this.#quietFor >= longestQuiet) proven();
			}
		} catch (error) {
			// Whether the API server answers is the pulse's business.
			if (!(error instanceof UserError) && !signal.aborted) throw error;
			// A watch stays open after its permission was withdrawn.
			if (hasStatus(error, 403)) [uncomparedFor, this.#shown] = [tolerated - minute, 0];
		} finally {
			this.#isComparing = false;
			this.#uncomparedFor = uncomparedFor;
		}
	}

	/** Compares what is overdue with what the watch delivered. @returns until when nothing was left out of what differed before already */
	#compareEach(listed: readonly ListedVersion[], askedAt: Instant): Instant {
		const before = this.#newer;
		this.#newer = new Map();
		const left = new Map(listed.map(({key, version}) => [key, version]));
		let owedSince = never;
		for (const [key, known] of this.#objects) {
			if (!this.#isOverdue(known)) continue;
			const version = left.get(key) ?? 0;
			if (version === 0) this.#objects.delete(key);
			const isConfirmed = version <= known.version;
			if (isConfirmed) this.#owed.delete(key);
			else this.#newer.set(key, version);
			if ((before.get(key) ?? 0) > known.version) {
				this.#owed.add(key);
				owedSince = Math.min(owedSince, known.at);
			} else if (isConfirmed) [known.at, known.confirmedAt] = [askedAt, this.#awake];
		}
		return owedSince;
	}

	/** Compares a list with the watch. @returns whether an earlier difference has lasted */
	#hasLasted(listed: Versions) {
		const delivered = this.#delivered;
		const before = this.#difference;
		if (before && (before.listed.newest > delivered.newest || listed.whole < before.delivered.whole))
			return true;
		const differs = listed.newest > delivered.newest || listed.whole < delivered.whole;
		this.#difference = differs ? {listed, delivered} : undefined;
		return false;
	}
}

type ListedVersion = ReturnType<typeof listedOf>;

function listedOf(object: unknown) {
	const {namespace, name, resourceVersion} = partsOf(object).metadata;
	return {key: `${textOf(namespace)}/${textOf(name)}`, version: Number(textOf(resourceVersion))};
}
