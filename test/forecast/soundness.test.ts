import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/controllerSettings.ts';
import {settingsOf} from '../../src/core/simulation/scenarioObjects.ts';
import {ScenarioPlayer} from '../../src/core/simulation/scenarioPlayer.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {ClientView} from '../support/clientView.ts';
import {type OutageOptions, outageOf} from '../support/outages.ts';
import {lookAhead, whatIsWrong} from '../support/truth.ts';

const outages = Number(process.env['EVICTWATCH_OUTAGES'] ?? 150);
/** How often a watcher looks: what it sees is at most so old. */
const watchEvery = 50;

/** Plays an outage, makes a forecast in it from one look and one from a minute's watching, and finds what is wrong. */
function wrongForecasts(seed: number, options: OutageOptions): readonly string[] {
	const {scenario, forecastAt, clockOffset} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation, clockOffset);
	const now = forecastAt * 1000;
	player.advanceTo(Math.max(now - 60_000, 1000));
	const warm = new Forecaster(settings);
	warm.observeSnapshot(view.list());
	view.watch();
	for (let at = player.simulation.now; at < now; at = Math.min(now, at + watchEvery)) {
		player.advanceTo(Math.min(now, at + watchEvery));
		warm.observe(view.watch(), player.simulation.now);
	}
	const cold = new Forecaster(settings);
	cold.observeSnapshot(view.list());
	const forecasts = {cold: cold.forecast(now).pods, warm: warm.forecast(now).pods};
	const deletions = new Map<string, number>();
	for (const {at, effect} of player.advanceTo(now + lookAhead)) {
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
	}
	return Object.entries(forecasts).flatMap(([look, pods]) =>
		pods.flatMap((pod) => {
			const wrong = whatIsWrong(pod, deletions.get(`${pod.namespace}/${pod.name}`), now);
			return wrong ? [`seed ${seed} ${look}: ${wrong}`] : [];
		}),
	);
}

const seeds = Array.from({length: outages}, (_, index) => index + 1);

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	{name: 'outages of nodes with wrong clocks', options: {hasWrongClocks: true}},
])('a forecast contains what then happens in $name', {timeout: 120_000}, ({options}) => {
	expect(seeds.flatMap((seed) => wrongForecasts(seed, options))).toEqual([]);
});
