import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import {rankPods} from '../../../src/core/nodepressure/ranking.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import {resourceOf, type Signal, signals} from '../../../src/core/nodepressure/thresholds/signal.ts';
import {aNodePod, dedicatedImageFs, singleFs, splitFs} from '../../support/pressure.ts';

// A second, deliberately naive ranking: plain numbers, one rule per line, and an insertion sort, which for twelve pods is how
// Go's sort treats ties.

type Drawn = {
	readonly priority: number | undefined;
	readonly memoryRequest: number | undefined;
	readonly storageRequest: number | undefined;
	readonly isSeen: boolean;
	readonly memory: number | undefined;
	readonly rootfs: number;
	readonly logs: number;
	readonly volume: number;
	readonly processes: number | undefined;
};

const amount = fc.nat(6);
const drawn: fc.Arbitrary<Drawn> = fc.record({
	priority: fc.option(fc.constantFrom(-1, 0, 5), {nil: undefined}),
	memoryRequest: fc.option(amount, {nil: undefined}),
	storageRequest: fc.option(amount, {nil: undefined}),
	isSeen: fc.boolean(),
	memory: fc.option(amount, {nil: undefined}),
	rootfs: amount,
	logs: amount,
	volume: amount,
	processes: fc.option(amount, {nil: undefined}),
});

const podOf = ({priority, memoryRequest, storageRequest}: Drawn, index: number): NodePod => {
	const requests = {
		...(memoryRequest !== undefined && {memory: String(memoryRequest)}),
		...(storageRequest !== undefined && {'ephemeral-storage': String(storageRequest)}),
	};
	return aNodePod(
		`p${index}`,
		{requests},
		{...(priority !== undefined && {priority}), volumes: [{name: 'v', kind: 'emptyDir', medium: ''}]},
	);
};

function statsOf({memory, rootfs, logs, volume, processes}: Drawn, index: number): PodStats {
	const fs = (used: number) => ({usedBytes: BigInt(used), inodesUsed: BigInt(used)});
	return {
		uid: `uid-p${index}`,
		...(memory !== undefined && {memory: {workingSetBytes: BigInt(memory)}}),
		containers: [{name: 'app', rootfs: fs(rootfs), logs: fs(logs)}],
		volumes: [{name: 'v', ...fs(volume)}],
		...(processes !== undefined && {processCount: BigInt(processes)}),
	};
}

const layouts = {single: singleFs, dedicated: dedicatedImageFs, split: splitFs};
type Layout = keyof typeof layouts;

function diskUse({rootfs, logs, volume}: Drawn, signal: Signal, layout: Layout): number {
	const all = rootfs + logs + volume;
	if (layout === 'single') return all;
	if (layout === 'split') return signal.startsWith('imagefs') ? 0 : all;
	return signal.startsWith('nodefs') ? logs + volume : rootfs;
}

/** Negative if `a` comes before `b`. */
function before(a: Drawn, b: Drawn, signal: Signal, layout: Layout): number {
	const resource = resourceOf(signal);
	const bool = (one: boolean, other: boolean) => Number(other) - Number(one);
	const priority = (a.priority ?? 0) - (b.priority ?? 0);
	const unseen = !a.isSeen || !b.isSeen ? bool(!a.isSeen, !b.isSeen) : undefined;
	if (resource === 'pids') return priority || (unseen ?? (b.processes ?? 0) - (a.processes ?? 0));
	const use = (one: Drawn) => (resource === 'memory' ? (one.memory ?? 0) : diskUse(one, signal, layout));
	const storage = (one: Drawn) => one.storageRequest ?? 0;
	const request = (one: Drawn) =>
		resource === 'memory' ? (one.memoryRequest ?? 0) : resource === 'inodes' ? 0 : storage(one);
	const less = (one: Drawn) => (resource === 'memory' ? (one.memoryRequest ?? 0) : storage(one));
	const exceeds = (one: Drawn) => use(one) > request(one);
	return (
		(unseen ?? bool(exceeds(a), exceeds(b))) || priority || (unseen ?? use(b) - less(b) - (use(a) - less(a)))
	);
}

function insertionSorted(pods: readonly Drawn[], signal: Signal, layout: Layout): readonly string[] {
	const order = pods.map((pod, index) => ({pod, name: `p${index}`}));
	for (let i = 1; i < order.length; i++) {
		for (let j = i; j > 0; j--) {
			const [left, right] = [order[j - 1], order[j]];
			if (!left || !right || before(right.pod, left.pod, signal, layout) >= 0) break;
			[order[j - 1], order[j]] = [right, left];
		}
	}
	return order.map(({name}) => name);
}

test.for(signals)('pods are ranked for %s as by plain numbers and the rules read aloud', (signal) => {
	fc.assert(
		fc.property(
			fc.array(drawn, {maxLength: 12}),
			fc.constantFrom<Layout>('single', 'dedicated', 'split'),
			(pods, layout) => {
				const stats = new Map(
					pods.flatMap((pod, index) => (pod.isSeen ? [[`uid-p${index}`, statsOf(pod, index)] as const] : [])),
				);
				const ranked = rankPods(pods.map(podOf), stats, signal, layouts[layout]);
				expect(ranked.map(({pod}) => pod.name)).toEqual(insertionSorted(pods, signal, layout));
			},
		),
		{numRuns: 400},
	);
});
