import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {ClientView} from '../support/clientView.ts';
import {playDrawn} from '../support/drawn.ts';
import {feed} from '../support/feed.ts';
import type {Scenario} from '../support/scenario/scenario.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from '../support/truth.ts';

const watchEvery = 50;
/** When forecasts are made, in seconds after the return. */
const looks = [0.2, 2, 6, 11, 25, 60];

/** How pods are evicted. With taints, a slow call lets a pass taint a node before it judges the zones. */
type Eviction = {readonly version: string; readonly byTaints: boolean; readonly callDuration: number};

const lifecycleTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const toleratesFor = (tolerationSeconds: number) =>
	lifecycleTaints.map((key) => ({key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds}));

/** All nodes of the only zone fail, together or one by one, and later one of them returns. */
function returnOf(
	seed: number,
	{byTaints}: Eviction,
): {readonly scenario: Scenario; readonly backAt: number} {
	const random = new Random(seed * 31);
	const between = (least: number, most: number) => least + random.next() * (most - least);
	const oneOf = (items: readonly number[]): number => items[Math.floor(between(0, items.length))] ?? 0;
	const prefix = byTaints ? 'topology' : 'failure-domain.beta';
	const labels = {[`${prefix}.kubernetes.io/zone`]: 'a'};
	const nodes = Array.from({length: oneOf([2, 2, 3, 4])}, (_, index) => ({
		...{name: `a${index}`, labels, createdAt: -3600, leasePhase: between(0, 9.9)},
	}));
	const podEvictionTimeout = oneOf([300, 120, 60, 20, 30, 45]);
	const [start, spread] = [between(20, 60), oneOf([0.5, 30, podEvictionTimeout + 60])];
	const stops = nodes.map(({name}, index) => ({
		...({
			at: start + (index * spread) / nodes.length + between(0, 1),
			do: 'stop-kubelet',
			node: name,
		} as const),
	}));
	const backAt = Math.max(...stops.map(({at}) => at)) + between(25, podEvictionTimeout * 1.7 + 60);
	const scenario: Scenario = {
		name: `return ${seed}`,
		config: {
			nodeMonitorPeriod: oneOf([5, 5, 2, 7]),
			nodeStartupGracePeriod: 60,
			nodeMonitorGracePeriod: oneOf([50, 40, 20]),
			nodeEvictionRate: oneOf([0.1, 0.2, 1]),
			secondaryNodeEvictionRate: 0.01,
			largeClusterSizeThreshold: 50,
			unhealthyZoneThreshold: 0.55,
			...(byTaints ? {} : {podEvictionTimeout, taintBasedEvictions: false}),
		},
		...{monitorPassDuration: 0.0013, leaseRenewInterval: 10, nodeStatusReportInterval: 300},
		nodes,
		pods: nodes.map(({name}) => ({
			name: `p-${name}`,
			node: name,
			tolerations: byTaints ? toleratesFor(300) : [],
		})),
		steps: [...stops, {at: backAt, do: 'start-kubelet', node: 'a0'} as const].toSorted((a, b) => a.at - b.at),
		until: backAt + podEvictionTimeout + 150,
	};
	return {scenario, backAt: backAt * second};
}

/** When each pod is deleted if nothing else happens. */
const deletionsAfter = ({simulation}: ScenarioPlayer) =>
	new Map(
		simulation
			.fork()
			.advanceTo(simulation.now + lookAhead)
			.flatMap(({at, effect}) => (effect.type === 'podDeleted' && !effect.again ? [[effect.pod, at]] : [])),
	);

function wrongAfterReturn(seed: number, eviction: Eviction): readonly string[] {
	const {scenario, backAt} = returnOf(seed, eviction);
	const defaults = settingsFor(eviction.version);
	const traits = {listsNodesInRandomOrder: !eviction.byTaints, callDuration: eviction.callDuration};
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, undefined, traits);
	const [view, settings] = [new ClientView(player.simulation), settingsOf(scenario.config, defaults)];
	player.advanceTo(Math.max(second, backAt - 60 * second));
	const warm = aForecaster(settings, view.list());
	view.watch();
	return looks.flatMap((after) => {
		const now = Math.round(backAt + after * second);
		while (player.simulation.now < now) {
			player.advanceTo(Math.min(now, player.simulation.now + watchEvery));
			feed(warm, view.watch(), player.simulation.now);
		}
		const cold = aForecaster(settings, view.list());
		const truth = deletionsAfter(player);
		return Object.entries({cold, warm}).flatMap(([look, forecaster]) =>
			forecaster.forecast(now).pods.flatMap((pod) => {
				if (pod.verdict === 'Terminating') return [];
				const wrong = whatIsWrong(pod, truth.get(`${pod.namespace}/${pod.name}`), now);
				return wrong === undefined ? [] : [`seed ${seed} ${look}, ${after} s after the return: ${wrong}`];
			}),
		);
	});
}

const timeouts = {version: 'v1.16.15', byTaints: false, callDuration: 1};
const taints = {version: 'v1.36.3', byTaints: true, callDuration: 40};

test('without taints, nodes that waited while all zones were down go first once a node is back, others wait anew', () => {
	// 60: a zone with a rate of 1 was not known to stay stopped.
	const drawn = {suite: 'returnAfterAllDown', kind: 'one zone', count: 60, also: [60]};
	expect(playDrawn(drawn, (seed) => wrongAfterReturn(seed, timeouts)).flat()).toEqual([]);
});

test('a countdown from the pass that found all zones down continues when the taint is written again', () => {
	const drawn = {suite: 'returnAfterAllDown', kind: 'one zone, by taints', count: 60};
	expect(playDrawn(drawn, (seed) => wrongAfterReturn(seed, taints)).flat()).toEqual([]);
});
