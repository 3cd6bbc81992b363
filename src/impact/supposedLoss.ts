import {ascending} from '../core/collections/ascending.ts';
import {hidesEvictions, type Problem} from '../core/model/problem.ts';
import type {NamespacedWorkload} from '../core/model/workloads/workload.ts';
import {lastOf, type PendingPod} from '../forecast/pending.ts';
import type {After} from '../forecast/podForecast.ts';
import type {Range} from '../forecast/range.ts';
import {newlyInDanger} from '../forecast/whatif/podsInDanger.ts';
import type {WhatIf, ZoneChange} from '../forecast/whatif/whatIf.ts';
import {maybeAtZero, newlyAtZero, newlyBelowBudget, type WhatIfImpact} from './whatIfImpact.ts';
import type {WorkloadImpact} from './workloadImpact.ts';

/** A workload that a loss harms; `at` is null if that is so already, or not known. */
type HarmedWorkload = NamespacedWorkload & {readonly at: Range | null};

/** What the loss of a node, or of all nodes of a zone, would add to what happens anyway. */
export type SupposedLoss = Readonly<{
	/** The name of the node, or of the zone as people read it. */
	name: string;
	zone: string;
	/** How many nodes are lost that were not lost before. */
	nodes: number;
	/** How many more pods will be evicted, might be evicted, and become held. */
	evicted: number;
	unsure: number;
	held: number;
	/** How many of the evicted ones get no replacement, as far as is known. */
	stuck: number;
	/** The workloads that have no ready pod left by it. */
	toZero: readonly HarmedWorkload[];
	/** How many others might have none, as their replicas are not known. */
	maybeToZero: number;
	/** Those that fall below a PodDisruptionBudget by it, without reaching zero. */
	belowBudget: readonly HarmedWorkload[];
	/** Of the first and of the last pod to be evicted by it; null if there is none. */
	first: Range | null;
	last: Range | null;
	/** The zones that go through other states by it. */
	zones: readonly ZoneChange[];
}>;

/** Outcomes that leave a workload with a pod less. */
const unreplaced: readonly After['outcome'][] = ['StuckTerminating', 'Blocked', 'Lost'];

const isUnreplaced = ({after}: {readonly after: After | null}) =>
	after !== null && (after.placement === 'None' || unreplaced.includes(after.outcome));

/** Sums up what a loss does to chosen pods and their workloads. */
export function supposedLoss(
	place: Pick<SupposedLoss, 'name' | 'zone' | 'nodes'>,
	{pods, workloads}: WhatIfImpact,
	{zones}: WhatIf,
): SupposedLoss {
	const {sure, unsure, held} = newlyInDanger(pods);
	const going = [...sure, ...unsure].map(({after}) => after);
	const timed = going.filter((pod): pod is PendingPod => pod.eviction !== null);
	const [first] = timed.toSorted(ascending(({eviction}) => eviction.expected));
	const harmed = (impacts: readonly WorkloadImpact[]): readonly HarmedWorkload[] =>
		impacts.map(({namespace, kind, name, lowest: {at}}) => ({namespace, kind, name, at}));
	return {
		...place,
		evicted: sure.length,
		unsure: unsure.length,
		held: held.length,
		stuck: going.filter(isUnreplaced).length,
		toZero: harmed(newlyAtZero(workloads)),
		maybeToZero: maybeAtZero(workloads).length,
		belowBudget: harmed(newlyBelowBudget(workloads)),
		first: first?.eviction ?? null,
		last: lastOf(timed),
		zones: zones.filter(({before, after}) => before !== after),
	};
}

/** The code of `--exit-code`: 2 if a loss harms a workload, 1 if too little is seen to tell, else 0. */
export function codeOfLosses(losses: readonly SupposedLoss[], problems: readonly Problem[]): number {
	if (losses.some(({toZero, belowBudget}) => toZero.length + belowBudget.length > 0)) return 2;
	const isOpen = losses.some(({unsure, maybeToZero}) => unsure + maybeToZero > 0);
	return isOpen || problems.some(hidesEvictions) ? 1 : 0;
}
