import {settingsFor} from '../../../src/core/model/controllerSettings.ts';
import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import type {DemoScenario, DemoStep} from '../../../src/demo/scenarios.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {Claims} from './claims.ts';
import {gitVersion, ObservedWorld} from './observedWorld.ts';

/** Where the demo begins. */
const origin: Instant = Date.UTC(2026, 0, 2, 3, 4, 5);
const forecastPeriod: Duration = 10 * second;

/**
 * How long after a step nobody can know of it: a kubelet that stopped still looks alive until two renewals are
 * missing, a controller manager until its lease has run out. A forecast in that time assumes a world that is gone.
 */
const unseenFor: Readonly<Record<DemoStep['do'], Duration>> = {
	stopKubelets: 21 * second,
	startKubelets: second,
	stopControllers: 18 * second,
	startControllers: second,
};

/** Plays a scenario with forecasts every ten seconds, from one look and from all that was watched. */
export function playScenario(scenario: DemoScenario, seed: number, duration: Duration): Claims {
	const warm = newForecaster();
	const world: ObservedWorld = new ObservedWorld(scenario, origin, seed, (observation, arrivedAt) => {
		warm.observe([observation], arrivedAt);
		claims.observe(observation, arrivedAt);
	});
	const first = world.snapshot(origin);
	warm.observeSnapshot(first);
	const claims = new Claims(origin, first.pods);
	const steps = scenario.steps.map(({after, ...step}) => ({at: origin + after, ...step}));
	for (let now = origin; now <= origin + duration; now += forecastPeriod) {
		for (const {at} of steps.filter((step) => step.at > now - forecastPeriod && step.at <= now)) {
			world.advanceTo(at);
			claims.forget(at);
		}
		world.advanceTo(now);
		if (steps.some((step) => step.at <= now && now < step.at + unseenFor[step.do])) continue;
		const cold = newForecaster();
		cold.observeSnapshot(world.snapshot(now));
		claims.add(cold.forecast(now), 'cold');
		claims.add(warm.forecast(now), 'warm');
	}
	claims.forget(origin + duration);
	return claims;
}

const newForecaster = () => new Forecaster(settingsFor(gitVersion));
