import {decodeTime, entriesOf, fieldsOf, textOf} from '../../cluster/codec/rawJson.ts';
import {controllerManagerLease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {DumpedObject} from '../format/dumpedObjects.ts';

/** A time that an object tells, all of them in the past of whoever wrote it down, and whose clock that was. */
export type ToldTime = {
	readonly at: Instant;
	/**
	 * `creation`: the API server's, once; `server`: that of the API server or of the controllers, which write all the
	 * time; `kubelet`: the named node's; `other`: somebody's, about that node.
	 */
	readonly clock: 'creation' | 'server' | 'kubelet' | 'other';
	readonly node: string;
};

type RawResource = {metadata: unknown; spec: unknown; status: unknown};
type Metadata = {
	name: unknown;
	namespace: unknown;
	creationTimestamp: unknown;
	managedFields: unknown;
};
type RawSpec = {renewTime: unknown; taints: unknown; nodeName: unknown};
type Condition = {type: unknown; status: unknown; lastHeartbeatTime: unknown; lastTransitionTime: unknown};

/** All that raw nodes, pods and leases tell of when they were. A deletionTimestamp lies ahead, and is none of them. */
export function toldTimes(objects: readonly DumpedObject[]): readonly ToldTime[] {
	return objects.flatMap(({kind, object}) => {
		const {metadata, spec, status} = fieldsOf<RawResource>(object);
		const {name, namespace, creationTimestamp, managedFields} = fieldsOf<Metadata>(metadata);
		const {renewTime, taints, nodeName} = fieldsOf<RawSpec>(spec);
		const node = textOf(kind === 'Pod' ? nodeName : name);
		const writes = entriesOf(managedFields).map((entry) => fieldsOf<{time: unknown}>(entry).time);
		const told = (clock: ToldTime['clock'], ...times: readonly unknown[]): readonly ToldTime[] =>
			times.flatMap((time) => {
				const at = decodeTime(time);
				return at === undefined ? [] : [{at, clock, node}];
			});
		return [
			...told('creation', creationTimestamp),
			...told('server', ...writes),
			...told(holderClock(kind, textOf(namespace), textOf(name), writes.length > 0), renewTime),
			...told('other', ...entriesOf(taints).map((taint) => fieldsOf<{timeAdded: unknown}>(taint).timeAdded)),
			...entriesOf(fieldsOf<{conditions: unknown}>(status).conditions).flatMap((one) => {
				const condition = fieldsOf<Condition>(one);
				const {lastHeartbeatTime, lastTransitionTime} = condition;
				return [
					...told('kubelet', lastHeartbeatTime),
					...told(isOwn(condition) && node !== '' ? 'kubelet' : 'other', lastTransitionTime),
				];
			}),
		];
	});
}

/** Whose clock renews a lease. The API servers' own are named after them, and renewed every ten seconds. */
function holderClock(kind: string, namespace: string, name: string, isDated: boolean): ToldTime['clock'] {
	if (kind === 'Lease' && namespace === nodeLeaseNamespace) return 'kubelet';
	// Where the API server says when it took a renewal, the holder's word is not needed.
	if (kind !== 'Lease' || isDated) return 'other';
	const isServers = name === controllerManagerLease.name || /^(kube-)?apiserver-/.test(name);
	return namespace === controllerManagerLease.namespace && isServers ? 'server' : 'other';
}

/** Whether the kubelet sets a condition: what is Unknown was set by a controller, PodScheduled by the scheduler. */
const isOwn = ({type, status}: {readonly type?: unknown; readonly status?: unknown}) =>
	status !== 'Unknown' && type !== 'PodScheduled';
