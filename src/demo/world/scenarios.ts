import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {controlPlaneNode, type InitialClusterSize} from './initialCluster.ts';

/** One change to the cluster, `after` the start of the demo. */
export type DemoStep = {readonly after: Duration} & (
	| {readonly do: 'stopKubelets' | 'startKubelets'; readonly nodes: readonly string[]}
	| {readonly do: 'stopControllers' | 'startControllers'}
	/** The pods of a workload on a node begin to leak memory. */
	| Readonly<{
			do: 'leak';
			node: string;
			workload: string;
			mebibytesPerSecond: number;
	  }>
);

export type DemoScenario = Readonly<{
	name: string;
	/** One line for the menu. */
	title: string;
	size: InitialClusterSize;
	/** What the controller manager has besides its defaults, and the flags that say so. */
	settings?: Partial<ControllerSettings>;
	flags?: readonly string[];
	steps: readonly DemoStep[];
}>;

const threeZones: InitialClusterSize = {zones: {a: 4, b: 4, c: 4}, replicaFactor: 1};
// Long enough to see the healthy cluster first.
const start: Duration = 10 * second;

const numbered = (zone: string, length: number) => Array.from({length}, (_, index) => `${zone}${index + 1}`);

const stop = (after: Duration, nodes: readonly string[]): DemoStep => ({after, do: 'stopKubelets', nodes});
const restart = (after: Duration, nodes: readonly string[]): DemoStep => ({
	after,
	do: 'startKubelets',
	nodes,
});

const scenario = (name: string, title: string, steps: readonly DemoStep[]): DemoScenario => ({
	name,
	title,
	size: threeZones,
	steps,
});

/** All scenarios, in the order of the menu. */
export const scenarios: readonly DemoScenario[] = [
	scenario('node-dies', 'one node of twelve falls silent', [stop(start, ['b2'])]),
	scenario('rack-dies', 'two nodes of one zone fall silent together', [stop(start, ['b1', 'b2'])]),
	scenario('zone-dies', 'all four nodes of one zone fall silent', [stop(start, numbered('b', 4))]),
	scenario('all-zones-down', 'no kubelet reaches the API server: evictions stop', [
		stop(start, [controlPlaneNode, ...numbered('a', 4), ...numbered('b', 4), ...numbered('c', 4)]),
		restart(5 * minute, [controlPlaneNode, ...numbered('a', 4)]),
	]),
	scenario('partial-small-zone', 'three of four nodes of a small zone: its evictions stop', [
		stop(start, ['b1', 'b2']),
		stop(start + 90 * second, ['b3']),
	]),
	{
		...scenario('partial-large-zone', 'two thirds of a large zone: its evictions slow down', [
			stop(start, numbered('b', 40)),
		]),
		size: {zones: {a: 4, b: 60, c: 4}, replicaFactor: 8},
	},
	scenario('flapping-node', 'one node comes and goes', [
		stop(start, ['b2']),
		restart(start + 2 * minute, ['b2']),
		stop(start + 3 * minute, ['b2']),
		restart(start + 5 * minute, ['b2']),
		stop(start + 6 * minute, ['b2']),
	]),
	scenario('controller-restart', 'the controller manager restarts during a countdown', [
		stop(start, ['b2']),
		{after: start + 2 * minute, do: 'stopControllers'},
		// The next process waits until the previous lease has expired.
		{after: start + 2 * minute + 17 * second, do: 'startControllers'},
	]),
	scenario('recovery', 'a zone dies, and its nodes come back one by one', [
		stop(start, numbered('b', 4)),
		...numbered('b', 4).map((node, index) => restart(start + (4 + index) * minute, [node])),
	]),
	scenario('node-pressure', 'a node runs short of memory: its kubelet evicts', [
		{after: start, do: 'leak', node: 'b2', workload: 'search', mebibytesPerSecond: 20},
		{after: start + 4 * minute, do: 'leak', node: 'b2', workload: 'cart', mebibytesPerSecond: 30},
	]),
	largeCluster(1667),
];

/** One of three zones falls silent; each has `nodesPerZone` nodes. */
export function largeCluster(nodesPerZone: number): DemoScenario {
	const nodes = 3 * nodesPerZone;
	const title = `a third of ${grouped(nodes)} nodes falls silent: one large zone`;
	return {
		...scenario('large-cluster', title, [stop(start, numbered('b', nodesPerZone))]),
		// Two pods per node, and as many of DaemonSets.
		size: {
			zones: {a: nodesPerZone, b: nodesPerZone, c: nodesPerZone},
			replicaFactor: Math.round(nodes / 13.5),
		},
	};
}

/** A count with a comma between thousands. Avoids `toLocaleString`, which loads all locales. */
export function grouped(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export const nodesOf = ({size: {zones}}: DemoScenario): number =>
	Object.values(zones).reduce((sum, count) => sum + count, 0);

export const scenarioNamed = (name: string): DemoScenario | undefined =>
	scenarios.find((candidate) => candidate.name === name);
