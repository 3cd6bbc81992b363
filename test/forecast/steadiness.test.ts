import {expect, test} from 'vitest';
import {isControllerManagerLease} from '../../src/core/model/lease.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {ClientView} from '../support/clientView.ts';
import {playDrawn} from '../support/drawn.ts';
import {feed} from '../support/feed.ts';
import {type OutageOptions, outageOf} from '../support/outages.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';

/** How often a watcher receives changes, and how often it forecasts. */
const watchEvery = 100;
const forecastEvery = 1900;
/** For how long a watch runs before and after the last step of an outage. */
const watched = {before: 60_000, after: 60_000};
/** A due pass may begin this much later on a busy machine, and the forecast samples the passes at discrete instants. */
const allowed = 750;

/** Watches an outage, and returns bounds that moved outwards although only renewals of healthy nodes arrived. */
function outwardMoves(seed: number, options: OutageOptions): readonly string[] {
	const {scenario, forecastAt} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const player = new ScenarioPlayer(scenario, defaults, seed, 0);
	const view = new ClientView(player.simulation);
	const from = Math.max(forecastAt * 1000 - watched.before, 1000);
	player.advanceTo(from);
	const forecaster = aForecaster(settingsOf(scenario.config, defaults), view.list());
	view.watch();
	const wrong: string[] = [];
	let last: Forecast | undefined;
	let hasNews = true;
	for (let now = from; now < forecastAt * 1000 + watched.after; ) {
		const next = now + forecastEvery;
		for (; now < next; now += watchEvery) {
			player.advanceTo(now);
			const changes = view.watch();
			hasNews ||= changes.some((change) => isNews(change, last));
			feed(forecaster, changes, now);
		}
		const forecast = forecaster.forecast(now);
		if (last && !hasNews && isAsQuiet(last, forecast)) wrong.push(...movesBetween(last, forecast, seed));
		[last, hasNews] = [forecast, false];
	}
	return wrong;
}

/** Whether a change is more than a renewal by a healthy node or by the controllers. */
function isNews(change: Observation, last: Forecast | undefined): boolean {
	if (change.type !== 'leaseApplied') return true;
	if (isControllerManagerLease(change.lease)) return false;
	return last?.nodes.find(({name}) => name === change.lease.name)?.verdict !== 'Healthy';
}

/** Whether all nodes have the same verdicts: a node that becomes silent is news. */
function isAsQuiet(before: Forecast, after: Forecast): boolean {
	const states = ({nodes}: Forecast) => nodes.map(({name, verdict}) => `${name} ${verdict}`).join();
	return states(before) === states(after);
}

function movesBetween(before: Forecast, after: Forecast, seed: number): readonly string[] {
	const known = new Map(before.pods.map((pod) => [podKey(pod), pod]));
	return after.pods.flatMap((pod) => {
		const old = known.get(podKey(pod));
		const moved = old && outwardMove(old, pod, after.observedAt);
		return moved ? [`seed ${seed} at ${after.observedAt / 1000} s: ${moved}`] : [];
	});
}

/** A bound that passed without an eviction is news, too. */
const isPast = (latest: Instant | null, now: Instant) => latest !== null && latest < now;

function outwardMove(
	{eviction: old, verdict: was}: PodForecast,
	pod: PodForecast,
	now: Instant,
): string | undefined {
	const {name, verdict, eviction} = pod;
	if (!old || isPast(old.latest, now)) return undefined;
	const rangeText = (range: PodForecast['eviction']) =>
		range ? `${range.earliest / 1000} to ${(range.latest ?? Number.POSITIVE_INFINITY) / 1000}` : 'nothing';
	// A range without a latest bound means that the eviction may never come.
	const isOutside = eviction
		? eviction.earliest < old.earliest - allowed ||
			(eviction.latest ?? Number.POSITIVE_INFINITY) > (old.latest ?? Number.POSITIVE_INFINITY) + allowed
		: old.latest !== null;
	return isOutside
		? `${name} was ${was} ${rangeText(old)}, and is ${verdict} ${rangeText(eviction)}`
		: undefined;
}

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
])(
	'while nothing comes but renewals of nodes that are well, no range of a watch moves outwards in $name',
	({name, options}) => {
		const drawn = {suite: 'steadiness', kind: name, count: 40};
		expect(playDrawn(drawn, (seed) => outwardMoves(seed, options)).flat()).toEqual([]);
	},
);
