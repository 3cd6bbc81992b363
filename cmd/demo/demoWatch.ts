import {delimiter} from 'node:path';
import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import type {Problem} from '../../src/core/model/clusterSnapshot.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {type Demo, startDemo} from '../../src/demo/demo.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import {Script} from '../../src/demo/world/script.ts';
import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {type Clock, systemClock} from '../../src/live/clock.ts';
import {Session, type SourceSink} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {Afterwards, type RelatedBy} from '../output/afterwards.ts';
import {LivePressure, withLooks} from '../pressure/livePressure.ts';
import {feedOf, readVersion} from '../sources/reading.ts';
import type {SettingsInForce} from '../sources/settingsInForce.ts';
import {Predictions} from './demoPredictions.ts';

export type DemoWatchOptions = {
	/** How many seconds pass in a real one. May change at any time. */
	readonly speed: () => number;
	/** The least real time between two forecasts. */
	readonly pause: Duration;
	readonly controller: ControllerOptions;
	/** What is worked out of each forecast, where a screen must answer keys while it is made. */
	readonly prepare?: (forecast: Forecast) => Pausable<void>;
	/** What else is worked out there between two forecasts. */
	readonly aside?: () => Pausable<void> | undefined;
	/** What is known there of what belongs to pods. */
	readonly relatedBy?: RelatedBy;
	/** Is told of the demo before anything of it is seen. @returns the taps of its session */
	readonly onOpen?: (opened: OpenedDemo) => readonly SourceSink[];
	/** Is told of what is wrong, as it comes. */
	readonly onProblems?: (problems: readonly Problem[]) => void;
};

/** A demo that was opened: what there is to ask of it besides its forecasts. */
export type OpenedDemo = {
	readonly now: () => Instant;
	readonly version: string | undefined;
	readonly predictions: Predictions;
	readonly settings: readonly Setting[];
	readonly inForce: SettingsInForce;
	readonly explain: (target: Target, now: Instant) => Explanation | undefined;
	/** Has the kubelet of a node asked soon. */
	readonly lookAt: (node: string) => void;
	readonly related: Cluster['related'];
	readonly forecaster: Forecaster;
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
	// All waits are of the demo's time, which may pass faster.
	const sleep = (duration: Duration, until: AbortSignal) =>
		systemTiming.sleep(Math.max(shortestSleep, duration / options.speed()), until);
	const timing = {...systemTiming, now: demo.now, sleep};
	const cluster = await connect({server: demo.url}, ownEnvironment(), timing);
	try {
		const {inForce, version, known} = await settingsOfDemo(cluster, options.controller);
		const {resolved} = inForce;
		const store = new ClusterStore();
		const predictor = new Forecaster(resolved.settings, undefined, undefined, store);
		const predictions = new Predictions(script, store);
		const pressure = new LivePressure(demo.now, store);
		const explain = (target: Target, now: Instant) =>
			pressure.explained(predictor.explain(target, now, known), now);
		const {related} = cluster;
		const opened = {now: demo.now, version, predictions, settings: resolved.list};
		const lookAt = pressure.ask;
		const taps =
			options.onOpen?.({...opened, inForce, explain, lookAt, related, forecaster: predictor}) ?? [];
		const {prepare, aside, relatedBy} = options;
		let problems: readonly Problem[] = [];
		const feed = feedOf(cluster, {pods: {type: 'all'}}, undefined, (present) => {
			problems = present;
			options.onProblems?.(present);
		});
		const session = new Session({
			...{clock: demoClock(demo, options), feed, store, forecaster: predictor, ledger: predictions},
			...{taps, observers: [pressure]},
			stages: [pressure, ...(relatedBy ? [new Afterwards(relatedBy)] : [])],
			...(prepare && {screen: {prepare, share, ...(aside && {aside})}}),
			publish: (found: Forecast, now: Instant) => {
				const forecast = {...found, problems: [...found.problems, ...problems]};
				const [{startedAt}, isPlain] = [demo, script.isPlain(now)];
				return publish({forecast, now, startedAt, predictions, isPlain});
			},
		});
		await withLooks(cluster, pressure, signal, (end) => session.run(end));
	} finally {
		await cluster.close();
	}
}

const shortestSleep: Duration = 20;

// Time passes faster than in a cluster, and nobody else needs the machine.
const share = 0.5;

// As for any cluster, but nothing that was learned of another is of use here.
async function settingsOfDemo(cluster: Cluster, {kubernetesVersion, settings}: ControllerOptions) {
	const [serverVersion, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	const evidence = {
		flags: settings,
		versionFlag: kubernetesVersion,
		serverVersion,
		controlPlane,
		learned: {},
	};
	const resolved = resolveSettings(evidence);
	const inForce: SettingsInForce = {resolved, controlPlane, evidence};
	return {inForce, version: serverVersion, known: {settings: resolved.list}};
}

// The user's clusters and credentials are no business of a demo.
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
