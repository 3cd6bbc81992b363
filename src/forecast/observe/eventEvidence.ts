import {ascending} from '../../core/collections/ascending.ts';
import type {ClusterEvent, EventTime} from '../../core/model/clusterEvent.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodes/nodeEvidence.ts';

/** An event, and when the controller recorded it. */
export type SeenEvent = {readonly event: ClusterEvent; readonly at: Interval};

/** The nodes that one pass registered, by its RegisteredNode events. */
export type Registration = {
	/** The first of the events: the pass began then, or a moment before. */
	readonly first: SeenEvent;
	readonly nodes: ReadonlySet<string>;
};

/** How far apart the clocks of the control plane's machines may be. */
const trustedClock: Duration = second / 10;
/** The registrations of one pass are this close together, even if it removes taints in between. */
const withinPass: Duration = 4 * second;
/** Observations are used for this long, while each pass adds to their uncertainty; the API server keeps events as long. */
export const keptFor: Duration = 60 * minute;
/** Old events are dropped each time this many have come. */
const pruneEvery = 1000;

/** A node older than this was registered before, unless the controllers are new. */
const oldAfter: Duration = 10 * minute;

/**
 * Keeps the controllers' events. Recorders drop events, so a missing one proves nothing; and events wait in a queue, so
 * they may come late. Their times are by the clock of the controllers' machine, and are ignored where that is wrong.
 */
export class EventEvidence {
	/** Whether the clock of the controllers' machine agrees with the API server's, as far as is known. */
	isClockRight = true;
	readonly #notReady = new Map<string, readonly SeenEvent[]>();
	readonly #registered = new Map<string, SeenEvent>();
	/** The last event of each reason about each object. */
	readonly #last = new Map<string, SeenEvent>();
	/** Undefined after a new registration, until the next read. */
	#registrations: readonly Registration[] | undefined;
	#latestEviction: SeenEvent | undefined;
	#taken = 0;

	/** Takes in an event; returns false if it is not new, or its time is impossible. */
	take(event: ClusterEvent): boolean {
		// The event is dated after the API server stored it: the clock of its controller is wrong.
		if (event.first.at > event.createdAt + second + trustedClock) return false;
		const {reason, about} = event;
		const seen = {event, at: recordedIn(event.last)};
		this.#taken += 1;
		if (this.#taken % pruneEvery === 0) this.#prune(seen.at.lo - keptFor);
		if (reason === 'NodeNotReady') return this.#takeNotReady(seen);
		if (reason === 'RegisteredNode') {
			const key = `${about} ${event.name}`;
			if (this.#registered.has(key)) return false;
			this.#registered.set(key, seen);
			this.#registrations = undefined;
			return true;
		}
		const isEviction = reason === 'MarkingForDeletion' || reason === 'CancellingDeletion';
		if (isEviction && seen.at.hi > (this.#latestEviction?.at.hi ?? beginningOfTime))
			this.#latestEviction = seen;
		const before = this.#last.get(`${reason} ${about}`);
		if (before && before.at.lo >= seen.at.lo) return false;
		this.#last.set(`${reason} ${about}`, seen);
		return true;
	}

	/** When passes turned a ready node Unknown, by the NodeNotReady events. */
	notReady(node: string): readonly SeenEvent[] {
		return (this.isClockRight && this.#notReady.get(node)) || [];
	}

	/**
	 * The last event of a reason about a node or a pod. `DeletingNode` is dated by another clock than the controllers'.
	 * `DeletingAllPods`, without taints, is repeated in every pass.
	 */
	last(reason: ClusterEvent['reason'], about: string): SeenEvent | undefined {
		const isRight = this.isClockRight || reason === 'DeletingNode';
		return isRight ? this.#last.get(`${reason} ${about}`) : undefined;
	}

	/** The last event of the taint-eviction controller. */
	get latestEviction(): SeenEvent | undefined {
		return this.#latestEviction;
	}

	/** The passes that registered nodes, the oldest first. */
	get registrations(): readonly Registration[] {
		this.#registrations ??= groupsOf([...this.#registered.values()]);
		return this.isClockRight ? this.#registrations : [];
	}

	/**
	 * The first pass of the running controllers, if events show it: it registered at least half of the nodes that existed
	 * before.
	 *
	 * @param acquired when the leader took its lease; undefined if that cannot be seen
	 */
	firstPass(
		nodes: ReadonlyMap<string, NodeEvidence>,
		acquired: Interval | undefined,
	): Registration | undefined {
		return this.registrations.findLast((pass) => {
			const {lo} = pass.first.at;
			if (acquired !== undefined && pass.first.at.hi < acquired.lo) return false;
			const before = acquired?.lo ?? lo - oldAfter;
			let [old, met] = [0, 0];
			for (const {node} of nodes.values()) {
				if (node.createdAt + second > before) continue;
				old += 1;
				if (pass.nodes.has(node.name)) met += 1;
			}
			return met > 0 && 2 * met >= old;
		});
	}

	#takeNotReady({event, at}: SeenEvent): boolean {
		const known = this.#notReady.get(event.about) ?? [];
		const times = [recordedIn(event.first), at];
		const isNew = (time: Interval) => known.every((one) => one.at.lo !== time.lo);
		const fresh = times.filter((time, index) => isNew(time) && (index === 0 || time.lo !== times[0]?.lo));
		if (fresh.length === 0) return false;
		this.#notReady.set(event.about, [...known, ...fresh.map((time) => ({event, at: time}))]);
		return true;
	}

	/** Drops events that the API server has dropped too: a watch may run for months. */
	#prune(oldest: Instant) {
		for (const known of [this.#registered, this.#last])
			for (const [key, {at}] of known) if (at.hi < oldest) known.delete(key);
		for (const [node, seen] of this.#notReady) {
			const recent = seen.filter(({at}) => at.hi >= oldest);
			if (recent.length === 0) this.#notReady.delete(node);
			else this.#notReady.set(node, recent);
		}
		this.#registrations = undefined;
	}
}

const recordedIn = ({at, precision}: EventTime): Interval => ({
	lo: at - trustedClock,
	hi: at + precision + trustedClock,
});

function groupsOf(registered: readonly SeenEvent[]): readonly Registration[] {
	const groups: {first: SeenEvent; last: Instant; nodes: Set<string>}[] = [];
	for (const seen of registered.toSorted(ascending(({at}) => at.lo))) {
		const group = groups.at(-1);
		if (group && seen.at.lo - group.last < withinPass) {
			group.nodes.add(seen.event.about);
			group.last = seen.at.lo;
		} else {
			groups.push({first: seen, last: seen.at.lo, nodes: new Set([seen.event.about])});
		}
	}
	return groups;
}
