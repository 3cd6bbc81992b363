import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {predictionOf} from '../../../src/forecast/ledger/prediction.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import {withPressure} from '../../../src/forecast/pressure/withPressure.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aNode, aPod} from '../../support/builders.ts';
import {aNodePod} from '../../support/pressure.ts';

/** When node n1 announced its shutdown; the forecast is three seconds later. */
const announced: Instant = 30 * minute;
const now: Instant = announced + 3 * second;
const notReady = 'node.kubernetes.io/not-ready';

const shuttingDown = aNode('n1', {
	conditions: [
		aCondition('Ready', 'False', {
			...{lastTransitionTime: announced, lastHeartbeatTime: announced},
			...{reason: 'KubeletNotReady', message: 'node is shutting down'},
		}),
	],
	taints: [{key: notReady, value: '', effect: 'NoExecute', timeAdded: announced + second}],
});

const tolerating = (name: string, tolerationSeconds: number | undefined, fields: Partial<Pod> = {}): Pod =>
	aPod(name, {
		tolerations: [
			{
				...{key: notReady, operator: 'Exists', value: '', effect: 'NoExecute'},
				...(tolerationSeconds !== undefined && {tolerationSeconds}),
			},
		],
		...fields,
	});

const pods = [
	tolerating('cart', 300),
	tolerating('agent', undefined, {priority: 2_000_001_000}),
	tolerating('hasty', 5),
	tolerating('ended', undefined, {phase: 'Failed', isDisruptionTarget: true, isShutDown: true}),
	tolerating('gone', 300, {phase: 'Failed', isDisruptionTarget: true, isShutDown: true}),
];

function forecastOf(node: Node, at: Instant = now, settings: Partial<ControllerSettings> = {}): Forecast {
	const nodes = [node, aNode('n2'), aNode('n3')];
	const snapshot: ClusterSnapshot = {
		...{observedAt: at, source: 'file', problems: [], nodes, pods},
		leases: nodes.map(({name}) => ({
			...{namespace: 'kube-node-lease', name, renewTime: at - second, leaseDuration: 40 * second},
		})),
	};
	const forecaster = aForecaster(settings, snapshot);
	return forecaster.forecast(at);
}

const of = ({pods: told}: Forecast, name: string) => {
	const found = told.find((pod) => pod.name === name);
	if (!found) throw new Error(`${name} is not told`);
	return found;
};

const asked = (forecast: Forecast, config: EvictionConfig, listed: readonly NodePod[] = []) =>
	withPressure(forecast, [
		forecastPressure(
			{node: 'n1', samples: [], config, pods: listed, conditions: [], evicted: [], reports: []},
			forecast.observedAt,
		),
	]);

test('pods of a node that announces its shutdown may end any moment, also those that no taint evicts', () => {
	const forecast = forecastOf(shuttingDown);
	expect(of(forecast, 'agent')).toMatchObject({
		verdict: 'Unsure',
		cause: {kind: 'NodeShutdown'},
		eviction: {earliest: now, latest: null},
	});
	expect(of(forecast, 'cart')).toMatchObject({
		verdict: 'Scheduled',
		cause: {kind: 'NodeShutdown'},
		eviction: {earliest: now},
		endings: [{cause: {kind: 'NodeShutdown'}}, {cause: {kind: 'Taint'}}],
	});
	expect(of(forecast, 'cart').eviction?.latest).toBe(of(forecast, 'cart').endings?.[1]?.eviction.latest);
	expect(of(forecast, 'agent').because.join('\n')).toContain('node n1 says that it is shutting down');
});

test('where configz tells the periods, each pod has a range by its priority', () => {
	const config = {shutdownGracePeriod: '1m0s', shutdownGracePeriodCriticalPods: '20s'};
	const forecast = asked(forecastOf(shuttingDown), config);
	// 40 s for non-critical pods, then 20 s for critical ones; the announcement has whole seconds, a pod's end five seconds of
	// slack.
	expect(of(forecast, 'cart')).toMatchObject({
		verdict: 'Scheduled',
		eviction: {earliest: now, latest: announced + 46 * second},
	});
	expect(of(forecast, 'agent')).toMatchObject({
		verdict: 'Scheduled',
		cause: {kind: 'NodeShutdown'},
		eviction: {earliest: now, latest: announced + 66 * second},
	});
	expect(of(forecast, 'agent').because.join('\n')).toContain(
		'it waits 40s for those from priority 0 on, then 20s for those from priority 2000000000 on',
	);
});

test('a pod whose own grace period is shorter than that of its group ends sooner', () => {
	const config = {shutdownGracePeriod: '1m0s', shutdownGracePeriodCriticalPods: '20s'};
	const forecast = forecastOf(shuttingDown);
	const {uid} = of(forecast, 'cart');
	const own = (terminationGracePeriodSeconds: number) =>
		of(asked(forecast, config, [aNodePod('cart', {}, {uid, terminationGracePeriodSeconds})]), 'cart').eviction
			?.latest;
	expect([own(10), own(40), own(300)]).toEqual([16, 46, 46].map((after) => announced + after * second));
});

test('a taint that comes before the shutdown does is shown, and bounds its range', () => {
	const plain = of(forecastOf(shuttingDown), 'hasty');
	const told = of(asked(forecastOf(shuttingDown), {shutdownGracePeriod: '10m0s'}), 'hasty');
	const {eviction, cause, because} = told;
	expect(cause?.kind).toBe('Taint');
	expect(because.join('\n')).toContain('it waits 600s for those from priority 0 on');
	expect(eviction?.latest).not.toBeNull();
	expect(eviction?.latest).toBe(plain.eviction?.latest);
});

test('a pod that the shutdown has ended is told so, and its end is not predicted as a deletion', () => {
	const ended = of(forecastOf(shuttingDown), 'ended');
	expect(ended).toMatchObject({verdict: 'Stays', cause: {kind: 'NodeShutdown'}, eviction: null});
	expect(ended.because.join('\n')).toContain('its node shut down, and its kubelet ended it');
	const {cause} = of(forecastOf(shuttingDown, now, {taintEviction: false}), 'gone');
	expect(cause).toEqual({kind: 'NodeShutdown'});
	expect(predictionOf(of(forecastOf(shuttingDown), 'cart'), now)).toBeUndefined();
});

test('once the node is back, or silent, nothing is told of a shutdown to come', () => {
	const back = forecastOf(aNode('n1'));
	expect(back.pods.find(({name}) => name === 'cart')?.cause ?? null).toBeNull();
	const renewTime = now - second;
	const lease = {namespace: 'kube-node-lease', name: 'n1', renewTime, leaseDuration: 40 * second};
	const nodes = [shuttingDown, aNode('n2')];
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			source: 'file',
			nodes,
			pods,
			leases: [lease, {...lease, name: 'n2'}],
		},
	);
	const silent = forecaster.forecast(now + 30 * second).pods.find(({name}) => name === 'cart');
	expect(silent?.cause?.kind).toBe('Taint');
});
