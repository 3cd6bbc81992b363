import {setTimeout as sleep} from 'node:timers/promises';
import {type PodKinds, tolerate} from '../../e2e/workload.ts';
import {drawnExperiment} from './drawnExperiment.ts';
import type {Experiment, Laboratory} from './laboratory.ts';
import {largeOutage} from './largeOutage.ts';
import {randomExperiment} from './randomExperiment.ts';
import {throttledZone} from './throttledZone.ts';
import {unusualOutages} from './unusualOutages.ts';

const forSeconds = (tolerationSeconds: number) => tolerate({operator: 'Exists', tolerationSeconds});

/** The pods of each node. The API server adds default tolerations of 40 s to pods without any. */
const podKinds: PodKinds = {
	'default-0': [],
	'default-1': [],
	brief: forSeconds(20),
	long: forSeconds(60),
	patient: tolerate({operator: 'Exists'}),
	fragile: tolerate({operator: 'Equal', value: 'never'}),
};

const threeZones = {layout: {a: 3, b: 3, c: 3}, podKinds};
const twelve = {layout: {a: 6, b: 3, c: 3}, podKinds};

/** Enough from a node's failure to its last deletion without a queue: grace period, pass, toleration, and a reserve. */
const enough = 160_000;

const oneNode: Experiment = {
	name: 'one-node',
	title: 'One node dies',
	cluster: threeZones,
	play: async (laboratory) => {
		laboratory.stop('a-1');
		await laboratory.untilOver(enough);
	},
};

const severalNodes: Experiment = {
	name: 'several-nodes',
	title: 'Three of six nodes of a zone die one after another',
	cluster: twelve,
	play: async (laboratory) => {
		for (const node of ['a-1', 'a-2', 'a-3']) {
			laboratory.stop(node);
			await sleep(3000 * Math.random());
		}
		await laboratory.untilOver(enough + 30_000);
	},
};

const zone: Experiment = {
	name: 'zone',
	title: 'A zone of three nodes dies',
	cluster: threeZones,
	play: async (laboratory) => {
		laboratory.stop('b-1', 'b-2', 'b-3');
		await laboratory.untilOver(enough + 40_000);
	},
};

const partialDisruption: Experiment = {
	name: 'partial-disruption',
	title: 'Three of four nodes of a small zone die, evictions stop; then one returns',
	cluster: {layout: {a: 4, b: 3, c: 3}, podKinds},
	play: async (laboratory) => {
		laboratory.stop('a-1', 'a-2', 'a-3');
		const {recorder} = laboratory.cluster;
		const isUnknown = (node: string) => recorder.find(`node/${node}`, 'Ready=Unknown') !== undefined;
		await laboratory.until(() => ['a-1', 'a-2', 'a-3'].every(isUnknown), 80_000);
		await sleep(30_000 + 10_000 * Math.random());
		// A node without a taint, so that it leaves the queue and another one's wait ends.
		const back = ['a-1', 'a-2', 'a-3'].find((node) => laboratory.taintedAt(node) === undefined) ?? 'a-1';
		await laboratory.start(back);
		await laboratory.untilOver(enough);
	},
};

const controllerRestart: Experiment = {
	name: 'controller-restart',
	title: 'The controller manager is killed in mid countdown and started again',
	cluster: threeZones,
	play: async (laboratory) => {
		laboratory.stop('a-1', 'c-2');
		await laboratory.until(() => laboratory.taintedAt('a-1') !== undefined, 90_000);
		await sleep(8000);
		await laboratory.restartControllers();
		await sleep(30_000);
		await laboratory.untilOver(enough);
	},
};

const recovery: Experiment = {
	name: 'recovery',
	title: 'Of three dead nodes one returns before it is Unknown, one soon after its taint, one not',
	cluster: threeZones,
	play: async (laboratory) => {
		laboratory.stop('a-1');
		await sleep(7000 * Math.random());
		laboratory.stop('b-1', 'c-1');
		await sleep(38_000);
		await laboratory.start('b-1');
		await laboratory.until(() => laboratory.taintedAt('a-1') !== undefined, 60_000);
		await sleep(8000);
		await laboratory.start('a-1');
		await laboratory.untilOver(enough);
	},
};

const maintenance = {key: 'maintenance', value: 'now', effect: 'NoExecute'};
const userTolerates = (tolerationSeconds: number) => [
	{key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds},
];

const userTaints: Experiment = {
	name: 'user-taints',
	title: 'Users taint three nodes; one taint is taken off in time, one node dies as well',
	cluster: {
		layout: threeZones.layout,
		podKinds: {brief: userTolerates(20), medium: userTolerates(45), long: userTolerates(75), fragile: []},
	},
	play: async (laboratory: Laboratory) => {
		await laboratory.taint('a-1', [maintenance]);
		await sleep(4000);
		await laboratory.taint('b-1', [maintenance]);
		await laboratory.taint('c-1', [maintenance]);
		laboratory.stop('c-1');
		await sleep(30_000);
		await laboratory.taint('b-1', []);
		await sleep(115_000);
	},
};

/** Seeds that draw at least 60 nodes. */
const largeSeeds = [1005, 1007, 1010, 1021, 1038, 1064, 1068, 1079, 1085, 1097];

/** The failure of a zone with most nodes of a cluster: its nodes wait for minutes, in random order. */
const largeZone = (seed: number): Experiment => ({
	...drawnExperiment(largeOutage(seed)),
	lookEvery: 20_000,
	takesLong: true,
});

const seeds = Array.from({length: 10}, (_, i) => i + 1);

/** All outages, in the order of the report. */
export const experiments: readonly Experiment[] = [
	oneNode,
	severalNodes,
	zone,
	partialDisruption,
	controllerRestart,
	recovery,
	userTaints,
	...seeds.map((seed) => randomExperiment(seed, podKinds)),
	throttledZone,
	...largeSeeds.map(largeZone),
	...unusualOutages,
];
