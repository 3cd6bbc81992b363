import {ascending} from '../collections/ascending.ts';
import type {Node} from '../model/node.ts';
import {nameOf} from '../model/objectName.ts';
import {isPodTerminal} from '../model/pod.ts';
import {
	formatTaint,
	taintDiskPressure,
	taintMemoryPressure,
	taintNetworkUnavailable,
	taintNotReady,
	taintPidPressure,
	taintUnreachable,
	taintUnschedulable,
} from '../model/taint.ts';
import {type Toleration, toleratesTaint} from '../model/toleration.ts';
import type {PodTemplate} from '../model/workloads/related.ts';
import {hasLabels, selectsNode} from '../model/workloads/selects.ts';
import type {WorkloadPod} from './replicas.ts';

const tolerates = (key: string, effect: string): Toleration => ({key, operator: 'Exists', value: '', effect});

/** What those that use the network of their node tolerate as well. */
export const ofHostNetwork = tolerates(taintNetworkUnavailable, 'NoSchedule');

/**
 * What every pod of a DaemonSet tolerates forever.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations
 */
export const ofEveryDaemon: readonly Toleration[] = [
	tolerates(taintNotReady, 'NoExecute'),
	tolerates(taintUnreachable, 'NoExecute'),
	tolerates(taintDiskPressure, 'NoSchedule'),
	tolerates(taintMemoryPressure, 'NoSchedule'),
	tolerates(taintPidPressure, 'NoSchedule'),
	tolerates(taintUnschedulable, 'NoSchedule'),
];

/** Whether a DaemonSet starts pods on a node, whether those that are there may stay, and what keeps it from starting any. */
export type DaemonNode = {readonly starts: boolean; readonly keeps: boolean; readonly obstacle?: string};

/**
 * Whether the pods of a DaemonSet belong on a node.
 *
 * @quirk a taint that they tolerate only for a time keeps them away no more than one that they tolerate forever
 * @upstream kubernetes v1.36.3 pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod
 */
export function daemonNode(
	{
		tolerations,
		nodeSelector,
		nodeTerms,
		nodeName,
	}: Pick<PodTemplate, 'tolerations' | 'nodeSelector' | 'nodeTerms' | 'nodeName'>,
	node: Node,
): DaemonNode {
	if (nodeName !== undefined && nodeName !== node.name)
		return {starts: false, keeps: false, obstacle: 'its template names another node'};
	if (!hasLabels(node.labels, nodeSelector) || (nodeTerms && !selectsNode(nodeTerms, node)))
		return {starts: false, keeps: false, obstacle: 'its node selector or affinity does not select the node'};
	const all = [...tolerations, ...ofEveryDaemon];
	const untolerated = node.taints.filter(
		(taint) =>
			taint.effect !== 'PreferNoSchedule' &&
			!all.some((toleration) => toleratesTaint(toleration, taint, false)),
	);
	const [first] = untolerated;
	if (!first) return {starts: true, keeps: true};
	const obstacle = `the node has the taint ${formatTaint(first)}, which its template does not tolerate`;
	return {starts: false, keeps: untolerated.every(({effect}) => effect !== 'NoExecute'), obstacle};
}

/**
 * What a DaemonSet does on one node now. A pod that is being deleted keeps its place until it is gone, unless the
 * DaemonSet may surge.
 *
 * @param pods its pods on that node
 * @upstream kubernetes v1.36.3 pkg/controller/daemon/daemon_controller.go getNodesToDaemonPods
 * @upstream kubernetes v1.36.3 pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode
 */
export function syncDaemonNode(
	{starts, keeps}: DaemonNode,
	pods: readonly (WorkloadPod & {readonly createdAt: number})[],
	maySurge: boolean,
): {readonly creates: boolean; readonly deletes: readonly string[]} {
	// What has ended and is being deleted holds no place, whatever keeps its object.
	const there = pods.filter((pod) => !isPodTerminal(pod) || pod.deletionTimestamp === undefined);
	if (there.length === 0) return {creates: starts, deletes: []};
	const present = there.filter(({deletionTimestamp}) => deletionTimestamp === undefined);
	if (!keeps) return {creates: false, deletes: present.map(nameOf)};
	const ended = present.filter(isPodTerminal);
	const running = present
		.filter((pod) => !ended.includes(pod))
		.toSorted(ascending(({createdAt}) => createdAt));
	// While it surges, two may run: one of each template.
	const surplus = maySurge ? [] : running.slice(1);
	return {
		creates: maySurge && starts && running.length === 0,
		deletes: [...ended, ...surplus].map(nameOf),
	};
}
