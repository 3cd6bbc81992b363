import type {ControllerSettings} from '../../model/controllerSettings.ts';
import type {Duration, Instant} from '../../time/instant.ts';
import {RateLimitedTimedQueue} from './rateLimitedTimedQueue.ts';
import {HeapOrder, RandomOrder} from './waitingOrder.ts';
import {computeZoneState, evictionRate, type ZoneCount, type ZoneState} from './zoneState.ts';

/** The counted nodes of each zone, from one monitor pass. */
export type CountByZone = ReadonlyMap<string, ZoneCount>;

type Disruption =
	| 'some zones work'
	| 'entering master disruption'
	| 'leaving master disruption'
	| 'still all down';

type Settings = Pick<
	ControllerSettings,
	| 'nodeEvictionRate'
	| 'secondaryNodeEvictionRate'
	| 'largeClusterSizeThreshold'
	| 'unhealthyZoneThreshold'
	| 'requeuesWaitingNodes'
	| 'taintBasedEvictions'
>;

/**
 * The state of every zone, and its queue of nodes that wait for a NoExecute taint.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go handleDisruption
 */
export class Zones {
	readonly #settings: Settings;
	/** A zone without nodes loses its state but keeps its queue. It has an empty state for the pass in which it vanished. */
	#states = new Map<string, ZoneState | ''>();
	#queues = new Map<string, RateLimitedTimedQueue>();
	#counts = new Map<string, ZoneCount>();

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	/** Adds a state and a queue, with a full token bucket, for a zone that has none. */
	add(zone: string) {
		if (this.#states.has(zone)) return;
		this.#states.set(zone, 'Initial');
		const {nodeEvictionRate, requeuesWaitingNodes, taintBasedEvictions} = this.#settings;
		const order = requeuesWaitingNodes && taintBasedEvictions ? new RandomOrder() : new HeapOrder();
		this.#queues.set(zone, new RateLimitedTimedQueue(nodeEvictionRate, order));
	}

	queue(zone: string): RateLimitedTimedQueue | undefined {
		return this.#queues.get(zone);
	}

	/** The zones that have a queue, including vanished ones. */
	get queued(): readonly string[] {
		return [...this.#queues.keys()];
	}

	get someWait(): boolean {
		for (const queue of this.#queues.values()) if (queue.size > 0) return true;
		return false;
	}

	/** The zones whose queue is not empty. */
	get waiting(): readonly string[] {
		const zones: string[] = [];
		for (const [zone, queue] of this.#queues) if (queue.size > 0) zones.push(zone);
		return zones;
	}

	/** The time until a limiter lets a waiting node through; zero if one does so now. */
	waitAt(now: Instant): Duration {
		let least = Number.POSITIVE_INFINITY;
		for (const {size, limiter} of this.#queues.values())
			if (size > 0) least = Math.min(least, limiter.waitAt(now));
		return least;
	}

	state(zone: string): ZoneState | '' | undefined {
		return this.#states.get(zone);
	}

	/** Sets a zone's state without changing its limiter, for a controller that starts in the middle of a pass. */
	setState(zone: string, state: ZoneState) {
		this.add(zone);
		this.#states.set(zone, state);
	}

	/** Updates the counts of all zones; returns what that means for the cluster as a whole. */
	count(counts: CountByZone): Disruption {
		let allAreDown = true;
		for (const [zone, counted] of counts) {
			this.#counts.set(zone, counted);
			if (computeZoneState(counted, this.#settings.unhealthyZoneThreshold) !== 'FullDisruption')
				allAreDown = false;
			if (!this.#states.has(zone)) this.#states.set(zone, 'Initial');
		}
		const allWereDown = this.#forgetVanishedZones(counts);
		if (allAreDown) return allWereDown ? 'still all down' : 'entering master disruption';
		return allWereDown ? 'leaving master disruption' : 'some zones work';
	}

	stopAll(now: Instant) {
		for (const zone of this.#states.keys()) {
			this.#queues.get(zone)?.swapLimiter(0, now);
			this.#states.set(zone, 'FullDisruption');
		}
	}

	/** Sets every zone to its new state; the limiter changes only with the state, or always if `force` is set. */
	apply(counts: CountByZone, force: boolean, now: Instant) {
		for (const [zone, before] of this.#states) {
			const counted = counts.get(zone);
			const state = counted ? computeZoneState(counted, this.#settings.unhealthyZoneThreshold) : '';
			if (before === state && !force) continue;
			if (counted && state !== '') {
				const rate = evictionRate(state, counted.size, this.#settings);
				this.#queues.get(zone)?.swapLimiter(rate, now);
			}
			this.#states.set(zone, state);
		}
	}

	/** All zones, each with the rate of its current limiter; a stopped one reports 1. */
	get views() {
		return [...this.#states].map(([zone, state]) => {
			const {size, notReady} = this.#counts.get(zone) ?? {size: 0, notReady: 0};
			const queue = this.#queues.get(zone);
			return {zone, state, size, notReady, qps: queue?.limiter.qps ?? 0, queue: queue?.values ?? []};
		});
	}

	fork(): Zones {
		const copy = new Zones(this.#settings);
		copy.#states = new Map(this.#states);
		copy.#queues = new Map([...this.#queues].map(([zone, queue]) => [zone, queue.fork()]));
		copy.#counts = new Map(this.#counts);
		return copy;
	}

	/**
	 * Whether every zone was fully disrupted before; removes zones without nodes on the way.
	 *
	 * @quirk the walk ends at the first zone that was not down; vanished ones behind it are kept for another pass
	 * @quirk where the last zone that worked vanishes, the others count as having been down before, and go on
	 */
	#forgetVanishedZones(counts: CountByZone): boolean {
		for (const [zone, state] of this.#states) {
			if (!counts.has(zone)) {
				this.#states.delete(zone);
				this.#counts.set(zone, {size: 0, notReady: 0});
			} else if (state !== 'FullDisruption') {
				return false;
			}
		}
		return true;
	}
}
