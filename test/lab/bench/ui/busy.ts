import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import {liveSource} from '../../../../cmd/dashboard/dashboardSource.ts';
import {deletionLedger} from '../../../../cmd/sources/deletions.ts';
import type {ClusterSnapshot} from '../../../../src/core/model/clusterSnapshot.ts';
import {batch, type Observation} from '../../../../src/core/model/observation.ts';
import {defaultSettings} from '../../../../src/core/model/versionProfile.ts';
import {type Duration, second} from '../../../../src/core/time/instant.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import type {Setting} from '../../../../src/forecast/settings/setting.ts';
import {systemClock} from '../../../../src/live/clock.ts';
import {type Source, sessionOn} from '../../../../src/session/session.ts';
import {ClusterStore} from '../../../../src/store/clusterStore.ts';
import {dashboardScreen} from '../../../ui/support/dashboards.ts';
import {ShownScreen} from '../../../ui/support/terminal.ts';
import {cpu, sleep, threadCpu} from '../figures.ts';
import {deadZone} from './deadZone.ts';
import {type Drawn, onNothing, size} from './onNothing.ts';

const noSettings: readonly Setting[] = [];
const warmingUp = 8;
const typeFor = 60 * second;

export type Busy = {
	/** The dashboard's share of a core, in percent, with only a frame and 500 renewals each second. */
	readonly steady: number;
	/** The delay from key to frame, during forecasts and between them. */
	readonly busy: readonly Delay[];
	readonly idle: readonly Delay[];
};

/**
 * Measures the dashboard's load with 5,000 nodes and a frame each second, and the delay of keys during forecasts.
 *
 * @param steadyFor how long the load is measured without keys
 * @param keyCount how many keys are typed during forecasts
 */
export async function measureBusy(steadyFor: Duration, keyCount: number): Promise<Busy> {
	const running = await start();
	const steady = await shareOf(running, steadyFor);
	running.making.isStormy = true;
	const [busy, idle] = await typeKeys(running.shown, running.drawn, () => running.making.isOn, keyCount);
	await running.end();
	return {steady, busy, idle};
}

type Running = {
	readonly shown: ShownScreen;
	readonly drawn: Drawn;
	/** The forecasts; while `isStormy`, they follow each other, as if pods changed. */
	readonly making: {count: number; isOn: boolean; isStormy: boolean};
	readonly end: () => Promise<void>;
};

/** The running dashboard, on the real clock, with nodes that renew. */
async function start(): Promise<Running> {
	const stop = new AbortController();
	const store = new ClusterStore();
	const forecaster = new Forecaster(defaultSettings, {}, store);
	const deletions = deletionLedger(store);
	const making = {count: 0, isOn: false, isStormy: true};
	const predictor = {
		take: forecaster.take.bind(forecaster),
		changedAt: (now: number) => (making.isStormy ? now : forecaster.changedAt(now)),
		get newsArrivedAt() {
			return making.isStormy ? systemClock.now() : forecaster.newsArrivedAt;
		},
		forecastInSteps: function* (now: number) {
			making.isOn = true;
			const forecast = yield* forecaster.forecastInSteps(now);
			making.isOn = false;
			making.count += 1;
			return forecast;
		},
	};
	const source = liveSource({
		...{title: 'bench', version: undefined, now: systemClock.now, isPartial: true},
		explain: (target, now) => forecaster.explain(target, now),
		settings: () => noSettings,
		happenings: deletions.happenings,
		falseAlarms: () => deletions.score().falseAlarms,
	});
	const session = sessionOn({
		...{store, forecaster: predictor, ledger: deletions},
		...{taps: [source], display: source},
		screen: {prepare: source.prepare.bind(source)},
	});
	const driving = session.run(renewals(deadZone(systemClock.now())), systemClock, stop.signal);
	const shown = new ShownScreen(dashboardScreen(source, {tick: () => 1000}), size);
	const drawn = onNothing(shown);
	// The first forecasts also compile the code.
	while (making.count < warmingUp) await sleep(second / 10);
	const end = async () => {
		stop.abort();
		await driving;
		await shown.end();
	};
	return {shown, drawn, making, end};
}

async function shareOf({making}: Running, steadyFor: Duration): Promise<number> {
	making.isStormy = false;
	const before = cpu();
	await sleep(steadyFor);
	return ((cpu() - before) / steadyFor) * 100;
}

/** In milliseconds: wall time, and this thread's CPU time. */
type Delay = {readonly wall: number; readonly own: number};

/** Types keys at random times, and separates those during a forecast from the others. */
async function typeKeys(shown: ShownScreen, drawn: Drawn, isBusy: () => boolean, keyCount: number) {
	const [busy, idle]: [Delay[], Delay[]] = [[], []];
	const end = performance.now() + typeFor;
	const typist = new Worker(new URL('./typist.ts', import.meta.url), {execArgv: []});
	let typed = 0;
	for (let index = 0; busy.length < keyCount && performance.now() < end; index += 1) {
		typist.postMessage(37 + (index % 7) * 9);
		const [pressedAt] = (await once(typist, 'message')) as [number];
		// Most keys are typed during forecasts.
		if (!isBusy() && index % 10 > 0) continue;
		typed += 1;
		const delays = isBusy() ? busy : idle;
		const [next, used] = [drawn.next(), threadCpu()];
		shown.terminal.stdin.push(keys[typed % keys.length]);
		await next;
		const wall = performance.timeOrigin + performance.now() - pressedAt;
		delays.push({wall, own: threadCpu() - used});
	}
	await typist.terminate();
	return [busy, idle] as const;
}

/** In this order each key changes the screen: a key that does not has no frame to wait for. */
const keys = ['j', 'j', 'j', 'k', '\r', '\x1b', '4', 'j', '3', '1'];

/** The whole cluster, and then the renewals of the healthy nodes every ten seconds. */
function renewals({nodes, leases = [], pods}: ClusterSnapshot): Source {
	const run: Source['run'] = async (sink, signal) => {
		const all: readonly Observation[] = [
			...nodes.map((node): Observation => ({type: 'nodeApplied', node})),
			...leases.map((lease): Observation => ({type: 'leaseApplied', lease})),
			...pods.map((pod): Observation => ({type: 'podApplied', pod})),
		];
		sink.push(batch(all, systemClock.now(), {type: 'firstLook'}));
		const living = leases.filter((_, index) => index % 3 !== 0);
		for (let tick = 0; !signal.aborted; tick += 1) {
			await systemClock.sleepUntil(systemClock.now() + second / 10, signal);
			const now = systemClock.now();
			for (let index = tick % 100; index < living.length; index += 100) {
				const lease = living[index];
				if (!lease) continue;
				const renewal: Observation = {type: 'leaseApplied', lease: {...lease, renewTime: now}};
				sink.push(batch([renewal], now));
			}
		}
	};
	return {run};
}
