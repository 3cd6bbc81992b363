import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import type {Scenario, ScenarioStep} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {defaultConfig} from '../../support/scenarios.ts';

const defaults = settingsFor('v1.36.3');
const lost = 110;
const takenOver = 153.4;
const tolerations = ['not-ready', 'unreachable'].map((key) => ({
	...{key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute'},
	tolerationSeconds: 40,
}));

/** The controllers stop at 110 s, and others take over at 153.4 s; node a fails before, or while none run. */
const scenarioWith = (diesAt: number): Scenario => ({
	name: 'nobody controls',
	config: defaultConfig,
	monitorPassDuration: 0.001,
	leaseRenewInterval: 10,
	nodeStatusReportInterval: 300,
	nodes: ['a', 'b', 'c'].map((name) => ({name, createdAt: -3600})),
	pods: [
		{name: 'web', node: 'a', tolerations},
		{name: 'fragile', node: 'a'},
	],
	steps: [
		{at: diesAt, do: 'stop-kubelet', node: 'a'},
		...(['stop-controllers', 'start-controllers'] as const).map(
			(what, index): ScenarioStep => ({at: [lost, takenOver][index] ?? 0, do: what}),
		),
	],
	until: 400,
});

const now = takenOver * second - 1;

/** The outage just before others take over. */
function lookAt(diesAt: number) {
	const scenario = scenarioWith(diesAt);
	const player = new ScenarioPlayer(scenario, defaults);
	const view = new ClientView(player.simulation);
	player.advanceTo(now);
	view.controllersEnded = lost * second;
	const forecaster = aForecaster(settingsOf(scenario.config, defaults), view.list());
	return {forecaster, player};
}

/** The forecast just before others take over, and what they do then. */
function play(diesAt: number) {
	const {forecaster, player} = lookAt(diesAt);
	const forecast = forecaster.forecast(now);
	const truth = new Map<string, Instant>();
	for (const {at, effect} of player.advanceTo(400 * second)) {
		const what =
			effect.type === 'podDeleted'
				? effect.pod
				: effect.type === 'taintAdded' || effect.type === 'nodeCondition'
					? `${effect.type} ${effect.node}`
					: '';
		if (!truth.has(what)) truth.set(what, at);
	}
	return {forecast, truth};
}

test.for([
	{name: 'before the controllers end', diesAt: 62, isFound: false},
	{name: 'and is found and tainted before the controllers end', diesAt: 40, isFound: true},
	{name: 'while none run', diesAt: 120, isFound: false},
])(
	'all that is said supposes that others take over now, and begin anew: a node dies $name',
	({diesAt, isFound}) => {
		const {forecast, truth} = play(diesAt);
		for (const {name, verdict, eviction, held} of forecast.pods) {
			if (verdict === 'Terminating') continue;
			const deletedAt = truth.get(`default/${name}`) ?? 0;
			expect([name, verdict, eviction]).toEqual([name, 'Held', null]);
			expect(held?.ifReleasedNow.earliest).toBeLessThanOrEqual(deletedAt);
			expect(held?.ifReleasedNow.latest).toBeGreaterThanOrEqual(deletedAt);
			expect((held?.ifReleasedNow.latest ?? 0) - deletedAt).toBeLessThan(8 * second);
		}
		const a = forecast.nodes.find(({name}) => name === 'a');
		expect(a?.unknown === null).toBe(isFound);
		if (!isFound) {
			const unknown = truth.get('nodeCondition a') ?? 0;
			expect(unknown).toBeGreaterThan((takenOver + 50) * second);
			expect(a?.unknown?.latest).toBeNull();
			expect(a?.unknown?.earliest).toBeLessThanOrEqual(unknown);
			expect(a?.unknown?.earliest).toBeGreaterThan(unknown - 6 * second);
			expect(a?.noExecute?.latest).toBeNull();
		}
		expect(forecast.zones).toMatchObject([
			{rate: 0, nextTaint: null, taints: [], stopped: {kind: 'ControllerDown'}},
		]);
	},
);

test('a zone gets its first state from the controllers that take over, not now', () => {
	const at = now + 10 * minute;
	const {zones} = lookAt(120).forecaster.whatIf([{type: 'controllersStart', at}], now);
	const [first] = zones[0]?.after.steps ?? [];
	expect(first?.state).toBe('Normal');
	expect(first?.at.earliest).toBeGreaterThanOrEqual(at);
	expect(first?.at.latest).toBeLessThan(at + 10 * second);
});
