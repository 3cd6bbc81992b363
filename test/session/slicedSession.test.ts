import {expect, test} from 'vitest';
import {batch, type Observation} from '../../src/core/model/observation.ts';
import {type ForecastStage, type Session, sessionOn} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {aForecast, now} from '../print/forecasts.ts';

const steps = 10;

/** A predictor that takes `cost` on its own clock, and whose source delivers entries in every pause. */
function predictorThatTakes(cost: number) {
	let time = 0;
	const told: string[] = [];
	const asked: (() => Generator<undefined, void, undefined>)[] = [];
	const stop = new AbortController();
	let changedAt = Number.NEGATIVE_INFINITY;
	const stage: {changedAt?: number; extend: ForecastStage['extend']} = {
		extend: function* (forecast) {
			yield;
			return forecast;
		},
	};
	const session: Session = sessionOn(
		{
			store: new ClusterStore(),
			forecaster: {
				take: () => void told.push('heard'),
				changedAt: () => changedAt,
				get newsArrivedAt() {
					return changedAt;
				},
				forecastInSteps: function* (at) {
					told.push('made');
					for (let index = 0; index < steps; index += 1) {
						time += cost / steps;
						yield;
					}
					return aForecast({observedAt: at});
				},
			},
			stages: [stage],
			screen: {
				prepare: function* () {
					told.push('prepared');
					yield;
				},
				sideWork: () => asked.shift()?.(),
			},
			display: {publish: () => void told.push('shown')},
		},
		{...{slice: 8, clock: () => time}, turn: async () => session.push(batch(nothing, now + time))},
	);
	return {
		ask: async (at: number) => {
			time = Math.max(time, at);
			return session.step(now + at, stop.signal);
		},
		told,
		asked,
		made: () => told.filter((one) => one === 'made').length,
		change: (at: number) => {
			changedAt = now + at;
		},
		learn: (at: number) => {
			stage.changedAt = now + at;
		},
		stop: () => stop.abort(),
		say: () => session.push(batch(nothing, now + time)),
	};
}

const nothing: readonly Observation[] = [];

test('a slow one takes some hundredth of the time while nothing changes, and stays the same object meanwhile', async () => {
	const {ask, made} = predictorThatTakes(350);
	const first = await ask(0);
	expect(await ask(1000)).toBe(first);
	expect(await ask(10_000)).toBe(first);
	expect(await ask(23_000)).toBe(first);
	expect(await ask(24_000)).not.toBe(first);
	for (let at = 24_000; at < 60_000; at += 1000) await ask(at);
	expect(made()).toBe(3);
});

test('it takes a tenth of the time while something does', async () => {
	const {ask, change} = predictorThatTakes(350);
	const first = await ask(0);
	change(1000);
	expect(await ask(3000)).toBe(first);
	expect(await ask(4000)).not.toBe(first);
});

test('what a stage learns is a change as well', async () => {
	const {ask, learn} = predictorThatTakes(350);
	const first = await ask(0);
	learn(1000);
	expect(await ask(3000)).toBe(first);
	expect(await ask(4000)).not.toBe(first);
});

test('what is told while one is made is heard once it is shown', async () => {
	const {ask, told, say} = predictorThatTakes(240);
	say();
	await ask(0);
	say();
	expect(told.join(' ')).toMatch(/^heard made prepared shown( heard){5,} heard$/);
});

test('the first, before which nothing is shown, is worked on for longer at a time', async () => {
	const {ask, told} = predictorThatTakes(240);
	const heard = async (at: number) => {
		told.length = 0;
		await ask(at);
		return told.filter((one) => one === 'heard').length;
	};
	const first = await heard(0);
	expect(first).toBeLessThan(await heard(60_000));
	expect(first).toBeGreaterThan(0);
});

test('what is asked aside is worked on before a forecast, also while none is due, and nothing is heard meanwhile', async () => {
	const {ask, told, asked} = predictorThatTakes(350);
	const first = await ask(0);
	told.length = 0;
	asked.push(function* () {
		told.push('aside begun');
		for (let index = 0; index < 3; index += 1) yield;
		told.push('aside done');
	});
	expect(await ask(1000)).toBe(first);
	expect(told.slice(0, 3)).toEqual(['aside begun', 'aside done', 'shown']);
	expect(told.filter((one) => one === 'made')).toEqual([]);
});
