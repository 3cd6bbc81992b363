import {type Duration, second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import type {ScenarioNode, ScenarioPod, ScenarioStep} from '../../support/scenario/scenario.ts';

/** Start and end, in seconds. */
export type Span = {readonly from: number; readonly to: number};

const notReady = 'node.kubernetes.io/not-ready';
export const unreachable = 'node.kubernetes.io/unreachable';

/** The kinds of steps in an outage; each outage has several. */
export const kinds = [
	'deaths',
	'deaths',
	'return',
	'swap',
	'user taint',
	'two user taints',
	'relabelled',
	'controllers killed',
	'controllers paused',
	'node deleted',
	'churn',
	'stall',
	'clocks',
] as const;

/** Rare kinds. They were added later and are drawn separately, so that the old seeds keep their outages. */
export const rareKinds = [
	'registered anew',
	'tolerations changed',
	'moved to another zone',
	'takeover while all is down',
	'leases deleted',
	'status without leases',
	'flapping',
] as const;

/** User actions, which were added still later. */
export const crowdedKinds = [
	'taint taken off by hand',
	'pods made anew',
	'excluded from disruption checks',
	'cordoned',
	'death in another zone',
] as const;
export type Kind = (typeof kinds)[number] | (typeof rareKinds)[number] | (typeof crowdedKinds)[number];

/** Random numbers, and the steps so far. */
export class Draw {
	readonly #random: Random;
	readonly steps: ScenarioStep[] = [];
	readonly nodes: readonly ScenarioNode[];
	readonly clockOffsets: Record<string, Duration> = {};
	readonly stalls: Span[] = [];
	readonly pauses: Span[] = [];

	constructor(seed: number) {
		// Adjacent seeds produce similar first numbers.
		this.#random = new Random(seed * 7919);
		this.#random.next();
		const zones = ['a', 'b', 'c'].slice(0, this.between(1, 3));
		this.nodes = zones.flatMap((zone) =>
			Array.from({length: this.between(2, 5)}, (_, index) => ({
				name: `${zone}-${index + 1}`,
				labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zone},
				createdAt: -3600,
				leasePhase: this.fraction(0, 9.9),
			})),
		);
	}

	fraction(least: number, most: number): number {
		return Number((least + this.#random.next() * (most - least)).toFixed(3));
	}

	between(least: number, most: number): number {
		return least + Math.floor(this.#random.next() * (most - least + 1));
	}

	oneOf<T>(values: readonly [T, ...T[]]): T {
		return values[this.between(0, values.length - 1)] ?? values[0];
	}

	node(): string {
		return this.nodes[this.between(0, this.nodes.length - 1)]?.name ?? '';
	}

	do(at: number, step: {[S in ScenarioStep as S['do']]: Omit<S, 'at'>}[ScenarioStep['do']]): void {
		this.steps.push({at, ...step} as ScenarioStep);
	}
}

/** The pods of a node: some tolerate the controllers' taints for a time, some a user's, some nothing, some everything. */
export function podsOf(node: string, draw: Draw): readonly ScenarioPod[] {
	const forBoth = (tolerationSeconds: number) =>
		[notReady, unreachable].map((key) => ({key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds}));
	const forUser = (tolerationSeconds: number) => [
		{key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds},
	];
	const kinds: Readonly<Record<string, ScenarioPod['tolerations']>> = {
		brief: [...forBoth(draw.oneOf([5, 20])), ...forUser(draw.oneOf([15, 40]))],
		usual: [...forBoth(60), ...forUser(draw.oneOf([30, 75]))],
		uneven: [...forBoth(40).slice(0, 1), ...forBoth(80).slice(1), ...forUser(60)],
		fragile: [],
		patient: [{operator: 'Exists'}],
	};
	return Object.entries(kinds)
		.filter(() => draw.between(0, 2) > 0)
		.map(([kind, tolerations = []]) => ({name: `${node}-${kind}`, namespace: 'shop', node, tolerations}));
}

const maintenance = {key: 'maintenance', effect: 'NoExecute'} as const;
const upgrade = {key: 'upgrade', effect: 'NoSchedule'} as const;

/** Adds the steps of a kind, starting at an instant. */
type Happening = (draw: Draw, at: number, grace: number, pods: readonly ScenarioPod[]) => void;

export const happen: Readonly<Record<Kind, Happening>> = {
	deaths: (draw, at) => {
		const count = draw.between(1, Math.max(1, draw.nodes.length >> 1));
		for (let death = 0; death < count; death += 1)
			draw.do(at + draw.fraction(0, 12), {do: 'stop-kubelet', node: draw.node()});
	},
	return: (draw, at, grace) => {
		const node = draw.node();
		draw.do(at, {do: 'stop-kubelet', node});
		back(draw, at + draw.fraction(15, grace + 60), node);
	},
	swap: (draw, at, grace) => {
		const node = draw.node();
		const back = at + grace + draw.fraction(12, 35);
		draw.do(at, {do: 'stop-kubelet', node});
		draw.do(back, {do: 'start-kubelet', node});
		draw.do(back, {do: 'set-condition', node, condition: {type: 'Ready', status: 'False'}});
		draw.do(back + 0.2, {do: 'sync-pods', node});
		draw.do(back + draw.fraction(0.5, 9), {do: 'stop-kubelet', node});
	},
	'user taint': (draw, at) => {
		const node = draw.node();
		draw.do(at, {do: 'add-taint', node, taint: maintenance});
		if (draw.between(0, 2) === 0)
			draw.do(at + draw.fraction(5, 50), {do: 'remove-taint', node, taint: maintenance});
	},
	'two user taints': (draw, at) => {
		const node = draw.node();
		draw.do(at, {do: 'add-taint', node, taint: maintenance});
		const other = at + draw.fraction(-30, 12);
		draw.do(other, {do: 'add-taint', node, taint: upgrade});
		draw.do(Math.max(at, other) + draw.fraction(2, 15), {do: 'remove-taint', node, taint: upgrade});
	},
	relabelled: (draw, at) => {
		const node = draw.node();
		const labels = draw.nodes.find(({name}) => name === node)?.labels ?? {};
		draw.do(at, {do: 'add-taint', node, taint: maintenance});
		draw.do(at + draw.fraction(3, 25), {
			do: 'set-labels',
			node,
			labels: {...labels, 'example.com/pool': 'x'},
		});
	},
	'controllers killed': (draw, at) => {
		draw.do(at + draw.fraction(20, 60), {do: 'stop-controllers'});
		draw.do((draw.steps.at(-1)?.at ?? at) + draw.fraction(16, 45), {do: 'start-controllers'});
	},
	'controllers paused': (draw, at) => {
		const from = at + draw.fraction(0, 60);
		draw.pauses.push({from, to: from + draw.fraction(2, 9)});
	},
	'node deleted': (draw, at) => draw.do(at + draw.fraction(0, 90), {do: 'delete-node', node: draw.node()}),
	churn: (draw, at) => {
		for (let pod = draw.between(1, 4); pod > 0; pod -= 1) {
			const node = draw.node();
			const [podSpec] = podsOf(node, draw);
			const name = `${node}-young-${Math.floor(at)}-${pod}`;
			if (podSpec) draw.do(at + draw.fraction(0, 40), {do: 'add-pod', podSpec: {...podSpec, name}});
		}
	},
	stall: (draw, at) => {
		const from = at + draw.fraction(0, 60);
		draw.stalls.push({from, to: from + draw.fraction(2, 9)});
	},
	clocks: (draw) => {
		const nodes = Array.from({length: draw.between(1, 3)}, () => draw.node());
		for (const node of nodes) draw.clockOffsets[node] = Math.round(draw.fraction(-240, 240)) * second;
	},
	'registered anew': (draw, at, grace) => {
		const node = draw.node();
		const nodeSpec = draw.nodes.find(({name}) => name === node);
		draw.do(at, {do: 'stop-kubelet', node});
		const gone = at + draw.fraction(10, grace + 40);
		draw.do(gone, {do: 'delete-node', node});
		if (nodeSpec)
			draw.do(gone + draw.fraction(0.5, 25), {do: 'add-node', nodeSpec: {...nodeSpec, createdAt: 0}});
	},
	'tolerations changed': (draw, at, grace, pods) => {
		const node = draw.node();
		draw.do(at, {do: 'stop-kubelet', node});
		for (const {name, namespace, tolerations = []} of pods.filter((pod) => pod.node === node)) {
			const longer = tolerations.map((one) => ({
				...one,
				...(one.tolerationSeconds && {tolerationSeconds: one.tolerationSeconds + draw.between(5, 60)}),
			}));
			const later = at + grace + draw.fraction(-15, 30);
			draw.do(later, {do: 'set-tolerations', pod: `${namespace}/${name}`, tolerations: longer});
		}
	},
	'moved to another zone': (draw, at) => {
		const node = draw.node();
		const labels = draw.nodes.find(({name}) => name === node)?.labels ?? {};
		const zone = draw.oneOf(['a', 'b', 'c']);
		if (draw.between(0, 1)) draw.do(at - draw.fraction(0, 50), {do: 'stop-kubelet', node});
		draw.do(at, {do: 'set-labels', node, labels: {...labels, 'topology.kubernetes.io/zone': zone}});
	},
	'takeover while all is down': (draw, at, grace) => {
		for (const {name} of draw.nodes) draw.do(at + draw.fraction(0, 9), {do: 'stop-kubelet', node: name});
		const ends = at + grace + draw.fraction(-10, 25);
		draw.do(ends, {do: 'stop-controllers'});
		draw.do(ends + draw.fraction(16, 45), {do: 'start-controllers'});
		for (let node = draw.between(0, 2); node > 0; node -= 1)
			back(draw, ends + draw.fraction(20, 90), draw.node());
	},
	'leases deleted': (draw, at) => {
		for (let count = draw.between(1, 2); count > 0; count -= 1)
			draw.do(at + draw.fraction(-20, 60), {do: 'delete-lease', node: draw.node()});
	},
	'status without leases': (draw, at) => {
		const node = draw.node();
		draw.do(at, {do: 'stop-kubelet', node});
		for (let post = draw.between(1, 3), later = at; post > 0; post -= 1) {
			later += draw.fraction(5, 40);
			draw.do(later, {do: 'set-condition', node, condition: {type: 'Ready', status: 'True'}});
		}
	},
	'taint taken off by hand': (draw, at, grace) => {
		const node = draw.node();
		draw.do(at, {do: 'stop-kubelet', node});
		const later = at + grace + draw.fraction(8, 60);
		draw.do(later, {do: 'remove-taint', node, taint: {key: unreachable, effect: 'NoExecute'}});
	},
	'pods made anew': (draw, at, grace, pods) => {
		const node = draw.node();
		draw.do(at, {do: 'stop-kubelet', node});
		for (const podSpec of pods.filter((pod) => pod.node === node)) {
			const later = at + draw.fraction(0, grace + 60);
			draw.do(later, {do: 'delete-pod', pod: `${podSpec.namespace}/${podSpec.name}`});
			draw.do(later + 0.2, {do: 'add-pod', podSpec: {...podSpec, name: `${podSpec.name}-anew`}});
		}
	},
	'excluded from disruption checks': (draw, at) => {
		const node = draw.node();
		const labels = draw.nodes.find(({name}) => name === node)?.labels ?? {};
		const excluded = {...labels, 'node.kubernetes.io/exclude-disruption': ''};
		draw.do(at + draw.fraction(0, 60), {do: 'set-labels', node, labels: excluded});
	},
	cordoned: (draw, at) => {
		const node = draw.node();
		draw.do(at, {do: 'cordon', node});
		if (draw.between(0, 1) === 0) draw.do(at + draw.fraction(2, 70), {do: 'uncordon', node});
	},
	'death in another zone': (draw, at, grace) => {
		const zone = draw.oneOf(['a', 'b', 'c']);
		for (const {name} of draw.nodes.filter((one) => one.name.startsWith(zone)))
			draw.do(at + grace + draw.fraction(-20, 20), {do: 'stop-kubelet', node: name});
	},
	flapping: (draw, at) => {
		const node = draw.node();
		for (let turn = draw.between(2, 4), later = at; turn > 0; turn -= 1) {
			draw.do(later, {do: 'stop-kubelet', node});
			later += draw.fraction(12, 80);
			back(draw, later, node);
			later += draw.fraction(3, 40);
		}
	},
};

function back(draw: Draw, at: number, node: string): void {
	draw.do(at, {do: 'start-kubelet', node});
	draw.do(at + 0.2, {do: 'sync-pods', node});
}
