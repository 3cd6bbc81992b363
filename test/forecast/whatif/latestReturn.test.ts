import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {Range} from '../../../src/forecast/range.ts';
import {latestReturn} from '../../../src/forecast/whatif/remedy.ts';
import {aPod} from '../../support/builders.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const year = 365 * 24 * 60 * minute;

test('of a countdown of years the last hours are not simulated', () => {
	const asked: number[] = [];
	const returns = {
		*save(_: unknown, __: unknown, at: number) {
			asked.push(at);
			yield;
			return true;
		},
	};
	const eviction = new Range(now + year, now + year, now + year);
	const of = {node: 'n1', eviction} as PodForecast;
	const remedy = finish(latestReturn(aPod('cart'), of, 5 * second, now, returns));
	expect(Math.max(...asked)).toBe(now + 360 * minute);
	expect(remedy?.until).toBeGreaterThan(now + year - minute);
	expect(remedy?.until).toBeLessThan(now + year);
});
