import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {ClientView} from '../support/clientView.ts';
import type {Scenario, ScenarioStep} from '../support/scenario/scenario.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';

/**
 * Proof that the widest ranges are necessary: pairs of clusters that no client can distinguish at the time of the forecast, in
 * which the same pod is evicted at different times. The range must contain both.
 */

const defaults = settingsFor('v1.36.3');

type Twin = {readonly steps: readonly ScenarioStep[]; readonly seed?: number};

const base = {
	config: {
		nodeMonitorPeriod: 5,
		nodeMonitorGracePeriod: 50,
		nodeStartupGracePeriod: 60,
		nodeEvictionRate: 0.1,
		secondaryNodeEvictionRate: 0.01,
		largeClusterSizeThreshold: 3,
		unhealthyZoneThreshold: 0.55,
	},
	monitorPassDuration: 0.0013,
	leaseRenewInterval: 10,
	nodeStatusReportInterval: 300,
	until: 700,
};

function play(cluster: Pick<Scenario, 'nodes' | 'pods'>, {steps, seed = 1}: Twin, lookAt: number) {
	const scenario = {...base, name: 'twin', ...cluster, steps};
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	player.advanceTo(lookAt * second);
	const seen = view.list();
	const forecaster = aForecaster(settingsOf(scenario.config, defaults), seen);
	const ranges = new Map(
		forecaster.forecast(lookAt * second).pods.map(({name, eviction}) => [name, eviction]),
	);
	const gone = new Map<string, number>();
	for (const {at, effect} of player.advanceTo(base.until * second))
		if (effect.type === 'podDeleted' && !effect.again) gone.set(effect.pod.replace('default/', ''), at);
	return {seen, ranges, gone};
}

const node = (name: string, leasePhase: number) => ({name, createdAt: -3600, leasePhase});
const tolerating = (key: string, tolerationSeconds: number) => ({
	key,
	operator: 'Exists',
	effect: 'NoExecute',
	tolerationSeconds,
});
const aPodOn = (name: string, ...tolerations: ReturnType<typeof tolerating>[]) => ({
	name: `pod-${name}`,
	node: name,
	tolerations,
});
const addTaint = (
	at: number,
	key: string,
	effect: 'NoExecute' | 'NoSchedule' = 'NoExecute',
): ScenarioStep => ({at, do: 'add-taint', node: 'a', taint: {key, effect}});
const notReady = (at: number): ScenarioStep => ({
	at,
	do: 'set-condition',
	node: 'a',
	condition: {type: 'Ready', status: 'False'},
});
const both = [
	tolerating('node.kubernetes.io/not-ready', 300),
	tolerating('node.kubernetes.io/unreachable', 300),
];

test.for<{
	name: string;
	tolerations: ReturnType<typeof tolerating>[];
	twins: [Twin, Twin];
	lookAt: number;
	apart: number;
}>([
	{
		name: `a user's taint carries no time`,
		tolerations: [tolerating('maintenance', 60)],
		// The taint's field manager wrote last at 48 s in both: in the first it removed another taint then.
		twins: [
			{
				steps: [
					addTaint(11, 'maintenance'),
					addTaint(30, 'repair', 'NoSchedule'),
					{...addTaint(48, 'repair', 'NoSchedule'), do: 'remove-taint'} as ScenarioStep,
				],
			},
			{steps: [addTaint(48, 'maintenance')]},
		],
		lookAt: 50.4,
		apart: 37,
	},
	{
		name: 'a countdown may have been set for a taint that was swapped for the present one',
		tolerations: [tolerating('maintenance', 100), tolerating('repair', 300)],
		twins: [
			{
				steps: [
					addTaint(11, 'maintenance'),
					addTaint(20, 'repair'),
					{...addTaint(60, 'maintenance'), do: 'remove-taint'} as ScenarioStep,
				],
			},
			{steps: [addTaint(60, 'repair')]},
		],
		lookAt: 70.4,
		apart: 248,
	},
	{
		name: 'the not-ready taint that went before left no trace of when it came',
		tolerations: both,
		twins: [
			{steps: [notReady(5.3), notReady(33.3), {at: 61, do: 'stop-kubelet', node: 'a'}]},
			{steps: [notReady(33.3), {at: 61, do: 'stop-kubelet', node: 'a'}]},
		],
		lookAt: 125.4,
		apart: 26,
	},
])('$name', ({tolerations, twins, lookAt, apart}) => {
	const cluster = {nodes: [node('a', 0.25), node('b', 1.25)], pods: [aPodOn('a', ...tolerations)]};
	const [one, other] = twins.map((twin) => play(cluster, twin, lookAt));
	expect(one?.seen).toEqual(other?.seen);
	const [first = 0, second_ = 0] = [one?.gone.get('pod-a'), other?.gone.get('pod-a')];
	expect(Math.abs(first - second_) / second).toBeGreaterThan(apart - 1.5);
	const range = one?.ranges.get('pod-a');
	for (const at of [first, second_]) {
		expect(at).toBeGreaterThanOrEqual(range?.earliest ?? Number.POSITIVE_INFINITY);
		expect(at).toBeLessThanOrEqual(range?.latest ?? 0);
	}
});

test('at the secondary rate chance decides who goes 100 s before whom', () => {
	const names = ['a', 'b', 'c', 'd', 'e'];
	const cluster = {
		nodes: names.map((name, index) => node(name, 0.25 + index)),
		pods: names.map((name) => aPodOn(name, ...both)),
	};
	const steps = ['a', 'b', 'c'].map((name, index): ScenarioStep => {
		return {at: 14 + index * 0.01, do: 'stop-kubelet', node: name};
	});
	const played = Array.from({length: 20}, (_, seed) => play(cluster, {steps, seed: seed + 1}, 63));
	for (const {seen} of played) expect(seen).toEqual(played[0]?.seen);
	const times = played.map(({gone}) => gone.get('pod-a') ?? 0);
	const [earliest, latest] = [Math.min(...times), Math.max(...times)];
	expect((latest - earliest) / second).toBeGreaterThan(90);
	const range = played[0]?.ranges.get('pod-a');
	expect(range?.earliest).toBeLessThanOrEqual(earliest);
	expect(range?.latest).toBeGreaterThanOrEqual(latest);
	expect(((range?.latest ?? 0) - (range?.earliest ?? 0) - (latest - earliest)) / second).toBeLessThan(12);
});
