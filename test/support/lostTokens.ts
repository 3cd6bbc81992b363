import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {zoneKey} from '../../src/core/model/zone.ts';
import type {TimedEffect} from '../../src/core/simulation/effect.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {lostTokenNoticedWithin as noticed} from '../e2e/lostTokens.ts';
import {aForecaster} from './aForecaster.ts';
import {ClientView} from './clientView.ts';
import {feed} from './feed.ts';
import {outageOf} from './outages.ts';
import {settingsOf} from './scenario/scenarioObjects.ts';
import {ScenarioPlayer} from './scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from './truth.ts';

/** Long enough for the controller to check most transitions too early. */
const cacheDelay = 80;
/** How often a watcher receives changes, and how often it forecasts. */
const watchEvery = 50;
const forecastEvery = 700;
const watched = {before: 60_000, after: 60_000};

/** A token that a zone consumed without a taint. */
type Loss = {readonly zone: string; readonly at: Instant};

type Judged = {readonly losses: number; readonly judged: number; readonly wrong: readonly string[]};

/** Watches an outage whose controllers lose tokens, and judges the forecasts that could account for each relevant loss. */
export function judgeLostTokens(seed: number): Judged {
	const {scenario, forecastAt} = outageOf(seed, {});
	const defaults = settingsFor('v1.36.3');
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, undefined, {cacheDelay});
	const view = new ClientView(player.simulation);
	const from = Math.max(forecastAt * 1000 - watched.before, 1000);
	const until = forecastAt * 1000 + watched.after;
	// From here on no new faults happen, and all silent nodes are known.
	const settled = (Math.max(...scenario.steps.map(({at}) => at)) + 20.6) * 1000;
	player.advanceTo(from);
	const forecaster = aForecaster(settingsOf(scenario.config, defaults), view.list());
	view.watch();
	const spent: Loss[] = [];
	const effects: TimedEffect[] = [];
	const forecasts: Forecast[] = [];
	const play = (to: Instant) => {
		const before = zonesWithToken(player);
		effects.push(...player.advanceTo(to));
		const after = zonesWithToken(player);
		for (const zone of before) if (!after.has(zone)) spent.push({zone, at: to});
	};
	for (let now = from; now < until; now += watchEvery) {
		play(now);
		feed(forecaster, view.watch(), now);
		if (now >= settled && (now - from) % forecastEvery < watchEvery) forecasts.push(forecaster.forecast(now));
	}
	for (let now = until; now < until + lookAhead; now += watchEvery) play(now);
	return judge(seed, player, forecasts, spent, effects);
}

/** The zones whose token bucket has a token. */
function zonesWithToken({simulation}: ScenarioPlayer): ReadonlySet<string> {
	const zones = simulation.controllers?.lifecycle.zones;
	const hasToken = (zone: string) => zones?.queue(zone)?.limiter.waitAt(simulation.now) === 0;
	return new Set(zones?.queued.filter(hasToken));
}

function judge(
	seed: number,
	{simulation}: ScenarioPlayer,
	forecasts: readonly Forecast[],
	spent: readonly Loss[],
	effects: readonly TimedEffect[],
): Judged {
	const zoneOf = (name: string) => {
		const node = simulation.state.node(name)?.node;
		return node && zoneKey(node);
	};
	const deletions = new Map<string, Instant>();
	const taints: Loss[] = [];
	for (const {at, effect} of effects) {
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
		if (effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute')
			taints.push({zone: zoneOf(effect.node) ?? '', at});
	}
	const losses = spent.filter(
		({zone, at}) => !taints.some((taint) => taint.zone === zone && Math.abs(taint.at - at) <= 2 * watchEvery),
	);
	const wrong: string[] = [];
	let judged = 0;
	for (const {observedAt: now, pods} of forecasts)
		for (const pod of pods) {
			const truth = deletions.get(`${pod.namespace}/${pod.name}`);
			const zone = zoneOf(pod.node);
			const ofZone = losses.filter((loss) => loss.zone === zone);
			const isForeseeable = ofZone.every(
				({at}) => at + noticed <= now || (truth !== undefined && truth < at),
			);
			if (pod.verdict === 'Terminating' || !isForeseeable || ofZone.length === 0) continue;
			judged += 1;
			const what = whatIsWrong(pod, truth, now);
			if (what !== undefined) wrong.push(`seed ${seed} at ${now / 1000} s: ${what}`);
		}
	return {losses: losses.length, judged, wrong};
}
