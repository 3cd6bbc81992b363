import type {ClusterEvent, EventTime} from '../../core/model/clusterEvent.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodes/nodeEvidence.ts';

/** An event, and when the controller recorded it. */
export type SeenEvent = {readonly event: ClusterEvent; readonly at: Interval};

/** The nodes that one pass met for the first time, by what it reported; the first comes first. */
export type Registration = {
	/** The first of them: the pass began then, or a moment before. */
	readonly first: SeenEvent;
	readonly nodes: ReadonlySet<string>;
};

/** How far the clocks of the control plane's machines are trusted to agree. */
const trustedClock: Duration = second / 10;
/** The registrations of one pass are no farther apart, even where it takes off taints in between. */
const withinPass: Duration = 4 * second;
/** The API server keeps events for an hour. */
const keptFor: Duration = 60 * minute;
/** How often old ones are looked for, in events. */
const pruneEvery = 1000;

/** A node that has been there for so long was met before, unless the controllers are new. */
const oldAfter: Duration = 10 * minute;

/**
 * What the controllers reported. Their recorders drop events, so that nothing follows from one that is missing; and one
 * may come late, since it waits for its turn. Their times are those of the controllers' machine: where its clock is
 * wrong, they are not used.
 */
export class EventEvidence {
	/** Whether the clock of the controllers' machine agrees with the API server's, as far as is known. */
	isClockRight = true;
	readonly #notReady = new Map<string, readonly SeenEvent[]>();
	readonly #registered = new Map<string, SeenEvent>();
	readonly #evicted = new Map<string, SeenEvent>();
	readonly #evictedPods = new Map<string, SeenEvent>();
	readonly #marked = new Map<string, SeenEvent>();
	readonly #cancelled = new Map<string, SeenEvent>();
	/** Worked out anew after a registration. */
	#registrations: readonly Registration[] | undefined;
	#latestEviction: SeenEvent | undefined;
	#taken = 0;

	/** Takes in an event; false where it tells nothing new. */
	take(event: ClusterEvent): boolean {
		// The API server cannot have taken it before it was recorded: the clock of its controller is wrong.
		if (event.first.at > event.createdAt + second + trustedClock) return false;
		const seen = {event, at: recordedIn(event.last)};
		this.#taken += 1;
		if (this.#taken % pruneEvery === 0) this.#prune(seen.at.lo - keptFor);
		switch (event.reason) {
			case 'RegisteredNode': {
				const key = `${event.about} ${event.name}`;
				if (this.#registered.has(key)) return false;
				this.#registered.set(key, seen);
				this.#registrations = undefined;
				return true;
			}
			case 'NodeNotReady':
				return this.#takeNotReady(seen);
			case 'DeletingAllPods':
				return takeLatest(this.#evicted, seen);
			case 'NodeControllerEviction':
				return takeLatest(this.#evictedPods, seen);
			case 'MarkingForDeletion':
				this.#takeEviction(seen);
				return takeLatest(this.#marked, seen);
			case 'CancellingDeletion':
				this.#takeEviction(seen);
				return takeLatest(this.#cancelled, seen);
		}
	}

	/** When passes turned a node that was ready Unknown, as reported. */
	notReady(node: string): readonly SeenEvent[] {
		return (this.isClockRight && this.#notReady.get(node)) || [];
	}

	/** When the pods of a node were first and last deleted without taints: the event comes again in every pass. */
	evicted(node: string): SeenEvent | undefined {
		return this.isClockRight ? this.#evicted.get(node) : undefined;
	}

	/** The last try to delete a pod with its node, without taints. */
	evictedWithNode(pod: string): SeenEvent | undefined {
		return this.isClockRight ? this.#evictedPods.get(pod) : undefined;
	}

	/** The last try to delete a pod. */
	marked(pod: string): SeenEvent | undefined {
		return this.isClockRight ? this.#marked.get(pod) : undefined;
	}

	/** When a countdown of a pod was last called off. */
	cancelled(pod: string): SeenEvent | undefined {
		return this.isClockRight ? this.#cancelled.get(pod) : undefined;
	}

	/** The last that the taint-eviction controller reported. */
	get latestEviction(): SeenEvent | undefined {
		return this.#latestEviction;
	}

	/** The passes that met nodes for the first time, the oldest first. */
	get registrations(): readonly Registration[] {
		this.#registrations ??= groupsOf([...this.#registered.values()]);
		return this.isClockRight ? this.#registrations : [];
	}

	/**
	 * The first pass of the controllers that run now, where it shows: it met nodes that were there long before, and most
	 * of them.
	 *
	 * @param acquired when the leader took its lease; undefined where that cannot be seen
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

	/** Lets go of what is older than the API server keeps it: a watch may last for months. */
	#prune(oldest: Instant): void {
		for (const known of [this.#registered, this.#evicted, this.#evictedPods, this.#marked, this.#cancelled]) {
			for (const [key, {at}] of known) if (at.hi < oldest) known.delete(key);
		}
		for (const [node, seen] of this.#notReady) {
			const recent = seen.filter(({at}) => at.hi >= oldest);
			if (recent.length === 0) this.#notReady.delete(node);
			else this.#notReady.set(node, recent);
		}
		this.#registrations = undefined;
	}

	#takeEviction(seen: SeenEvent): void {
		if (!this.#latestEviction || seen.at.hi > this.#latestEviction.at.hi) this.#latestEviction = seen;
	}
}

const recordedIn = ({at, precision}: EventTime): Interval => ({
	lo: at - trustedClock,
	hi: at + precision + trustedClock,
});

function takeLatest(known: Map<string, SeenEvent>, seen: SeenEvent): boolean {
	const before = known.get(seen.event.about);
	if (before && before.at.lo >= seen.at.lo) return false;
	known.set(seen.event.about, seen);
	return true;
}

function groupsOf(registered: readonly SeenEvent[]): readonly Registration[] {
	const groups: {first: SeenEvent; last: Instant; nodes: Set<string>}[] = [];
	for (const seen of registered.toSorted((a, b) => a.at.lo - b.at.lo)) {
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
