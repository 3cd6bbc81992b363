import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {playDrawn} from '../../support/drawn.ts';
import {type OutageOptions, outageOf} from '../../support/outages.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {lookAt} from '../../support/throttledOutages.ts';

type Drawn = OutageOptions & {readonly version?: string};

/** The differences between a forecast and a what-if without changes for the pods of an outage. */
function differences(seed: number, options: Drawn): readonly string[] {
	const {scenario, forecastAt} = outageOf(seed, options);
	const defaults = settingsFor(options.version ?? 'v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	player.advanceTo(forecastAt * 1000);
	const {said} = lookAt(view, settings, forecastAt * 1000);
	return [...said].flatMap(([pod, {forecast, whatIf}]) => {
		const [a, b] = [forecast, whatIf].map(({verdict, eviction}) =>
			JSON.stringify(eviction && {mayStay: verdict === 'Unsure' || eviction.latest === null, eviction}),
		);
		return a === b ? [] : [`seed ${seed} ${pod}: the forecast says ${a}, the what-if ${b}`];
	});
}

test.for<{name: string; options: Drawn}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	{name: 'outages without taints', options: {withoutTaints: true, version: 'v1.22.0'}},
])('a what-if without changes concludes what the forecast says in $name', ({name, options}) => {
	const drawn = {suite: 'oneConclusion', kind: name, count: 40};
	expect(playDrawn(drawn, (seed) => differences(seed, options)).flat()).toEqual([]);
});

test('a what-if without changes changes nothing', () => {
	const {scenario, forecastAt} = outageOf(9, {});
	const settings = settingsOf(scenario.config, settingsFor('v1.36.3'));
	const player = new ScenarioPlayer(scenario, settingsFor('v1.36.3'), 9);
	player.advanceTo(forecastAt * 1000);
	const forecaster = aForecaster(settings, new ClientView(player.simulation).list());
	const {pods} = forecaster.whatIf([], forecastAt * 1000);
	expect(pods.length).toBeGreaterThan(0);
	expect(pods.filter(({before, after}) => before.eviction !== after.eviction)).toEqual([]);
	expect(pods.filter(({effect}) => effect !== 'unchanged')).toEqual([]);
});
