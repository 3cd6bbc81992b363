import {unique} from '../../../core/collections/unique.ts';
import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {nameOf} from '../../../core/model/objectName.ts';
import {taintDiskPressure, taintMemoryPressure, taintPidPressure} from '../../../core/model/taint.ts';
import {isPressureCondition, type PressureCondition} from '../../../core/nodepressure/thresholds/signal.ts';
import {shutdownCondition} from '../../../core/nodeshutdown/nodeShutdown.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {ClusterStore} from '../../../store/clusterStore.ts';

/** The taint that a node gets for each condition, which keeps new pods away. */
export const pressureTaints: Readonly<Record<PressureCondition, string>> = {
	MemoryPressure: taintMemoryPressure,
	DiskPressure: taintDiskPressure,
	PIDPressure: taintPidPressure,
};
const taints: ReadonlySet<string> = new Set(Object.values(pressureTaints));

/** Twice the usual transition period: what was short then may be short again. */
const recently: Duration = 10 * minute;
/** A node that a user asks for is queried for this long. */
const askedFor: Duration = 2 * minute;

/** Whether a node's status shows that it is under pressure, or was a moment ago. */
export const isUnderPressure = (node: Node) =>
	node.conditions.some(({type, status}) => status === 'True' && isPressureCondition(type)) ||
	node.taints.some(({key}) => taints.has(key));

/** Whether its kubelet is queried without a user's request: it is under pressure, or shuts its node down. */
const isAskedFor = (node: Node) => isUnderPressure(node) || shutdownCondition(node) !== undefined;

/**
 * Selects the nodes whose kubelets are queried for statistics: querying all would load a large cluster.
 *
 * @param asksAllKubelets whether all ready nodes are queried, after those that are selected anyway
 */
export function pressuredNodes({nodes, kubelets}: ClusterStore, asksAllKubelets = false) {
	const asked = new Map<string, Instant>();
	return {
		/** Takes in a user's request for a node: it is queried for a while, whatever its state. */
		ask: (node: string, now: Instant) => void asked.set(node, now),
		/** The names of these nodes; requested ones come first. */
		wanted(now: Instant): readonly string[] {
			for (const [name, at] of asked) if (now - at > askedFor || !nodes.has(name)) asked.delete(name);
			const all = [...nodes.values()];
			const reported = kubelets.reports.filter(({node, at}) => now - at <= recently && nodes.has(node));
			return unique([
				...asked.keys(),
				...all.filter(isAskedFor).map(nameOf),
				...reported.map(({node}) => node),
				...(asksAllKubelets ? all.filter(isReadyNode).map(nameOf) : []),
			]);
		},
	};
}
