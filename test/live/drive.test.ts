import {expect, test} from 'vitest';
import type {Instant} from '../../src/core/time/instant.ts';
import {drive, type Feed} from '../../src/live/drive.ts';
import {aForecast} from '../print/forecasts.ts';
import {ManualClock} from './manualClock.ts';

function start(options: {forecastTakes?: number} = {}) {
	const clock = new ManualClock();
	const stop = new AbortController();
	const published: Instant[] = [];
	let change: Parameters<Feed>[0] = () => undefined;
	const done = drive(
		{
			clock,
			predictor: {
				observe: () => undefined,
				forecast: () => {
					clock.spend(options.forecastTakes ?? 0);
					return aForecast();
				},
			},
			feed: (onChange, signal) => {
				change = onChange;
				return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
			},
			publish: async (_, now) => void published.push(now),
		},
		stop.signal,
	);
	return {clock, published, stop, done, change: () => change([], clock.now())};
}

test('nothing is published before the first change brings the whole state', async () => {
	const {clock, published, change} = start();
	await clock.advanceTo(5000);
	expect(published).toEqual([]);
	change();
	await clock.advanceTo(5000);
	expect(published).toEqual([5000]);
});

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
	const parts = {
		clock,
		predictor: {observe: () => undefined, forecast: () => aForecast()},
		feed: () => Promise.reject(new Error('nodes are forbidden')),
		publish: async () => undefined,
	};
	await expect(drive(parts, new AbortController().signal)).rejects.toThrow('nodes are forbidden');
});
