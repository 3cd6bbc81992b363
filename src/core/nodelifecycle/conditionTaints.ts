import type {TaintChange} from '../client/clusterApi.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import {
	hasTaint,
	type Taint,
	taintDiskPressure,
	taintMemoryPressure,
	taintNetworkUnavailable,
	taintNotReady,
	taintPidPressure,
	taintUnreachable,
	taintUnschedulable,
} from '../model/taint.ts';
import type {Instant} from '../time/instant.ts';

const taintByCondition: Readonly<Record<string, Partial<Record<ConditionStatus, string>>>> = {
	Ready: {False: taintNotReady, Unknown: taintUnreachable},
	MemoryPressure: {True: taintMemoryPressure},
	DiskPressure: {True: taintDiskPressure},
	NetworkUnavailable: {True: taintNetworkUnavailable},
	PIDPressure: {True: taintPidPressure},
};

const managedKeys = new Set([
	taintUnschedulable,
	...Object.values(taintByCondition).flatMap((byStatus) => Object.values(byStatus)),
]);

/**
 * The NoSchedule taints to add and remove for a node's conditions and cordon.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass
 */
export function noScheduleTaintChange(node: Node, now: Instant): TaintChange {
	const keys = node.conditions.flatMap(({type, status}) => taintByCondition[type]?.[status] ?? []);
	if (node.unschedulable) keys.push(taintUnschedulable);
	const wanted = keys.map((key): Taint => ({key, value: '', effect: 'NoSchedule', timeAdded: now}));
	const present = node.taints.filter(({effect, key}) => effect === 'NoSchedule' && managedKeys.has(key));
	return {
		add: wanted.filter((taint) => !hasTaint(present, taint)),
		remove: present.filter((taint) => !hasTaint(wanted, taint)),
	};
}
