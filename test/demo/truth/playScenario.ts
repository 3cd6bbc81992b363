import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import type {DemoScenario} from '../../../src/demo/world/scenarios.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {feed} from '../../support/feed.ts';
import {Claims} from './claims.ts';
import {gitVersion, ObservedWorld} from './observedWorld.ts';
import {Script} from './script.ts';

/** The start of the demo. */
const origin: Instant = Date.UTC(2026, 0, 2, 3, 4, 5);
const forecastPeriod: Duration = 10 * second;

/** Plays a scenario with forecasts every ten seconds, from one list and from a watch. */
export function playScenario(scenario: DemoScenario, seed: number, duration: Duration): Claims {
	const warm = newForecaster();
	const world: ObservedWorld = new ObservedWorld(scenario, origin, seed, (observation, arrivedAt) => {
		feed(warm, [observation], arrivedAt);
		claims.observe(observation, arrivedAt);
	});
	const first = world.snapshot(origin);
	warm.observeSnapshot(first);
	const claims = new Claims(origin, first.pods);
	const script = new Script(scenario, origin);
	for (let now = origin; now <= origin + duration; now += forecastPeriod) {
		const change = script.lastChange(now);
		if (change !== undefined && change > now - forecastPeriod) {
			world.advanceTo(change);
			claims.forget(change);
		}
		world.advanceTo(now);
		if (!script.isPlain(now)) continue;
		const cold = newForecaster();
		cold.observeSnapshot(world.snapshot(now));
		claims.add(cold.forecast(now), 'cold');
		claims.add(warm.forecast(now), 'warm');
	}
	claims.forget(origin + duration);
	return claims;
}

const newForecaster = () => new Forecaster(settingsFor(gitVersion));
