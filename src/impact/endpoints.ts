import type {Budget, Endpoint, Related} from '../core/model/workloads/related.ts';
import {nthOf} from '../forecast/conclude/merge.ts';
import type {Range} from '../forecast/range.ts';

export type EndpointImpact = Readonly<{
	service: string;
	readyNow: number;
	/** Endpoints already lost: their pods stopped being ready, long before their eviction. */
	alreadyLost: number;
	/** The lowest number of ready endpoints, if none are added, and from when; `at` is null if it is reached already. */
	lowest: {readonly ready: number; readonly at: Range | null};
}>;

/** Counts the endpoints that services lose, if their endpoints were read. */
export class Endpoints {
	readonly #byService: ReadonlyMap<string, readonly Endpoint[]>;
	readonly #steps: ReadonlyMap<string, readonly PodLossStep[]>;

	/** @param steps of all affected pods, by namespace and name */
	constructor({endpoints}: Related, steps: ReadonlyMap<string, readonly PodLossStep[]>) {
		this.#byService = Map.groupBy(endpoints, ({namespace, service}) => `${namespace}/${service}`);
		this.#steps = steps;
	}

	/** The losses of one service; undefined if its endpoints are not known. */
	of(namespace: string, service: string): EndpointImpact | undefined {
		const endpoints = this.#byService.get(`${namespace}/${service}`);
		if (!endpoints) return undefined;
		const inTrouble = (pod: string) => this.#steps.get(`${namespace}/${pod}`);
		const ready = endpoints.filter(({isReady}) => isReady);
		const steps = ready.flatMap(({pod}) => inTrouble(pod)?.filter(({wasReady}) => wasReady) ?? []);
		const lost = new Set(steps.map(({pod}) => pod)).size;
		return {
			service,
			readyNow: ready.length,
			alreadyLost: endpoints.filter(({pod, isReady}) => !isReady && inTrouble(pod) !== undefined).length,
			lowest: {ready: ready.length - lost, at: lossAt(steps, lost)},
		};
	}
}

export type PodLossStep = Readonly<{
	pod: string;
	node: string;
	at: Range;
	/** NotReady: its node becomes Unknown, so its endpoints are removed. Evicted: its deletion is requested. */
	kind: 'NotReady' | 'Evicted';
	/** Whether it was ready until then. */
	wasReady: boolean;
}>;

export type BudgetImpact = Readonly<{
	name: string;
	/** The number of healthy pods that it wants, and the lowest that there will be, if none are added. */
	desiredHealthy: number;
	lowestHealthy: number;
	/** When fewer are healthy than it wants, if none are added; null if that is so already, or never will be. */
	below: Range | null;
	/** How many of the evictions it would have forbidden. */
	forbids: number;
}>;

/**
 * The effect of losses on a budget. A budget of one workload alone counts from its ready pods, as its own status is from
 * another moment.
 *
 * @param steps of all pods that it covers, in chronological order
 */
export function budgetImpact(
	steps: readonly PodLossStep[],
	{name, currentHealthy, desiredHealthy, expectedPods}: Budget,
	readyNow: number | null,
	desired = 0,
): BudgetImpact {
	const isOfOne = readyNow !== null && expectedPods > 0 && expectedPods <= desired;
	const healthy = isOfOne ? readyNow : currentHealthy;
	const lost = steps.filter(({wasReady}) => wasReady).length;
	const forbids = forbidden(steps, healthy, desiredHealthy);
	return {
		name,
		desiredHealthy,
		lowestHealthy: Math.max(0, healthy - lost),
		below: lossAt(steps, healthy - desiredHealthy + 1),
		forbids,
	};
}

/** Whether fewer pods are or will be healthy than a budget wants. */
export const isBelowBudget = ({budgets}: {readonly budgets: readonly BudgetImpact[]}) =>
	budgets.some(({lowestHealthy, desiredHealthy}) => lowestHealthy < desiredHealthy);

/** The same of a workload that keeps ready pods. */
export const isOnlyBelowBudget = (impact: {
	readonly budgets: readonly BudgetImpact[];
	readonly reachesZero: boolean | null;
}) => !impact.reachesZero && isBelowBudget(impact);

/**
 * How many of the evictions a PodDisruptionBudget would have forbidden if they used the Eviction API. Evicting a
 * ready pod needs one more healthy pod than desired; evicting another pod does not.
 *
 * @param steps in chronological order
 * @upstream kubernetes v1.36.3 pkg/registry/core/pod/storage/eviction.go canIgnorePDB
 */
function forbidden(steps: readonly PodLossStep[], healthyNow: number, desiredHealthy: number): number {
	let healthy = healthyNow;
	let count = 0;
	for (const {kind, wasReady} of steps) {
		const needed = desiredHealthy + (wasReady ? 1 : 0);
		if (kind === 'Evicted' && healthy < needed) count += 1;
		if (wasReady) healthy -= 1;
	}
	return count;
}

/** When `count` pods have stopped being ready, whichever they are; null if that never happens. */
export const lossAt = (steps: readonly PodLossStep[], count: number): Range | null =>
	nthOf(
		steps.flatMap(({at, wasReady}) => (wasReady ? [at] : [])),
		count,
	);
