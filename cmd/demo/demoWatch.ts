import {delimiter} from 'node:path';
import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {type Demo, startDemo} from '../../src/demo/demo.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import {Script} from '../../src/demo/world/script.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {type Clock, systemClock} from '../../src/live/clock.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {Session, type SessionParts} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import type {FollowedCluster} from '../dashboard/liveScreen.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {readVersion} from '../sources/reading.ts';
import {inForce} from '../sources/settingsInForce.ts';
import {Predictions} from './demoPredictions.ts';

type DemoWatchOptions = {
	/** Seconds of the demo per real second. May change at any time. */
	readonly speed: () => number;
	/** The shortest real time between two forecasts. */
	readonly pause: Duration;
	readonly controller: ControllerOptions;
	/** Called before anything is observed. @returns additional parts for its session */
	readonly onOpen?: (opened: OpenedDemo) => Pick<SessionParts, 'taps' | 'stages' | 'screen'>;
};

export type OpenedDemo = Omit<FollowedCluster, 'connection'> & {
	readonly version: string | undefined;
	readonly predictions: Predictions;
};

export type DemoScene = {
	readonly forecast: Forecast;
	/** By the demo's clock. */
	readonly now: Instant;
	readonly startedAt: Instant;
	readonly predictions: Predictions;
	/** Whether everything the scenario has done is visible by now. */
	readonly isPlain: boolean;
};

type Publish = (scene: DemoScene) => Promise<void>;

/** Plays a scenario, watches it like any cluster, and publishes forecasts until the signal. Only the clock is the demo's. */
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
	// All waits are in the demo's time.
	const sleep = (duration: Duration, until: AbortSignal) =>
		systemTiming.sleep(Math.max(shortestSleep, duration / options.speed()), until);
	const timing = {...systemTiming, now: demo.now, sleep};
	const cluster = await connect({server: demo.url}, ownEnvironment(), timing);
	try {
		const {inForce, version} = await settingsOfDemo(cluster, options.controller);
		const store = new ClusterStore();
		const {settings, list} = inForce.resolved;
		const forecaster = new Forecaster(settings, {list}, store);
		const predictions = new Predictions(script, store);
		const [pressure, kubelets] = [new PressureStage(store, true), new PressuredNodes(store)];
		const opened = {cluster, version, predictions, inForce, pressure, kubelets, forecaster};
		const {taps = [], stages = [], screen} = options.onOpen?.(opened) ?? {};
		const session: Session = new Session({
			...{store, forecaster, ledger: predictions, taps, share},
			stages: [pressure, ...stages],
			...(screen && {screen}),
			display: {
				publish: (found, now) => {
					const forecast = {...found, problems: [...found.problems, ...session.problems]};
					const [{startedAt}, isPlain] = [demo, script.isPlain(now)];
					return publish({forecast, now, startedAt, predictions, isPlain});
				},
			},
		});
		const source = new ClusterSource(cluster, {pods: {type: 'all'}}, undefined, kubelets);
		await session.run(source, demoClock(demo, options), signal);
	} finally {
		await cluster.close();
	}
}

const shortestSleep: Duration = 20;

// Time passes faster than in a cluster, and the machine is free.
const share = 0.5;

// As for any cluster, but without settings learned of others.
async function settingsOfDemo(cluster: Cluster, controller: ControllerOptions) {
	const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	return {inForce: inForce(controller, version, controlPlane, {}), version};
}

// A demo must not read the user's kubeconfig and credentials.
const ownEnvironment = () => ({...systemEnvironment(), env: {KUBECONFIG: delimiter}});

const demoClock = ({now}: Demo, {speed, pause}: DemoWatchOptions): Clock => ({
	now,
	sleepUntil: async (at, signal) => {
		do {
			const wait = Math.max(pause, (at - now()) / speed());
			await systemClock.sleepUntil(systemClock.now() + wait, signal);
		} while (!signal.aborted && now() < at);
	},
});
