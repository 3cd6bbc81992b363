import {decodeTime, entriesOf, fieldsOf, textOf} from '../../cluster/codec/rawJson.ts';
import {controllerManagerLease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {DumpedObject} from '../format/dumpedObjects.ts';

/** A past time in an object, and the clock that wrote it. */
export type Timestamp = {
	readonly at: Instant;
	/**
	 * `creation`: the API server's, once; `server`: the API server or the controllers, which write all the time; `kubelet`:
	 * the named node's kubelet; `other`: anything else, about that node.
	 */
	readonly clock: 'creation' | 'server' | 'kubelet' | 'other';
	readonly node: string;
};

/** All past times in raw nodes, pods and leases. A deletionTimestamp is in the future, and left out. */
export function timestampsOf(objects: readonly DumpedObject[]): readonly Timestamp[] {
	return objects.flatMap(({kind, object}) => {
		const {metadata, spec, status} = fieldsOf<{metadata: unknown; spec: unknown; status: unknown}>(object);
		const {name, namespace, creationTimestamp, managedFields} =
			fieldsOf<Record<'name' | 'namespace' | 'creationTimestamp' | 'managedFields', unknown>>(metadata);
		const {renewTime, taints, nodeName} = fieldsOf<{renewTime: unknown; taints: unknown; nodeName: unknown}>(
			spec,
		);
		const node = textOf(kind === 'Pod' ? nodeName : name);
		const writes = entriesOf(managedFields).map((entry) => fieldsOf<{time: unknown}>(entry).time);
		const found = (clock: Timestamp['clock'], ...times: readonly unknown[]): readonly Timestamp[] =>
			times.flatMap((time) => {
				const at = decodeTime(time);
				return at === undefined ? [] : [{at, clock, node}];
			});
		return [
			...found('creation', creationTimestamp),
			...found('server', ...writes),
			...found(holderClock(kind, textOf(namespace), textOf(name), writes.length > 0), renewTime),
			...found('other', ...entriesOf(taints).map((taint) => fieldsOf<{timeAdded: unknown}>(taint).timeAdded)),
			...entriesOf(fieldsOf<{conditions: unknown}>(status).conditions).flatMap((one) => {
				const condition =
					fieldsOf<Record<'type' | 'status' | 'lastHeartbeatTime' | 'lastTransitionTime', unknown>>(one);
				const {lastHeartbeatTime, lastTransitionTime} = condition;
				return [
					...found('kubelet', lastHeartbeatTime),
					...found(isOwn(condition) && node !== '' ? 'kubelet' : 'other', lastTransitionTime),
				];
			}),
		];
	});
}

/** The clock that renews a lease. API servers' own leases have their names, and are renewed every ten seconds. */
function holderClock(kind: string, namespace: string, name: string, isDated: boolean): Timestamp['clock'] {
	if (kind === 'Lease' && namespace === nodeLeaseNamespace) return 'kubelet';
	// If the API server dates the renewal, the holder's time is not needed.
	if (kind !== 'Lease' || isDated) return 'other';
	const isServers = name === controllerManagerLease.name || /^(kube-)?apiserver-/.test(name);
	return namespace === controllerManagerLease.namespace && isServers ? 'server' : 'other';
}

/** Whether the kubelet set a condition: Unknown is set by a controller, PodScheduled by the scheduler. */
const isOwn = ({type, status}: {readonly type?: unknown; readonly status?: unknown}) =>
	status !== 'Unknown' && type !== 'PodScheduled';
