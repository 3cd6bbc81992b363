import type {ApiClient} from '../../e2e/apiClient.ts';
import type {ApiServer} from '../../e2e/controlPlane.ts';
import {type Served, served} from './apiMetrics.ts';
import {transferSeconds} from './bareTransfer.ts';
import {type Cost, costOf} from './program.ts';

/** Something to measure. */
export type Candidate = {readonly name: string; readonly run: () => Promise<Cost>};

/** A transfer of which nothing is read. */
export const bare = (name: string, {admin}: ApiServer, paths: readonly string[]): Candidate => ({
	name,
	run: async () => ({wallSeconds: await transferSeconds(admin, paths), cpuSeconds: 0, peakMegabytes: 0}),
});

/** A program that ends by itself. */
export const program = (name: string, command: readonly string[], env: NodeJS.ProcessEnv): Candidate => ({
	name,
	run: () => costOf(command, env),
});

/** The plugin on ten laptops: the wall time is that of the slowest. */
export const tenAtOnce = (plugin: string, env: NodeJS.ProcessEnv): Candidate => ({
	name: 'ten times evictwatch pods -A -o json at once',
	run: async () => {
		const startedAt = performance.now();
		const costs = await Promise.all(
			Array.from({length: 10}, () => costOf([plugin, 'pods', '-A', '-o', 'json'], env)),
		);
		return {
			wallSeconds: (performance.now() - startedAt) / 1000,
			cpuSeconds: costs.reduce((sum, {cpuSeconds}) => sum + cpuSeconds, 0),
			peakMegabytes: Math.max(...costs.map(({peakMegabytes}) => peakMegabytes)),
		};
	},
});

/** Lets all candidates take turns, and prints the least that each has cost, but for memory. The first is the limit. */
export async function compare(
	api: ApiClient,
	rounds: number,
	candidates: readonly Candidate[],
): Promise<void> {
	const best = new Map<string, FullCost>();
	for (let round = 0; round < rounds; round++) {
		for (const {name, run} of candidates) {
			const before = await served(api);
			const cost = await run();
			const after = await served(api);
			const known = best.get(name);
			const now = {...cost, served: between(before, after)};
			best.set(name, known ? bestOf(known, now) : now);
		}
	}
	const limit = best.get(candidates[0]?.name ?? '')?.wallSeconds ?? 1;
	for (const [name, cost] of best) {
		const cells = [
			`${cost.wallSeconds.toFixed(2)} s`,
			`${(cost.wallSeconds / limit).toFixed(2)} x`,
			`${cost.cpuSeconds.toFixed(2)} s CPU`,
			`${cost.peakMegabytes.toFixed(0)} MB`,
			`${cost.served.requests} lists`,
			`${cost.served.megabytes.toFixed(1)} MB sent`,
			`${cost.served.cpuSeconds.toFixed(2)} s server`,
		];
		console.log(`  ${name.padEnd(46)}${cells.map((cell) => cell.padStart(13)).join('')}`);
	}
}

const between = (before: Served, after: Served): Served => ({
	requests: after.requests - before.requests,
	megabytes: after.megabytes - before.megabytes,
	cpuSeconds: after.cpuSeconds - before.cpuSeconds,
});

type FullCost = Cost & {readonly served: Served};

// Each figure for itself: what other work on the machine adds to one of them is not what the program costs.
const bestOf = (a: FullCost, b: FullCost): FullCost => ({
	wallSeconds: Math.min(a.wallSeconds, b.wallSeconds),
	cpuSeconds: Math.min(a.cpuSeconds, b.cpuSeconds),
	peakMegabytes: Math.max(a.peakMegabytes, b.peakMegabytes),
	served: {
		requests: Math.min(a.served.requests, b.served.requests),
		megabytes: Math.min(a.served.megabytes, b.served.megabytes),
		cpuSeconds: Math.min(a.served.cpuSeconds, b.served.cpuSeconds),
	},
});
