import {expect, test} from 'vitest';
import {batch} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {systemScheduler} from '../../src/live/cooperativeTask.ts';
import {type SessionParts, type Source, sessionOn} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {ManualClock} from '../live/manualClock.ts';
import {aForecast} from '../print/forecasts.ts';

/** @param options.hasScreen whether there is a screen, for which renewals wait for the next second */
function start(options: {forecastTakes?: number; hasScreen?: boolean} = {}) {
	const clock = new ManualClock();
	const stop = new AbortController();
	const published: Instant[] = [];
	const news: Instant[] = [];
	let lastNewsAt: Instant = 0;
	const parts: SessionParts = {
		store: new ClusterStore(),
		forecaster: {
			...{take: () => undefined, changedAt: () => lastNewsAt},
			get newsArrivedAt() {
				return lastNewsAt;
			},
			// biome-ignore lint/correctness/useYield: it is made in one piece.
			forecastInSteps: function* () {
				clock.spend(options.forecastTakes ?? 0);
				return aForecast();
			},
		},
		display: {
			publish: (_, now, hasNews) => {
				published.push(now);
				if (hasNews) news.push(now);
			},
		},
		...(options.hasScreen && {screen: {prepare: function* () {}}}),
	};
	// A constant clock makes forecasts take no time on any machine.
	const session = sessionOn(parts, {...systemScheduler, clock: () => 0});
	const source: Source = {
		run: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
	};
	const done = session.run(source, clock, stop.signal);
	const renew = () => session.push(batch([], clock.now()));
	const change = () => {
		lastNewsAt = clock.now();
		renew();
	};
	return {clock, published, news, stop, done, change, renew};
}

test('without changes a forecast is published each second', async () => {
	const {clock, published, change} = start();
	change();
	await clock.advanceTo(3000);
	expect(published).toEqual([0, 1000, 2000, 3000]);
});

test('a change is published soon, and a burst of them once a quarter of a second', async () => {
	const {clock, published, change} = start();
	change();
	for (let at = 100; at <= 1000; at += 10) {
		await clock.advanceTo(at);
		change();
	}
	await clock.advanceTo(1900);
	expect(published).toEqual([0, 250, 500, 750, 1000, 1250]);
});

test('on a screen renewals wait for the next second, and bring no news', async () => {
	const {clock, published, news, change, renew} = start({hasScreen: true});
	renew();
	for (let at = 100; at <= 2500; at += 100) {
		await clock.advanceTo(at);
		if (at === 1500) change();
		else renew();
	}
	expect(published).toEqual([0, 1000, 1500, 2500]);
	expect(news).toEqual([0, 1500]);
});

test('slow forecasts leave half of the time to others', async () => {
	const {clock, published, change} = start({forecastTakes: 400});
	change();
	for (let at = 100; at <= 2000; at += 50) {
		await clock.advanceTo(Math.max(at, clock.now()));
		change();
	}
	expect(published).toEqual([0, 800, 1600]);
});

test('the signal ends it', async () => {
	const {stop, done, change} = start();
	change();
	stop.abort();
	await expect(done).resolves.toBeUndefined();
});

test('a feed that fails ends it with its failure', async () => {
	const clock = new ManualClock();
	const forecaster = new Forecaster(defaultSettings);
	const session = sessionOn({store: forecaster.store, forecaster, display: {publish: () => undefined}});
	const source: Source = {run: () => Promise.reject(new Error('nodes are forbidden'))};
	await expect(session.run(source, clock, new AbortController().signal)).rejects.toThrow(
		'nodes are forbidden',
	);
});
