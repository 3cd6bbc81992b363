import {isControlPlaneNode} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {WhatIf} from '../forecast/whatif/whatIf.ts';
import type {LossOutlook, MoreLosses} from './moreLosses.ts';
import type {WhatIfImpact} from './whatIfImpact.ts';

/** A worker node whose loss matters most, as far as pods were read. */
export type NextLoss = {
	readonly node: string;
	readonly losses: MoreLosses;
	readonly isRead: boolean;
	/** How many workloads have all their ready pods on it; 0 where not all pods were read. */
	readonly last: number;
	/** Whether the pods of other workers were not read, which may matter more. */
	readonly isExample: boolean;
	/** The node with the last ready pods of most workloads, where this one is named for its zone and has none of any. */
	readonly lastElsewhere?: LastElsewhere;
	/** What its loss would do; absent where nobody asked, or its pods were not read. */
	readonly impact?: Pick<WhatIfImpact, 'pods' | 'workloads'> & Pick<WhatIf, 'zones'>;
};

type LastElsewhere = Pick<NextLoss, 'node' | 'last'> & {readonly zone: string};

/** The pods that were read, and whether those of all workers were. */
export type ReadPods = {readonly pods: readonly Pod[]; readonly areAll: boolean};

const nothingRead: ReadPods = {pods: [], areAll: false};

/**
 * Finds that node among those that are heard: first one whose loss alone lets a stopped zone evict what it holds, then by how
 * many workloads have all their ready pods on it, then by how near its zone is to another state. Undefined where no worker
 * node is heard; the control plane is not counted on.
 */
export function nextLoss(
	{zones}: Pick<LossOutlook, 'zones'>,
	{nodes}: Pick<Forecast, 'nodes'>,
	read: ReadPods = nothingRead,
): NextLoss | undefined {
	const isExample = read.pods.length > 0 && !read.areAll;
	const found = workersByLoss(nodes, read).flatMap(({zone, ...worker}) => {
		const losses = zones.find((one) => one.zone === zone);
		return losses ? {...worker, losses, isExample} : [];
	});
	const [first, ...others] = found.toSorted(
		(a, b) =>
			Number(resumes(b.losses)) - Number(resumes(a.losses)) ||
			compareLosses(a, b) ||
			distance(a) - distance(b),
	);
	const most = first?.last === 0 ? others.toSorted(compareLosses)[0] : undefined;
	if (!first || !most || most.last === 0) return first;
	return {...first, lastElsewhere: {node: most.node, zone: most.losses.zone, last: most.last}};
}

/** Whether the loss of one more node lets a zone evict that does not. */
export const resumes = ({rate, steps: [first]}: MoreLosses): boolean =>
	rate === 0 && first?.nodes === 1 && first.rate > 0;

type Worker = Pick<NextLoss, 'node' | 'isRead' | 'last'> & {
	readonly zone: string;
	readonly hasPods: boolean;
};

/** The worker nodes that are heard, those first whose loss takes most workloads to zero, and last those without pods. */
export function workersByLoss(nodes: readonly NodeForecast[], {pods, areAll}: ReadPods): readonly Worker[] {
	const withPods = new Set(pods.map(({nodeName}) => nodeName));
	const workers = nodes.filter(
		(node) => node.verdict === 'Healthy' && node.ready === 'True' && !isControlPlaneNode(node),
	);
	const lastOn = areAll ? lastReady(pods, new Set(workers.map(({name}) => name))) : undefined;
	return workers
		.map(({name: node, zone}) => {
			const hasPods = withPods.has(node);
			return {node, zone, hasPods, isRead: areAll || hasPods, last: lastOn?.get(node) ?? 0};
		})
		.toSorted(compareLosses);
}

const compareLosses = (a: Omit<Worker, 'zone'>, b: Omit<Worker, 'zone'>): number =>
	b.last - a.last || Number(b.hasPods) - Number(a.hasPods);

/** How many owners have all their ready pods on a node, by node; pods that come with each node are left out. */
function lastReady(pods: readonly Pod[], heard: ReadonlySet<string>): ReadonlyMap<string, number> {
	const ready = pods.filter(
		({nodeName, ready, owner, deletionTimestamp}) =>
			ready === 'True' && heard.has(nodeName) && deletionTimestamp === undefined && !comesWithNode(owner),
	);
	const found = new Map<string, number>();
	for (const group of Map.groupBy(ready, ({owner, uid}) => owner?.uid ?? uid).values()) {
		const [node, ...others] = new Set(group.map(({nodeName}) => nodeName));
		if (node !== undefined && others.length === 0) found.set(node, (found.get(node) ?? 0) + 1);
	}
	return found;
}

const comesWithNode = (owner: Pod['owner']): boolean => owner?.kind === 'DaemonSet' || owner?.kind === 'Node';

// Of two that are as near, the one that has lost more already.
const distance = ({losses: {steps, size, ready, silent}}: Pick<NextLoss, 'losses'>): number =>
	(steps[0]?.nodes ?? Number.POSITIVE_INFINITY) - (size - ready + silent) / (size + 1);
