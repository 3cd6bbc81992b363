import {performance} from 'node:perf_hooks';
import {rankPods} from '../../../src/core/nodepressure/ranking.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {Signal} from '../../../src/core/nodepressure/thresholds/signal.ts';
import {amounts, aNodePod, bytes, singleFs} from '../../support/pressure.ts';
import {runAsProgram} from './bench.ts';
import {median} from './figures.ts';

// Measures the ranking of a node's pods for eviction, also as a multiple of sorting the same number of plain numbers.

/** The median of the runs is used. */
const runs = 51;
const sizes = [110, 500, 2000];
const signals: readonly Signal[] = [
	'memory.available',
	'nodefs.available',
	'nodefs.inodesFree',
	'pid.available',
];
/** The time limit of ranking 500 pods, in milliseconds. */
const budget = 5;

const gibibyte = bytes('1Gi');
/** Pseudo-random numbers, the same in each run. */
const scattered = (index: number, seed: number): number => ((index + seed) * 2_654_435_761) % 1000;

function pods(count: number) {
	return Array.from({length: count}, (_, index) =>
		aNodePod(
			`pod-${index}`,
			{requests: {memory: `${scattered(index, 1)}Mi`, 'ephemeral-storage': `${scattered(index, 2)}Mi`}},
			{
				priority: scattered(index, 3) % 3,
				overhead: amounts({memory: '10Mi'}),
				volumes: [{name: 'scratch', kind: 'emptyDir', medium: ''}],
			},
		),
	);
}

function statistics(count: number): ReadonlyMap<string, PodStats> {
	const entries = Array.from({length: count}, (_, index): [string, PodStats] => {
		const part = (seed: number) => (gibibyte * BigInt(scattered(index, seed))) / 1000n;
		const fs = (seed: number) => ({usedBytes: part(seed), inodesUsed: part(seed) / 4096n});
		const uid = `uid-pod-${index}`;
		const stats = {
			uid,
			memory: {workingSetBytes: part(4)},
			containers: [{name: 'app', rootfs: fs(5), logs: fs(6)}],
			volumes: [{name: 'scratch', ...fs(7)}],
			processCount: BigInt(scattered(index, 8)),
		};
		return [uid, stats];
	});
	return new Map(entries);
}

/** The durations of a ranking and of a plain sort of as many numbers, in milliseconds. */
type Ranked = {
	readonly size: number;
	readonly signal: Signal;
	readonly ranking: number;
	readonly plain: number;
};

const medianOf = (work: () => unknown): number =>
	median(
		Array.from({length: runs}, () => {
			const startedAt = performance.now();
			work();
			return performance.now() - startedAt;
		}),
	);

function measure(): readonly Ranked[] {
	return sizes.flatMap((size) => {
		const [listed, stats] = [pods(size), statistics(size)];
		const numbers = listed.map((_, index) => scattered(index, 9));
		const plain = medianOf(() => numbers.toSorted((a, b) => a - b));
		return signals.map((signal) => {
			const ranking = medianOf(() => rankPods(listed, stats, signal, singleFs));
			return {size, signal, ranking, plain};
		});
	});
}

const report = (all: readonly Ranked[]): string =>
	all
		.map(({size, signal, ranking, plain}) => {
			const share =
				size === 500 ? `, ${((100 * ranking) / budget).toFixed(0)}% of the ${budget} ms it may take` : '';
			return `${String(size).padStart(4)} pods by ${signal.padEnd(17)} ${ranking.toFixed(2)} ms, ${(ranking / plain).toFixed(1)} times a plain sort${share}`;
		})
		.join('\n');

if (import.meta.main) await runAsProgram({measure, report});
