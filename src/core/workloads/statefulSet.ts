import {mapBy} from '../collections/mapBy.ts';
import {nameOf} from '../model/objectName.ts';
import {isPodTerminal} from '../model/pod.ts';
import {isReady, type WorkloadPod} from './replicas.ts';

/** What decides which pods a StatefulSet wants, and in which order. */
export type OrdinalRules = Readonly<{
	name: string;
	desired: number;
	/** The lowest ordinal. */
	start: number;
	/** podManagementPolicy Parallel: no ordinal waits for another. */
	isParallel: boolean;
}>;

/** The number at the end of a pod's name; undefined if there is none. @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_utils.go getOrdinal */
export function ordinalOf(pod: string): number | undefined {
	const match = /-(\d+)$/.exec(pod);
	return match ? Number(match[1]) : undefined;
}

/** Whether a StatefulSet wants a pod of this ordinal. @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_utils.go podInOrdinalRange */
export const isWanted = ({start, desired}: OrdinalRules, ordinal: number) =>
	ordinal >= start && ordinal < start + desired;

const isRunningAndReady = (pod: WorkloadPod) => pod.phase === 'Running' && isReady(pod);

/**
 * What a StatefulSet does with its pods now, apart from updates of their template. In order, the lowest ordinal that is
 * missing, being deleted or not ready keeps all higher ones waiting, and the highest ordinal that is not wanted goes first.
 *
 * @returns the ordinals of the pods that it creates now, the names of those that it deletes, and that of the pod for which it waits
 * before it goes on
 * @quirk a pod that has ended, even with success, is deleted and made again
 * @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_control.go updateStatefulSet
 */
export function syncStatefulSet(rules: OrdinalRules, pods: readonly WorkloadPod[]) {
	const {name, desired, start, isParallel} = rules;
	const byName = mapBy(pods, nameOf);
	const creates: number[] = [];
	const deletes: string[] = [];
	for (let ordinal = start; ordinal < start + desired; ordinal += 1) {
		const pod = byName.get(`${name}-${ordinal}`);
		const step = processReplica(pod);
		if (step === 'create') creates.push(ordinal);
		if (step === 'delete' && pod) deletes.push(pod.name);
		if (step !== 'next' && !isParallel) return {creates, deletes, waitsFor: `${name}-${ordinal}`};
	}
	const condemned = pods
		.filter((pod) => !isWanted(rules, ordinalOf(pod.name) ?? start))
		.toSorted((a, b) => (ordinalOf(b.name) ?? 0) - (ordinalOf(a.name) ?? 0));
	if (isParallel) {
		const doomed = condemned.filter(({deletionTimestamp}) => deletionTimestamp === undefined);
		return {creates, deletes: [...deletes, ...doomed.map(nameOf)]};
	}
	const [first] = condemned;
	if (!first) return {creates, deletes};
	const firstUnhealthy = condemned.findLast(
		(pod) => !isRunningAndReady(pod) || pod.deletionTimestamp !== undefined,
	);
	const mustWait = first.deletionTimestamp !== undefined;
	if (mustWait) return {creates, deletes, waitsFor: first.name};
	if (!isRunningAndReady(first) && firstUnhealthy && firstUnhealthy !== first)
		return {creates, deletes, waitsFor: firstUnhealthy.name};
	return {creates, deletes: [first.name]};
}

/** What is done for one wanted ordinal. @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_control.go processReplica */
function processReplica(pod: WorkloadPod | undefined): 'create' | 'delete' | 'wait' | 'next' {
	if (!pod) return 'create';
	const isDeleted = pod.deletionTimestamp !== undefined;
	if (isPodTerminal(pod)) return isDeleted ? 'wait' : 'delete';
	return isDeleted || !isRunningAndReady(pod) ? 'wait' : 'next';
}
