import type {Endpoint, Related} from '../core/model/workloads/related.ts';
import type {Range} from '../forecast/range.ts';
import {lossAt, type PodLossStep} from './budgets.ts';

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
