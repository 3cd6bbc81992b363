import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/controllerSettings.ts';
import type {ScenarioNode, ScenarioPod, ScenarioStep} from '../../src/core/simulation/scenario.ts';
import {settingsOf} from '../../src/core/simulation/scenarioObjects.ts';
import {ScenarioPlayer} from '../../src/core/simulation/scenarioPlayer.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Range} from '../../src/forecast/podForecast.ts';
import {ClientView} from '../support/clientView.ts';
import {aScenario, defaultConfig} from '../support/scenarios.ts';

const second = 1000;
const nodesPerZone = 110;
const podsPerNode = 20;
const tolerations = ['not-ready', 'unreachable'].map((key) => ({
	key: `node.kubernetes.io/${key}`,
	operator: 'Exists',
	effect: 'NoExecute',
	tolerationSeconds: 300,
}));

/** Three zones through clients of 20 calls a second; all kubelets of the first stop at once. */
function zoneOutage() {
	const nodes: ScenarioNode[] = [];
	const pods: ScenarioPod[] = [];
	const steps: ScenarioStep[] = [];
	for (let index = 0; index < 3 * nodesPerZone; index += 1) {
		const zone = 'abc'[index % 3] ?? '';
		const name = `${zone}${index}`;
		const leasePhase = ((index * 7919) % 9990) / 1000 + 0.003;
		nodes.push({name, labels: {'topology.kubernetes.io/zone': zone}, createdAt: -3600, leasePhase});
		for (let pod = 0; pod < podsPerNode; pod += 1)
			pods.push({name: `p${pod}-${name}`, node: name, tolerations});
		if (zone === 'a') steps.push({at: 33.37, do: 'stop-kubelet', node: name});
	}
	const config = {...defaultConfig, kubeApiQps: 20, kubeApiBurst: 30};
	return aScenario({config, monitorPassDuration: 0.018, nodes, pods, steps, until: 3000});
}

const width = ({earliest, latest}: Range) => (latest ?? Number.POSITIVE_INFINITY) - earliest;
const isInside = (at: number, range: Range | null | undefined) =>
	range != null && at >= range.earliest - second && at <= (range.latest ?? Number.POSITIVE_INFINITY) + second;

test('a minute into a throttled pass its course is known to within a fifth of the time that is left', () => {
	const scenario = zoneOutage();
	const player = new ScenarioPlayer(scenario, settingsFor('v1.36.3'), 5);
	const view = new ClientView(player.simulation);
	const firstUnknown =
		player.advanceTo(90 * second).find(({effect}) => effect.type === 'nodeCondition')?.at ?? 0;
	const now = firstUnknown + 60 * second;
	player.advanceTo(now);
	const forecaster = new Forecaster(settingsOf(scenario.config, settingsFor('v1.36.3')));
	forecaster.observeSnapshot(view.list());
	const forecast = forecaster.forecast(now);

	const unknown = new Map<string, number>();
	const tainted = new Map<string, number>();
	for (const {at, effect} of player.advanceTo(now + 600 * second)) {
		if (effect.type === 'nodeCondition' && effect.condition === 'Ready') unknown.set(effect.node, at);
		if (effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute') tainted.set(effect.node, at);
	}
	const times = [...unknown.values()].toSorted((a, b) => a - b);
	const passEnds = times.at(-1) ?? now;
	expect(forecast.pass?.left).toBe(times.length);
	for (const [k, at] of times.entries()) {
		const range = forecast.pass?.unknown[k];
		expect(isInside(at, range), `the ${k + 1}. node at ${at - now}`).toBe(true);
		if (range) expect(width(range)).toBeLessThanOrEqual((passEnds - now) / 5);
	}
	const outside = forecast.nodes.filter(({name, unknown: turns, noExecute}) => {
		const [turned, taint] = [unknown.get(name), tainted.get(name)];
		return (
			(turned !== undefined && !isInside(turned, turns)) ||
			(taint !== undefined && !isInside(taint, noExecute))
		);
	});
	expect(outside.map(({name}) => name)).toEqual([]);
});
