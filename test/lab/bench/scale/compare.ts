import type {ApiClient} from '../../../e2e/apiClient.ts';
import {median} from '../figures.ts';
import {type Served, served} from './apiMetrics.ts';
import {type Cost, costOf, cpuSecondsOfEnded} from './program.ts';

/** Something to measure. */
export type Candidate = {readonly name: string; readonly run: () => Promise<Cost>};

/** The costs of a candidate, for itself and for the API server. */
export type FullCost = Cost & {readonly name: string; readonly served: Served};

/** A program that exits by itself. */
export const program = (name: string, command: readonly string[], env: NodeJS.ProcessEnv): Candidate => ({
	name,
	run: () => costOf(command, env),
});

/** The plugin on ten laptops: the wall time is the slowest one's. */
export const tenAtOnce = (plugin: string, env: NodeJS.ProcessEnv): Candidate => ({
	name: 'ten times `evictwatch pods -A -o json` at once',
	run: async () => {
		const [startedAt, secondsBefore] = [performance.now(), cpuSecondsOfEnded()];
		const costs = await Promise.all(
			Array.from({length: 10}, () => costOf([plugin, 'pods', '-A', '-o', 'json'], env)),
		);
		return {
			wallSeconds: (performance.now() - startedAt) / 1000,
			cpuSeconds: cpuSecondsOfEnded() - secondsBefore,
			peakMegabytes: Math.max(...costs.map(({peakMegabytes}) => peakMegabytes)),
		};
	},
});

/** Runs all candidates in turns; returns the medians of each one's costs, but its highest memory. */
export async function compare(
	api: ApiClient,
	rounds: number,
	candidates: readonly Candidate[],
): Promise<readonly FullCost[]> {
	const costs = new Map<string, FullCost[]>();
	for (let round = 0; round < rounds; round++) {
		for (const {name, run} of candidates) {
			const before = await served(api);
			const cost = await run();
			const now = {...cost, name, served: between(before, await served(api))};
			costs.set(name, [...(costs.get(name) ?? []), now]);
		}
	}
	return [...costs].map(([name, all]) => usual(name, all));
}

const between = (before: Served, after: Served): Served => ({
	requests: after.requests - before.requests,
	megabytes: after.megabytes - before.megabytes,
	cpuSeconds: after.cpuSeconds - before.cpuSeconds,
});

// Each figure separately, because other work on the machine may raise any of them.
function usual(name: string, costs: readonly FullCost[]): FullCost {
	const of = (read: (cost: FullCost) => number) => median(costs.map(read));
	return {
		name,
		wallSeconds: of(({wallSeconds}) => wallSeconds),
		cpuSeconds: of(({cpuSeconds}) => cpuSeconds),
		peakMegabytes: Math.max(...costs.map(({peakMegabytes}) => peakMegabytes)),
		served: {
			requests: of(({served: {requests}}) => requests),
			megabytes: of(({served: {megabytes}}) => megabytes),
			cpuSeconds: of(({served: {cpuSeconds}}) => cpuSeconds),
		},
	};
}
