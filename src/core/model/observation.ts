import type {PressureNews} from '../nodepressure/pressureLook.ts';
import type {Instant} from '../time/instant.ts';
import type {ClusterEvent} from './clusterEvent.ts';
import type {DeviceKind, DeviceObject} from './device.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {Pod} from './pod.ts';
import type {Problem} from './problem.ts';
import type {RepairObject} from './repairObject.ts';
import type {Related} from './workloads/related.ts';

/** Something the API server told us. Deletions carry the key alone. */
export type Observation =
	| {readonly type: 'nodeApplied'; readonly node: Node}
	| {readonly type: 'nodeDeleted'; readonly name: string}
	| {readonly type: 'podApplied'; readonly pod: Pod}
	| {readonly type: 'podDeleted'; readonly namespace: string; readonly name: string}
	| {readonly type: 'leaseApplied'; readonly lease: Lease}
	| {readonly type: 'leaseDeleted'; readonly namespace: string; readonly name: string}
	| {readonly type: 'eventApplied'; readonly event: ClusterEvent}
	| {readonly type: 'deviceObjectApplied'; readonly object: DeviceObject}
	/** By its namespace, where it has one, and its name. */
	| {readonly type: 'deviceObjectDeleted'; readonly kind: DeviceKind; readonly key: string}
	/** Events are kept for an hour; that one is gone tells nothing. */
	| {readonly type: 'eventDeleted'; readonly namespace: string; readonly name: string}
	| {readonly type: 'repairApplied'; readonly object: RepairObject}
	/** The key is that of `repairKey`. */
	| {readonly type: 'repairDeleted'; readonly key: string};

/** What a batch of observations is, where it is not what happened just now. */
export type Provenance =
	/** Nobody watched when it happened: at some instant since then. Nothing is missing. */
	| {readonly type: 'late'; readonly since: Instant}
	/** It was read late: what has kept this program from reading began then, and it happened at some instant since. */
	| {readonly type: 'delayed'; readonly since: Instant}
	/** These objects were never looked at before: the batch tells how they are, not that anything happened. */
	| {readonly type: 'firstLook'}
	/** Not all was seen that happened since then: only what came of it, which the batch tells. */
	| {readonly type: 'historyLost'; readonly since: Instant}
	/** Nothing is seen of some collection since then; without an instant, all is seen again. The batch is empty. */
	| {readonly type: 'watchLost'; readonly since: Instant | undefined}
	/**
	 * The API server answers, and all is seen up to this instant. Whoever says so once says so every few seconds in which
	 * nothing happens: from then on a silence that nobody confirms proves nothing.
	 */
	| {readonly type: 'confirmed'};

/** What is told of a cluster at an instant, by the clock of whoever watches. */
export type SinkEntry = {readonly at: Instant} & (
	| {
			readonly type: 'batch';
			readonly observations: readonly Observation[];
			readonly provenance?: Provenance | undefined;
	  }
	/** All that is wrong with what is seen, from here on. */
	| {readonly type: 'problems'; readonly problems: readonly Problem[]}
	/** What belongs to pods from here on: their owners, budgets, services, volumes. */
	| {readonly type: 'related'; readonly related: Related}
	/** What kubelets tell of pressure: it says nothing of the watches, so that it is no observation. */
	| {readonly type: 'pressure'; readonly news: PressureNews}
);

/** Observations that came together. */
export const batch = (
	observations: readonly Observation[],
	at: Instant,
	provenance?: Provenance,
): Extract<SinkEntry, {type: 'batch'}> => ({type: 'batch', observations, at, provenance});

/** Whether the API server was heard: it told of something, or confirmed that there is nothing. */
export const isHeard = (entry: SinkEntry): boolean =>
	entry.type === 'batch' && (entry.observations.length > 0 || entry.provenance?.type === 'confirmed');

/** Takes in what is seen of a cluster, as it is seen, or as a recording tells it. */
export type ObservationSink = {push(entry: SinkEntry): void};
