import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {playDrawn} from '../../support/drawn.ts';
import {EventFeed} from '../../support/eventFeed.ts';
import {type OutageOptions, outageOf} from '../../support/outages.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';

/** The distance between tried start times of the next pass; clocks of the control plane are trusted to half of it. */
const drift = second / 4;

type Sight = {
	readonly list: ClusterSnapshot;
	readonly events: readonly ClusterEvent[];
	readonly settings: ControllerSettings;
};

function sightOf(seed: number, options: OutageOptions): Sight {
	const {scenario, forecastAt, clockOffset} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const feed = new EventFeed(0, seed);
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, feed.post);
	const view = new ClientView(player.simulation, clockOffset);
	const start = scenario.steps.find((step) => step.do === 'start-controllers');
	if (start) {
		player.advanceTo(start.at * second - 1);
		feed.startAnew();
		view.controllersStarted = start.at * second;
	}
	player.advanceTo(forecastAt * second);
	return {list: view.list(), events: feed.all, settings: settingsOf(scenario.config, defaults)};
}

function forecastWith({list, settings}: Sight, events: readonly ClusterEvent[]): readonly PodForecast[] {
	const forecaster = aForecaster(settings, {...list, events});
	return forecaster.forecast(list.observedAt).pods;
}

/** How far a range of the second forecast exceeds that of the first, at most. */
function outwards(before: readonly PodForecast[], after: readonly PodForecast[]): number {
	const moves = after.map(({eviction}, index) => {
		const old = before[index]?.eviction;
		if (!eviction || !old) return 0;
		const later = (eviction.latest ?? Number.POSITIVE_INFINITY) - (old.latest ?? Number.POSITIVE_INFINITY);
		return Math.max(old.earliest - eviction.earliest, Number.isNaN(later) ? 0 : later);
	});
	return Math.max(0, ...moves);
}

const widthOf = (pods: readonly PodForecast[]): number =>
	pods.reduce((sum, {eviction}) => sum + (eviction?.latest ? eviction.latest - eviction.earliest : 0), 0);

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	{name: 'outages with a restart', options: {hasUserTaints: true, hasRestart: true}},
])('events, some or all, move no bound outwards in $name', ({name, options}) => {
	let [without, withAll] = [0, 0];
	const drawn = {suite: 'eventNarrowing', kind: name, count: 60};
	playDrawn(drawn, (seed) => {
		const sight = sightOf(seed, options);
		const some = sight.events.filter((_, index) => (index * 7 + seed) % 3 === 0);
		const [none, few, all] = [[], some, sight.events].map((events) => forecastWith(sight, events));
		if (!none || !few || !all) throw new Error('no forecast');
		expect([seed, outwards(none, few)]).toEqual([seed, expect.toSatisfy((by: number) => by <= drift)]);
		expect([seed, outwards(few, all)]).toEqual([seed, expect.toSatisfy((by: number) => by <= drift)]);
		without += widthOf(none);
		withAll += widthOf(all);
	});
	expect(withAll).toBeLessThan(without);
});
