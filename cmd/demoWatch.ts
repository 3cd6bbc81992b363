import {delimiter} from 'node:path';
import {connect} from '../src/cluster/cluster.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import type {Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Duration, Instant} from '../src/core/time/instant.ts';
import {type Demo, startDemo} from '../src/demo/demo.ts';
import type {DemoScenario} from '../src/demo/scenarios.ts';
import {Script} from '../src/demo/script.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import {Forecaster} from '../src/forecast/forecaster.ts';
import {type Clock, systemClock} from '../src/live/clock.ts';
import {drive} from '../src/live/drive.ts';
import type {ControllerOptions} from './controllerOptions.ts';
import {Predictions} from './demoPredictions.ts';
import {feedOf, readVersion} from './reading.ts';
import {settingsOf} from './settings.ts';

export type DemoWatchOptions = {
	readonly speed: number;
	/** The least real time between two forecasts. */
	readonly pause: Duration;
	readonly controller: ControllerOptions;
};

/** Where a demo stands. */
export type DemoScene = {
	readonly forecast: Forecast;
	/** By the demo's clock. */
	readonly now: Instant;
	readonly startedAt: Instant;
	/** What was said, and what then happened. */
	readonly predictions: Predictions;
	/** Whether all that the scenario did so far can be seen. */
	readonly isPlain: boolean;
};

type Publish = (scene: DemoScene) => Promise<void>;

/**
 * Plays a scenario, watches it as any cluster is watched, and publishes forecasts until the signal. The one
 * difference to a real cluster is the clock, which is the demo's.
 */
export async function watchDemo(
	scenario: DemoScenario,
	options: DemoWatchOptions,
	publish: Publish,
	signal: AbortSignal,
): Promise<void> {
	const {speed} = options;
	const demo = await startDemo(scenario, {port: 0, clock: systemClock.now, speed, seed: 1});
	try {
		await follow(demo, new Script(scenario, demo.startedAt), options, publish, signal);
	} finally {
		await demo.close();
	}
}

async function follow(
	demo: Demo,
	script: Script,
	options: DemoWatchOptions,
	publish: Publish,
	signal: AbortSignal,
): Promise<void> {
	const timing = {...systemTiming, now: demo.now};
	const cluster = await connect({server: demo.url}, ownSurroundings(), timing);
	try {
		const predictor = new Forecaster(settingsOf(options.controller, await readVersion(cluster)));
		const predictions = new Predictions(script);
		let problems: readonly Problem[] = [];
		const feed = feedOf(cluster, {pods: {type: 'all'}}, undefined, (present) => {
			problems = present;
		});
		await drive(
			{
				clock: demoClock(demo, options),
				predictor,
				feed: (onChange, untilEnd) =>
					feed((observations, arrivedAt, sight) => {
						predictions.observe(observations, arrivedAt);
						onChange(observations, arrivedAt, sight);
					}, untilEnd),
				publish: (found, now) => {
					const forecast = {...found, problems: [...found.problems, ...problems]};
					predictions.add(forecast);
					const [{startedAt}, isPlain] = [demo, script.isPlain(now)];
					return publish({forecast, now, startedAt, predictions, isPlain});
				},
			},
			signal,
		);
	} finally {
		await cluster.close();
	}
}

// The user's clusters and credentials are no business of a demo.
const ownSurroundings = () => ({...systemSurroundings(), env: {KUBECONFIG: delimiter}});

const demoClock = ({now}: Demo, {speed, pause}: DemoWatchOptions): Clock => ({
	now,
	sleepUntil: async (at, signal) => {
		do {
			const wait = Math.max(pause, (at - now()) / speed);
			await systemClock.sleepUntil(systemClock.now() + wait, signal);
		} while (!signal.aborted && now() < at);
	},
});
