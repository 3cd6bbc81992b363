import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Range} from '../../../src/forecast/range.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {isDeep} from '../../support/drawn.ts';
import type {ScenarioNode, ScenarioPod, ScenarioStep} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';
import {ZoneTaints} from '../../support/zoneTaints.ts';

const second = 1000;
const nodesPerZone = 200;
const podsPerNode = 20;
const tolerations = ['not-ready', 'unreachable'].map((key) => ({
	key: `node.kubernetes.io/${key}`,
	operator: 'Exists',
	effect: 'NoExecute',
	tolerationSeconds: 300,
}));

/** Three zones under clients with 20 calls per second; all kubelets of the first stop at once. */
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

/** Plays the outage until some time after the first node became Unknown, and forecasts from one list. */
function lookInto(seed: number, into: number) {
	const scenario = zoneOutage();
	const player = new ScenarioPlayer(scenario, settingsFor('v1.36.3'), seed);
	const view = new ClientView(player.simulation);
	const firstUnknown =
		player.advanceTo(90 * second).find(({effect}) => effect.type === 'nodeCondition')?.at ?? 0;
	const now = firstUnknown + into;
	player.advanceTo(now);
	const forecaster = aForecaster(settingsOf(scenario.config, settingsFor('v1.36.3')), view.list());
	return {player, now, forecaster, forecast: forecaster.forecast(now)};
}

test('a minute into a throttled pass its trajectory is known to within a fifth of the time that is left', () => {
	const {player, now, forecast} = lookInto(5, 60 * second);
	const unknown = new Map<string, number>();
	const tainted = new Map<string, number>();
	for (const {at, effect} of player.advanceTo(now + 600 * second)) {
		if (effect.type === 'nodeCondition' && effect.condition === 'Ready') unknown.set(effect.node, at);
		if (effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute') tainted.set(effect.node, at);
	}
	const times = [...unknown.values()].toSorted((a, b) => a - b);
	const passEnds = times.at(-1) ?? now;
	expect(forecast.pass?.remaining).toBe(times.length);
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

// A quick run draws one order of the nodes, and forecasts over the same time as a deep one.
test.for(isDeep ? [1, 2, 3, 4] : [1])('the k-th taint and the end of a throttled pass, seed %i', (seed) => {
	for (const into of [20, 60, 110].map((seconds) => seconds * second)) {
		const {player, now, forecast} = lookInto(seed, into);
		const taints = new ZoneTaints(player.simulation);
		const effects = player.advanceTo(now + 400 * second);
		taints.add(effects);
		const turns = effects.flatMap(({at, effect}) =>
			effect.type === 'nodeCondition' && effect.condition === 'Ready' ? [at] : [],
		);
		const fifth = ((turns.at(-1) ?? now) - now) / 5;
		const ends = forecast.pass?.endsAt;
		expect(isInside(turns.at(-1) ?? 0, ends), `the end of the pass, ${into}`).toBe(true);
		if (ends && into === 60 * second) expect(width(ends)).toBeLessThanOrEqual(fifth);
		const foretold = forecast.zones.find(({zone}) => zone.endsWith('/a'))?.taints ?? [];
		const truths = taints.times.get('<none>/a') ?? [];
		expect(truths.length).toBeGreaterThan(20);
		for (const [k, at] of truths.entries()) {
			const said = foretold[k] && [foretold[k].earliest, foretold[k].latest ?? 0].map((time) => time - now);
			expect(isInside(at, foretold[k]), `${into}: taint ${k} at ${at - now}, foretold ${said}`).toBe(true);
		}
		// From then on a pass that skipped some of the nodes may end, and set the zone to PartialDisruption.
		const down = nodesPerZone - turns.length;
		const mayBePartialFrom = turns[Math.ceil(0.55 * nodesPerZone) - down - 1] ?? now;
		const early = foretold.slice(0, truths.filter((at) => at < mayBePartialFrom - 10 * second).length);
		for (const range of early) expect(width(range)).toBeLessThanOrEqual(Math.min(fifth, 4 * second));
		if (into === 20 * second) expect(early.length).toBeGreaterThan(2);
	}
});
