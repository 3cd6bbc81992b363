import {type RawEvent, subjectOf} from '../../cluster/codec/decodeEvent.ts';
import {decodeTime, entriesOf, type Fields, fieldsOf, partsOf, textOf} from '../../cluster/codec/rawJson.ts';
import {controllerManagerLease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import type {DumpedObject} from '../format/dumpedObjects.ts';

/** A past time in an object, and the clock that wrote it. */
export type Timestamp = {
	readonly at: Instant;
	/**
	 * `server`: the API server or the controllers, which write all the time; `once`: the same, of a single event such as a
	 * creation or a taint; `kubelet`: the named node's kubelet; `other`: anything else, about that node.
	 */
	readonly clock: 'server' | 'once' | 'kubelet' | 'other';
	readonly node: string;
};

/** All past times in raw objects. A deletionTimestamp is in the future, but the request was its grace period earlier. */
export function timestampsOf(objects: readonly DumpedObject[]): readonly Timestamp[] {
	return objects.flatMap(({kind, object}) => {
		const {metadata, spec, status} = partsOf<AnyObject>(object);
		const [name, namespace] = [textOf(metadata.name), textOf(metadata.namespace)];
		const node = kind === 'Pod' ? textOf(spec.nodeName) : name;
		const writes = entriesOf(metadata.managedFields).map((entry) => fieldsOf<{time: unknown}>(entry).time);
		const found = (clock: Timestamp['clock'], ...times: readonly unknown[]): readonly Timestamp[] =>
			times.flatMap((time) => {
				const at = decodeTime(time);
				return at === undefined ? [] : [{at, clock, node}];
			});
		const deleted = decodeTime(metadata.deletionTimestamp);
		const grace = metadata.deletionGracePeriodSeconds;
		const isDeleted = deleted !== undefined && typeof grace === 'number';
		return [
			...found('once', metadata.creationTimestamp),
			...(isDeleted ? [{at: deleted - grace * second, clock: 'once', node} as const] : []),
			...found('server', ...writes),
			...found(holderClock(kind, namespace, name, writes.length > 0), spec.renewTime),
			...entriesOf(spec.taints).flatMap((entry) => {
				const {key, timeAdded} = fieldsOf<{key: unknown; timeAdded: unknown}>(entry);
				// The node lifecycle controller adds and dates these.
				return found(textOf(key).startsWith('node.kubernetes.io/') ? 'once' : 'other', timeAdded);
			}),
			...entriesOf(status.conditions).flatMap((entry) => {
				const condition = fieldsOf<Condition>(entry);
				const {lastHeartbeatTime, lastTransitionTime} = condition;
				return [
					...found('kubelet', lastHeartbeatTime),
					...found(node === '' ? 'other' : writerOf(kind, condition), lastTransitionTime),
				];
			}),
			...(kind === 'Event' ? found('once', lastByController(object)) : []),
		];
	});
}

type AnyObject = {
	spec: Record<'nodeName' | 'renewTime' | 'taints', unknown>;
	status: {conditions: unknown};
};

type Condition = Record<'type' | 'status' | 'reason' | 'lastHeartbeatTime' | 'lastTransitionTime', unknown>;

/** The clock that renews a lease. API servers' own leases have their names, and are renewed every ten seconds. */
function holderClock(kind: string, namespace: string, name: string, isDated: boolean): Timestamp['clock'] {
	if (kind === 'Lease' && namespace === nodeLeaseNamespace) return 'kubelet';
	// If the API server dates the renewal, the holder's time is not needed.
	if (kind !== 'Lease' || isDated) return 'other';
	const isServers = name === controllerManagerLease.name || /^(kube-)?apiserver-/.test(name);
	return namespace === controllerManagerLease.namespace && isServers ? 'server' : 'other';
}

/** The clock that dated the transition of a condition. */
function writerOf(kind: string, {type, status, reason}: Fields<Condition>): Timestamp['clock'] {
	if (kind === 'Node') return status === 'Unknown' ? 'once' : 'kubelet';
	if (kind !== 'Pod') return 'other';
	const isOfKubelet = type !== 'DisruptionTarget' || reason === 'TerminationByKubelet';
	return type === 'PodScheduled' || !isOfKubelet ? 'once' : status === 'Unknown' ? 'other' : 'kubelet';
}

/** When a controller last reported what an event says. */
function lastByController(value: unknown): unknown {
	const event = fieldsOf<RawEvent>(value);
	const isOfController = subjectOf(event).source.endsWith('-controller');
	return isOfController ? (event.lastTimestamp ?? event.deprecatedLastTimestamp) : undefined;
}
