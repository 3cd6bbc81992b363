import type {TextMap} from '../../text/textMap.ts';
import type {TaintChange} from '../client/clusterApi.ts';
import {call, done, first, type Next} from '../client/routines.ts';
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
import type {LifecycleContext} from './lifecycleContext.ts';
import {labelsToReconcile} from './nodeLabels.ts';
import {swapTaints, type TaintWriteStep} from './taintWrites.ts';

/** What a node worker does with each changed node: its NoSchedule taints, then its beta labels. */
export type NodeProcessingStep =
	| {readonly do: 'taintNoSchedule' | 'reconcileLabels'; readonly node: string}
	| {
			readonly do: 'readForLabels' | 'patchLabels';
			readonly node: string;
			readonly labels: TextMap;
	  };

/** Whether a node worker has anything to write for a node. */
export function needsProcessing(name: string, {api, settings, now}: LifecycleContext) {
	const node = api.node(name)?.node;
	if (!node) return false;
	const {add, remove} = noScheduleTaints(node, settings, now);
	return add.length > 0 || remove.length > 0 || labelsToReconcile(node, settings) !== undefined;
}

const noScheduleTaints = (
	node: Node,
	{taintNodesByCondition}: LifecycleContext['settings'],
	now: Instant,
): TaintChange => (taintNodesByCondition ? noScheduleTaintChange(node, now) : {add: [], remove: []});

/**
 * Does one step of a node worker.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go doNodeProcessingPassWorker
 */
export function runNodeProcessing(
	step: NodeProcessingStep,
	{api, settings, now}: LifecycleContext,
): Next<NodeProcessingStep | TaintWriteStep> {
	const node = api.node(step.node)?.node;
	if (!node) return done;
	switch (step.do) {
		case 'taintNoSchedule':
			return first(swapTaints(node, noScheduleTaints(node, settings, now)));
		case 'reconcileLabels': {
			const labels = labelsToReconcile(node, settings);
			return labels ? call({do: 'readForLabels', node: step.node, labels}) : done;
		}
		case 'readForLabels':
			return call({...step, do: 'patchLabels'});
		case 'patchLabels':
			api.writeLabels(step.node, step.labels);
			return done;
	}
}

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
