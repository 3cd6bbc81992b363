import {isControlPlaneNode} from '../core/model/node.ts';
import {nameOf} from '../core/model/objectName.ts';
import type {Pod} from '../core/model/pod.ts';
import {workloadOf, workloadTitle} from '../core/model/workloads/workload.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {type NodeForecast, seemsHealthy} from '../forecast/nodeForecast.ts';
import type {WhatIf} from '../forecast/whatif/whatIf.ts';
import type {LossOutlook, MoreLosses} from './moreLosses.ts';
import type {WhatIfImpact} from './whatIfImpact.ts';

/** The worker node whose loss matters most, as far as pods were read. */
export type NextLoss = Readonly<{
	node: string;
	losses: MoreLosses;
	isRead: boolean;
	/** The workloads whose ready pods are all on it, as `shop/deployment/web`; none if not all pods were read. */
	last: readonly string[];
	/** Whether the pods of other workers were not read, so that another node may matter more. */
	isExample: boolean;
	/** The other nodes with the last ready pods of workloads, those of most workloads first. */
	lastElsewhere: readonly (Pick<NextLoss, 'node' | 'last'> & {readonly zone: string})[];
	/** The effect of its loss; absent if not requested, or if its pods were not read. */
	impact?: Pick<WhatIfImpact, 'pods' | 'workloads'> & Pick<WhatIf, 'zones'>;
}>;

/** The pods that were read, and whether these include all workers' pods. */
export type ReadPods = {readonly pods: readonly Pod[]; readonly areAll: boolean};

const nothingRead: ReadPods = {pods: [], areAll: false};

/**
 * Finds the worker node whose loss matters most, among healthy ones. Nodes whose loss alone resumes a stopped zone's
 * evictions come first, then those with the last ready pods of most workloads, then those whose zone is closest to
 * another state. Undefined if no worker is healthy.
 */
export function nextLoss(
	{zones}: LossOutlook,
	{nodes}: Forecast,
	read: ReadPods = nothingRead,
): NextLoss | undefined {
	const isExample = read.pods.length > 0 && !read.areAll;
	const found = workersByLoss(nodes, read).flatMap(({zone, ...worker}) => {
		const losses = zones.find((one) => one.zone === zone);
		return losses ? {...worker, losses, isExample, lastElsewhere: []} : [];
	});
	const [first, ...others] = found.toSorted(
		(a, b) =>
			Number(resumes(b.losses)) - Number(resumes(a.losses)) ||
			compareLosses(a, b) ||
			distance(a) - distance(b),
	);
	const elsewhere = others.toSorted(compareLosses).filter(({last}) => last.length > 0);
	return (
		first && {
			...first,
			lastElsewhere: elsewhere.map(({node, losses, last}) => ({node, zone: losses.zone, last})),
		}
	);
}

/** Whether the loss of one more node resumes the evictions of a stopped zone. */
export const resumes = ({rate, steps: [first]}: MoreLosses) =>
	rate === 0 && first?.nodes === 1 && first.rate > 0;

type Worker = Pick<NextLoss, 'node' | 'isRead' | 'last'> & {
	readonly zone: string;
	readonly hasPods: boolean;
};

/** The healthy workers, those whose loss takes most workloads to zero first, those without pods last. */
export function workersByLoss(nodes: readonly NodeForecast[], {pods, areAll}: ReadPods): readonly Worker[] {
	const withPods = new Set(pods.map(({nodeName}) => nodeName));
	const workers = nodes.filter(
		(node) => seemsHealthy(node) && node.ready === 'True' && !isControlPlaneNode(node),
	);
	const lastOn = areAll ? lastReady(pods, new Set(workers.map(nameOf))) : undefined;
	return workers
		.map(({name: node, zone}) => {
			const hasPods = withPods.has(node);
			return {node, zone, hasPods, isRead: areAll || hasPods, last: lastOn?.get(node) ?? []};
		})
		.toSorted(compareLosses);
}

const compareLosses = (a: Omit<Worker, 'zone'>, b: Omit<Worker, 'zone'>) =>
	b.last.length - a.last.length || Number(b.hasPods) - Number(a.hasPods);

/** The workloads that have all their ready pods on a node, by node, without those that run on every node. */
function lastReady(pods: readonly Pod[], heard: ReadonlySet<string>): ReadonlyMap<string, string[]> {
	const ready = pods.filter(
		({nodeName, ready, owner, deletionTimestamp}) =>
			ready === 'True' &&
			heard.has(nodeName) &&
			deletionTimestamp === undefined &&
			owner?.kind !== 'DaemonSet' &&
			owner?.kind !== 'Node',
	);
	const found = new Map<string, string[]>();
	const titleOf = (pod: Pod) => workloadTitle({namespace: pod.namespace, ...workloadOf(pod)});
	for (const [name, group] of Map.groupBy(ready, titleOf)) {
		const [node, ...others] = new Set(group.map(({nodeName}) => nodeName));
		if (node !== undefined && others.length === 0) found.set(node, [...(found.get(node) ?? []), name]);
	}
	return found;
}

// Between two nodes equally close, the zone that has lost more comes first.
const distance = ({losses: {steps, size, ready, silent}}: NextLoss) =>
	(steps[0]?.nodes ?? Number.POSITIVE_INFINITY) - (size - ready + silent) / (size + 1);
