import {Random} from '../../../src/core/time/random.ts';
import type {Layout} from '../fleet.ts';
import {type PodKinds, usualPods} from '../workload.ts';
import {type Deed, type DeedName, maintenance, nodeDeeds, workloadDeeds} from './deeds.ts';

/** An outage of a few dead nodes, in which others end pods, too. Times are milliseconds since its start. */
export type MixedOutage = {
	readonly seed: number;
	readonly layout: Layout;
	readonly podKinds: PodKinds;
	/** In seconds. */
	readonly gracePeriod: number;
	/** Nodes whose kubelet stops, and that nobody else touches. */
	readonly dead: readonly {readonly at: number; readonly node: string}[];
	readonly deeds: readonly Deed[];
};

const layouts: readonly Layout[] = [{a: 4, b: 4, c: 4}, {a: 6, b: 5}, {a: 3, b: 5, c: 3}, {a: 11}];

/** What begins later would not end in time: pods go 80 s after their Node. */
const lastStart = 35_000;

/** Draws an outage: one to three dead nodes, five of those who delete a node's pods, and one of those who reduce a workload. */
export function drawOutage(seed: number): MixedOutage {
	const random = new Random(seed);
	const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
	const shuffled = <Item>(all: readonly Item[]): Item[] =>
		all
			.map((item) => ({item, order: random.next()}))
			.toSorted((a, b) => a.order - b.order)
			.map(({item}) => item);
	const layout = layouts[between(0, layouts.length - 1)] ?? {};
	const zones = shuffled(
		Object.entries(layout).map(([zone, size]) =>
			shuffled(Array.from({length: size}, (_, i) => `${zone}-${i + 1}`)),
		),
	);
	// In turn, so that no zone loses most of its nodes at once: then nothing would be evicted in it.
	const nodes = Array.from({length: 12}, (_, i) => zones.flatMap((zone) => zone[i] ?? [])).flat();
	const start = () => between(0, lastStart);
	const dead = nodes.splice(0, between(1, 3)).map((node) => ({at: between(0, 8000), node}));
	const own = (names: readonly DeedName[], count: number) => shuffled(names).slice(0, count);
	const deeds = [...own(nodeDeeds, 5), ...own(workloadDeeds, 1)].map(
		(name): Deed => ({name, at: start(), node: nodes.shift() ?? '', random: between(1, 1e6)}),
	);
	const maintained = [{key: maintenance, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 15}];
	const kinds = shuffled(Object.entries({...usualPods, maintained}));
	return {
		...{seed, layout, dead, deeds},
		podKinds: Object.fromEntries(kinds.slice(0, between(3, 5))),
		gracePeriod: between(0, 1) === 0 ? 30 : 40,
	};
}
