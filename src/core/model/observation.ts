import type {PressureNews} from '../nodepressure/pressureLook.ts';
import type {Instant} from '../time/instant.ts';
import type {ClusterEvent} from './clusterEvent.ts';
import {type DeviceKind, type DeviceObject, deviceObjectKey} from './device.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {ObjectName} from './objectName.ts';
import {type Pod, podKey} from './pod.ts';
import type {Problem} from './problem.ts';
import {type RepairObject, repairKey} from './repairObject.ts';
import type {Related} from './workloads/related.ts';

/** A change that the API server reported. Deletions carry only the key. */
export type Observation =
	| {readonly type: 'nodeApplied'; readonly node: Node}
	| {readonly type: 'nodeDeleted'; readonly name: string}
	| {readonly type: 'podApplied'; readonly pod: Pod}
	| ({readonly type: 'podDeleted'} & ObjectName)
	| ({readonly type: 'leaseDeleted'} & ObjectName)
	| ({readonly type: 'eventDeleted'} & ObjectName)
	| {readonly type: 'leaseApplied'; readonly lease: Lease}
	| {readonly type: 'eventApplied'; readonly event: ClusterEvent}
	| {readonly type: 'deviceObjectApplied'; readonly object: DeviceObject}
	/** The key is the namespace, if the kind has one, and the name. */
	| {readonly type: 'deviceObjectDeleted'; readonly kind: DeviceKind; readonly key: string}
	/** The API server keeps events for an hour, so a deleted event proves nothing. */
	| {readonly type: 'repairApplied'; readonly object: RepairObject}
	/** The key is that of `repairKey`. */
	| {readonly type: 'repairDeleted'; readonly key: string};

/** What an observation is about: no object if it is deleted. What shows who repairs nodes is of several kinds, which its key has. */
type ObservedObject = {
	readonly kind: 'Node' | 'Pod' | 'Lease' | 'Event' | 'Repair' | DeviceKind;
	readonly key: string;
	readonly object?: object;
};

export function subjectOf(observation: Observation): ObservedObject {
	switch (observation.type) {
		case 'nodeApplied':
			return {kind: 'Node', key: observation.node.name, object: observation.node};
		case 'nodeDeleted':
			return {kind: 'Node', key: observation.name};
		case 'podApplied':
			return {kind: 'Pod', key: podKey(observation.pod), object: observation.pod};
		case 'podDeleted':
			return {kind: 'Pod', key: podKey(observation)};
		case 'leaseApplied':
			return {kind: 'Lease', key: podKey(observation.lease), object: observation.lease};
		case 'leaseDeleted':
			return {kind: 'Lease', key: podKey(observation)};
		case 'eventApplied':
			return {kind: 'Event', key: podKey(observation.event), object: observation.event};
		case 'eventDeleted':
			return {kind: 'Event', key: podKey(observation)};
		case 'deviceObjectApplied': {
			const {object} = observation;
			return {kind: object.kind, key: deviceObjectKey(object), object};
		}
		case 'repairApplied':
			return {kind: 'Repair', key: repairKey(observation.object), object: observation.object};
		case 'deviceObjectDeleted':
			return observation;
		case 'repairDeleted':
			return {kind: 'Repair', key: observation.key};
	}
}

/** How a batch of observations came about, if it is not what happened just now. */
export type Provenance =
	/** It happened at some time since then, while no watch was open. Nothing is missing. */
	| {readonly type: 'late'; readonly since: Instant}
	/** It happened at some time since then, when something began to keep this program from reading. */
	| {readonly type: 'delayed'; readonly since: Instant}
	/**
	 * These objects are seen for the first time: the batch shows their state, not a change. Of the unseen nodes it only shows
	 * that they are there, as of a file with some nodes of a cluster.
	 */
	| {readonly type: 'firstLook'; readonly unseenNodes?: readonly string[] | undefined}
	/** Changes since then were missed; the batch shows only their result. */
	| {readonly type: 'historyLost'; readonly since: Instant}
	/** Some collection has been unobserved since then; without an instant, everything is observed again. The batch is empty. */
	| {readonly type: 'watchLost'; readonly since: Instant | undefined}
	/**
	 * The API server answers, and everything is seen up to this instant. A source that sends this once sends it every
	 * few seconds of quiet; from then on, silence without it proves nothing.
	 */
	| {readonly type: 'confirmed'};

/** One entry of the stream of a cluster's data, dated by the observer's clock. */
export type SinkEntry = {readonly at: Instant} & (
	| {
			readonly type: 'batch';
			readonly observations: readonly Observation[];
			readonly provenance?: Provenance | undefined;
	  }
	| {readonly type: 'problems'; readonly problems: readonly Problem[]}
	/** The current owners, budgets, services and volumes of pods. */
	| {readonly type: 'related'; readonly related: Related}
	/** Kubelets' reports of pressure. They do not show that watches work, so they are no observation. */
	| {readonly type: 'pressure'; readonly news: PressureNews}
);

/** An entry for observations that arrived together. */
export const batch = (
	observations: readonly Observation[],
	at: Instant,
	provenance?: Provenance,
): Extract<SinkEntry, {type: 'batch'}> => ({type: 'batch', observations, at, provenance});

/** Whether an entry shows that the API server answers: it reports something, or confirms that nothing happened. */
export const isHeard = (entry: SinkEntry) =>
	entry.type === 'batch' && (entry.observations.length > 0 || entry.provenance?.type === 'confirmed');

/** Receives the stream of a cluster's data, live or from a recording. */
export type ObservationSink = {push(entry: SinkEntry): void};
