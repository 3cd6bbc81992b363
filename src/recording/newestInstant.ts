import {decodeTime} from '../cluster/decodeTime.ts';
import {entriesOf, fieldsOf} from '../cluster/rawJson.ts';
import type {Instant} from '../core/time/instant.ts';

type Part = {lastHeartbeatTime: unknown; lastTransitionTime: unknown; timeAdded: unknown};
type Metadata = {creationTimestamp: unknown};
type Spec = {renewTime: unknown; taints: unknown};
type Status = {conditions: unknown};

/**
 * The newest time that raw nodes, pods, leases and events tell of: heartbeats, transitions of conditions, renewals, taints
 * and creations. All lie in the past of whoever wrote them down; a deletionTimestamp does not. Zero where there is none.
 */
export function newestInstant(objects: readonly unknown[]): Instant {
	return objects.reduce<Instant>((newest, object) => Math.max(newest, newestOf(object)), 0);
}

function newestOf(value: unknown): Instant {
	const object = fieldsOf<{metadata: unknown; spec: unknown; status: unknown}>(value);
	const {renewTime, taints} = fieldsOf<Spec>(object.spec);
	const {conditions} = fieldsOf<Status>(object.status);
	const parts = [...entriesOf(conditions), ...entriesOf(taints)].map((part) => fieldsOf<Part>(part));
	const times = [
		fieldsOf<Metadata>(object.metadata).creationTimestamp,
		renewTime,
		...parts.flatMap((part) => [part.lastHeartbeatTime, part.lastTransitionTime, part.timeAdded]),
	];
	return Math.max(0, ...times.map((time) => decodeTime(time) ?? 0));
}
