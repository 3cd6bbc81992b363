import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../../src/core/model/clusterEvent.ts';
import type {Pod} from '../../../../src/core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../../../src/core/model/taint.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import {tolerationOf} from '../../../../src/forecast/observe/countdowns/podTimers.ts';
import {referencePodsAmong} from '../../../../src/forecast/observe/countdowns/referencePods.ts';
import {timerAtFirstLook} from '../../../../src/forecast/observe/countdowns/timerAtFirstLook.ts';
import {aCondition, aLease, aNode, aPod, aTaint, longAgo, tolerates} from '../../../support/builders.ts';
import {ClientView} from '../../../support/clientView.ts';
import type {Scenario, ScenarioStep} from '../../../support/scenario/scenario.ts';
import {settingsOf} from '../../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../../support/scenario/scenarioPlayer.ts';
import {defaultConfig} from '../../../support/scenarios.ts';

const defaults = settingsFor('v1.36.3');
const maintenance = {key: 'maintenance', effect: 'NoExecute' as const};
const other = {key: 'upgrade', effect: 'NoSchedule' as const};

/** A node that a user taints at 30.4 s; its pod tolerates that for 30 s. */
const scenarioWith = (steps: readonly ScenarioStep[]): Scenario => ({
	name: 'a user taints a node',
	config: defaultConfig,
	monitorPassDuration: 0.001,
	leaseRenewInterval: 10,
	nodeStatusReportInterval: 300,
	nodes: ['a', 'b'].map((name) => ({name, createdAt: -3600})),
	pods: [
		{name: 'web', node: 'a', tolerations: [{key: 'maintenance', operator: 'Exists', tolerationSeconds: 30}]},
	],
	steps: [{at: 30.4, do: 'add-taint', node: 'a', taint: maintenance}, ...steps],
	until: 100,
});

test.for<{name: string; steps: readonly ScenarioStep[]}>([
	{name: 'nothing else is written', steps: []},
	{name: 'another taint is added', steps: [{at: 45.2, do: 'add-taint', node: 'a', taint: other}]},
	{
		name: 'another taint is removed',
		steps: [
			{at: 20, do: 'add-taint', node: 'a', taint: other},
			{at: 45.2, do: 'remove-taint', node: 'a', taint: other},
		],
	},
	{name: 'the same manager labels the node', steps: [{at: 45.2, do: 'set-labels', node: 'a', labels: {}}]},
])("a user's taint that carries no time is not dated by the manager's last write, where $name", ({steps}) => {
	const scenario = scenarioWith(steps);
	const player = new ScenarioPlayer(scenario, defaults);
	const view = new ClientView(player.simulation);
	player.advanceTo(50 * second);
	const forecaster = new Forecaster(settingsOf(scenario.config, defaults));
	forecaster.observeSnapshot(view.list());
	const {verdict, eviction} = forecaster.forecast(50 * second).pods[0] ?? {};
	const [deletion] = player
		.advanceTo(100 * second)
		.filter(({effect}) => effect.type === 'podDeleted')
		.map(({at}) => at);
	expect(deletion).toBeCloseTo(60.4 * second, -2);
	expect(verdict).toBe('Scheduled');
	expect(eviction?.earliest).toBeLessThanOrEqual(deletion ?? 0);
	expect(eviction?.latest).toBeGreaterThanOrEqual(deletion ?? 0);
	// The last write is the upper bound.
	const written = steps.some(({at}) => at > 30.4) ? 45 : 30;
	expect(eviction?.latest).toBeLessThan((written + 30 + 2) * second);
});

const now = 80 * second;
const both = (seconds: number) => [tolerates(taintNotReady, seconds), tolerates(taintUnreachable, seconds)];

/** A node at 80 s that has reported NotReady since 52 s, and was tainted for it at 53.6 s. */
function notReady(pods: readonly Pod[], events: readonly ClusterEvent[] = []) {
	const forecaster = new Forecaster({...defaults, nodeMonitorGracePeriod: 20 * second});
	const conditions = [aCondition('Ready', 'False', {lastTransitionTime: 52 * second})];
	const taints = [aTaint(taintNotReady, {timeAdded: 53 * second})];
	forecaster.observeSnapshot({
		observedAt: now,
		source: 'cluster',
		nodes: [aNode('n1', {conditions, taints}), aNode('n2')],
		pods,
		leases: ['n1', 'n2'].map((name) => aLease(name, now - second)),
		events,
		problems: [],
	});
	const {earliest = 0, latest} =
		forecaster.forecast(now).pods.find(({name}) => name === 'web')?.eviction ?? {};
	return [earliest / second, (latest ?? Number.POSITIVE_INFINITY) / second] as const;
}

const web = (fields: Partial<Pod>) => aPod('web', {tolerations: both(60), ...fields});

test('a countdown may be older than the taint for which a node was swapped that came back for a moment', () => {
	const [earliest, latest] = notReady([web({readySince: 52 * second})]);
	expect(earliest).toBeLessThan(94);
	expect(latest).toBeGreaterThan(113);
});

test('it is not where a pod has been ready since long before: nothing marked it', () => {
	const [earliest] = notReady([web({readySince: longAgo})]);
	expect(earliest).toBeGreaterThan(112);
});

test('a pod of a shorter toleration that went tells how old the older countdown is at the most', () => {
	const gone = aPod('gone', {tolerations: both(20), readySince: 52 * second, evictedAt: 54 * second});
	const [earliest, latest] = notReady([web({readySince: 52 * second}), gone]);
	expect(earliest).toBeGreaterThan(93.5);
	expect(earliest).toBeLessThan(94.2);
	expect(latest).toBeGreaterThan(113);
});

test('the event of its last turn to Unknown tells as much', () => {
	const time = {at: 33 * second, precision: 0};
	const [earliest] = notReady(
		[web({readySince: 52 * second})],
		[
			{
				...{namespace: 'default', name: 'n1.1', reason: 'NodeNotReady', about: 'n1'},
				...{first: time, last: time, createdAt: 33 * second},
			},
		],
	);
	expect(earliest).toBeGreaterThan(92);
	expect(earliest).toBeLessThan(94);
});

test('the deletion for a taint that new controllers took off may still wait for their client, and its pod be there', () => {
	const endsFrom = (wait: number) => {
		const pod = web({tolerations: [tolerates(taintUnreachable, 20), tolerates('maintenance', 60)]});
		// The controllers started at 57 s, and found both taints; their first pass took off their own.
		const taints = [aTaint('maintenance')];
		const taintWrites = [
			{manager: 'kube-controller-manager', operation: 'Update' as const, time: 57 * second},
		];
		const node = aNode('n1', {conditions: [aCondition('Ready', 'Unknown')], taints, taintWrites});
		const toleration = tolerationOf(pod, taints, true);
		if (toleration.type !== 'limited') throw new Error('it is tolerated for a time');
		const {fires} = timerAtFirstLook(pod, toleration, {
			...{node, pods: [pod], noExecute: taints, nodeMonitorPeriod: 5 * second, now},
			controllersStarted: {lo: 57 * second, hi: 58 * second},
			firstTaintedBy: Number.NEGATIVE_INFINITY,
			turnedUnknownAfter: Number.NEGATIVE_INFINITY,
			referencePods: referencePodsAmong([pod], now),
			podsOfAnyTime: referencePodsAmong([pod], now),
			delayedBy: {lo: wait * second, hi: 10 * second},
			comparisonOperators: true,
			readyChangedAt: undefined,
		});
		return fires.lo / second;
	};
	expect(endsFrom(4)).toBe(80);
	expect(endsFrom(0)).toBe(117);
});
