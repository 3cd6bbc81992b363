import {expect, test} from 'vitest';
import {sparing} from '../../cmd/sparing.ts';
import {aForecast, now} from '../print/forecasts.ts';

function predictorThatTakes(cost: number) {
	let time = 0;
	let made = 0;
	const slow = sparing(
		{
			observe: () => undefined,
			forecast: (at) => {
				time += cost;
				made += 1;
				return aForecast({observedAt: at});
			},
		},
		() => time,
	);
	return {
		ask: (at: number) => {
			time = Math.max(time, at);
			return slow.forecast(now + at);
		},
		made: () => made,
	};
}

test('a quick forecast is made whenever it is asked for', () => {
	const {ask, made} = predictorThatTakes(10);
	for (let at = 0; at < 10_000; at += 1000) ask(at);
	expect(made()).toBe(10);
});

test('a slow one takes a tenth of the time, and stays the same object meanwhile', () => {
	const {ask, made} = predictorThatTakes(450);
	const first = ask(0);
	expect(ask(1000)).toBe(first);
	expect(ask(4900)).toBe(first);
	expect(ask(5000)).not.toBe(first);
	for (let at = 6000; at < 60_000; at += 1000) ask(at);
	expect(made()).toBeLessThan(14);
});
