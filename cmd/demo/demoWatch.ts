import {delimiter} from 'node:path';
import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {type Demo, startDemo} from '../../src/demo/demo.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import type {Learning} from '../../src/forecast/settingsLearner.ts';
import {type Clock, systemClock} from '../../src/live/clock.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {learningOf} from '../sources/settingsInForce.ts';

type DemoPace = {
	/** Seconds of the demo per real second. May change at any time. */
	readonly speed: () => number;
	/** The shortest real time between two forecasts. */
	readonly pause: Duration;
	readonly controller: ControllerOptions;
};

/** A demo as a cluster like any other. Only the clock is the demo's. */
type OpenedDemo = Readonly<{
	cluster: Cluster;
	known: Learning;
	clock: Clock;
	startedAt: Instant;
}>;

/** Plays a scenario while it is used. */
export async function withDemo<Result>(
	scenario: DemoScenario,
	pace: DemoPace,
	use: (opened: OpenedDemo) => Promise<Result>,
): Promise<Result> {
	const {speed, controller} = pace;
	const demo = await startDemo(scenario, {port: 0, clock: systemClock.now, speed, seed: 1});
	try {
		// All waits are in the demo's time.
		const sleep = (duration: Duration, until: AbortSignal) =>
			systemTiming.sleep(Math.max(shortestSleep, duration / speed()), until);
		const timing = {...systemTiming, now: demo.now, sleep};
		const cluster = await connect({server: demo.url}, ownEnvironment(), timing);
		try {
			const known = await learningOf(cluster, controller);
			return await use({cluster, known, clock: demoClock(demo, pace), startedAt: demo.startedAt});
		} finally {
			await cluster.close();
		}
	} finally {
		await demo.close();
	}
}

const shortestSleep: Duration = 20;

// Time passes faster than in a cluster, and the machine is free.
export const share = 0.5;

// A demo must not read the user's kubeconfig and credentials.
const ownEnvironment = () => ({...systemEnvironment(), env: {KUBECONFIG: delimiter}});

const demoClock = ({now}: Demo, {speed, pause}: DemoPace): Clock => ({
	now,
	sleepUntil: async (at, signal) => {
		do {
			const wait = Math.max(pause, (at - now()) / speed());
			await systemClock.sleepUntil(systemClock.now() + wait, signal);
		} while (!signal.aborted && now() < at);
	},
});
