import type {ControllerSettings} from '../../model/controllerSettings.ts';
import type {Duration, Instant} from '../../time/instant.ts';
import {RateLimitedTimedQueue} from './rateLimitedTimedQueue.ts';
import {ChanceOrder, HeapOrder} from './waitingOrder.ts';
import {computeZoneState, evictionRate, type ZoneCount, type ZoneState} from './zoneState.ts';

/** The nodes that count for each zone, as one monitor pass found them. */
export type CountByZone = ReadonlyMap<string, ZoneCount>;

/** The controller's view of one zone. */
type ZoneView = {
	readonly zone: string;
	readonly state: ZoneState | '';
	readonly size: number;
	readonly notReady: number;
	/** Of the limiter in force; a stopped one reports 1. */
	readonly qps: number;
	readonly queue: readonly string[];
};

/** What a pass finds when it compares the zones with how they were. */
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
	/** A zone that vanished loses its state, never its queue. The empty state is one that vanished in a pass. */
	#states = new Map<string, ZoneState | ''>();
	#queues = new Map<string, RateLimitedTimedQueue>();
	#counts = new Map<string, ZoneCount>();

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	has(zone: string): boolean {
		return this.#states.has(zone);
	}

	/** Makes a state and a queue for a zone that has none; its bucket is full. */
	add(zone: string): void {
		if (this.#states.has(zone)) return;
		this.#states.set(zone, 'Initial');
		const {nodeEvictionRate, requeuesWaitingNodes, taintBasedEvictions} = this.#settings;
		const order = requeuesWaitingNodes && taintBasedEvictions ? new ChanceOrder() : new HeapOrder();
		this.#queues.set(zone, new RateLimitedTimedQueue(nodeEvictionRate, order));
	}

	queue(zone: string): RateLimitedTimedQueue | undefined {
		return this.#queues.get(zone);
	}

	/** The zones that have a queue, vanished ones included. */
	get queued(): readonly string[] {
		return [...this.#queues.keys()];
	}

	/** Whether a node waits in any queue. */
	get someWait(): boolean {
		for (const queue of this.#queues.values()) if (queue.size > 0) return true;
		return false;
	}

	/** The zones in whose queue a node waits. */
	get waiting(): readonly string[] {
		const zones: string[] = [];
		for (const [zone, queue] of this.#queues) if (queue.size > 0) zones.push(zone);
		return zones;
	}

	/** How long it takes until a limiter lets a node through that waits; zero where one does so now. */
	waitAt(now: Instant): Duration {
		let least = Number.POSITIVE_INFINITY;
		for (const {size, limiter} of this.#queues.values())
			if (size > 0) least = Math.min(least, limiter.waitAt(now));
		return least;
	}

	state(zone: string): ZoneState | '' | undefined {
		return this.#states.get(zone);
	}

	/** Puts a zone into a state without touching its limiter: for a machine that starts in the middle of things. */
	setState(zone: string, state: ZoneState): void {
		this.add(zone);
		this.#states.set(zone, state);
	}

	/** Counts the nodes of each zone and tells what that means for the cluster as a whole. */
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

	/** Stops the evictions of every zone. */
	stopAll(now: Instant): void {
		for (const zone of this.#states.keys()) {
			this.#queues.get(zone)?.swapLimiter(0, now);
			this.#states.set(zone, 'FullDisruption');
		}
	}

	/** Brings every zone to its new state; its limiter changes with the state only, or always where `force` says so. */
	apply(counts: CountByZone, force: boolean, now: Instant): void {
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

	get views(): readonly ZoneView[] {
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
	 * Tells whether every zone was down before, forgetting zones without nodes on the way.
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
