import type {Budget, Endpoint, Related} from '../core/model/workloads/related.ts';
import {never} from '../core/time/instant.ts';
import {Range} from '../forecast/range.ts';

/** What a forecast means for the endpoints of a service. */
export type EndpointImpact = {
	readonly service: string;
	readonly readyNow: number;
	/** Endpoints that are lost already: their pods stopped being ready, long before they are evicted. */
	readonly alreadyLost: number;
	/** The fewest that are ready, if nothing new becomes so, and from when; `at` is null where it is so already. */
	readonly lowest: {readonly ready: number; readonly at: Range | null};
};

/** Counts the endpoints that services lose, where their endpoints were read. */
export class Endpoints {
	readonly #byService: ReadonlyMap<string, readonly Endpoint[]>;
	readonly #steps: ReadonlyMap<string, readonly PodLossStep[]>;

	/** @param steps of all pods in trouble, by namespace and name */
	constructor({endpoints}: Pick<Related, 'endpoints'>, steps: ReadonlyMap<string, readonly PodLossStep[]>) {
		this.#byService = Map.groupBy(endpoints, ({namespace, service}) => `${namespace}/${service}`);
		this.#steps = steps;
	}

	/** The losses of one service; undefined where its endpoints are not known. */
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

/** Something that happens to a pod of a workload. */
export type PodLossStep = {
	readonly pod: string;
	readonly node: string;
	readonly at: Range;
	/** NotReady: its node turns Unknown, and endpoints go. Evicted: its deletion is asked for. */
	readonly kind: 'NotReady' | 'Evicted';
	/** Whether it was ready until then. */
	readonly wasReady: boolean;
};

/**
 * How many of the evictions a PodDisruptionBudget would have forbidden, had they come by the Eviction API. The eviction of a
 * ready pod needs one more healthy pod than is desired, that of another pod does not.
 *
 * @param steps in the order in which they come
 * @upstream kubernetes v1.36.3 pkg/registry/core/pod/storage/eviction.go canIgnorePDB
 */
export function forbidden(steps: readonly PodLossStep[], {currentHealthy, desiredHealthy}: Budget): number {
	let healthy = currentHealthy;
	let count = 0;
	for (const {kind, wasReady} of steps) {
		const needed = desiredHealthy + (wasReady ? 1 : 0);
		if (kind === 'Evicted' && healthy < needed) count += 1;
		if (wasReady) healthy -= 1;
	}
	return count;
}

/** When a number of pods have stopped being ready, whichever they are; null where so many never do. */
export function lossAt(steps: readonly PodLossStep[], count: number): Range | null {
	const lost = steps.flatMap(({at, wasReady}) => (wasReady ? [at] : []));
	const nth = (of: (at: Range) => number) => lost.map(of).toSorted((a, b) => a - b)[count - 1];
	const [earliest, expected] = [nth((at) => at.earliest), nth((at) => at.expected)];
	if (earliest === undefined || expected === undefined) return null;
	const latest = nth((at) => at.latest ?? never) ?? never;
	return new Range(earliest, expected, latest, lost.find(({told}) => told !== 'beginning')?.told);
}
