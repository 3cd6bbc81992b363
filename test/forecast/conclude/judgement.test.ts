import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {deletionIfReleased} from '../../../src/forecast/conclude/judgement.ts';
import type {Stop} from '../../../src/forecast/infer/evictionStop.ts';
import {Range} from '../../../src/forecast/range.ts';
import type {Simulated} from '../../../src/forecast/simulate/simulated.ts';

const stop = {by: 'zone', since: null, releasedBy: '', firstAfter: 0} as unknown as Stop;
const stoppedAtRate = (nodeEvictionRate: number) =>
	({now: 1000, settings: {...defaultSettings, nodeEvictionRate}}) as Simulated;

test('a rate of zero lets nobody wait for itself, and never ends a line', () => {
	const alone = deletionIfReleased(stop, 0, 1, stoppedAtRate(0));
	expect(alone).toEqual(new Range(1000, 4000, 7000));
	expect(deletionIfReleased(stop, 0, 3, stoppedAtRate(0))).toEqual(new Range(1000, 1000, null));
	expect(deletionIfReleased(stop, 0, 3, stoppedAtRate(0.1)).latest).toBe(27_000);
});

test('a range has no end that is not a number', () => {
	expect(Range.over({lo: 1000, hi: Number.NaN})).toEqual(new Range(1000, 1000, null));
	expect(Range.over({lo: 1000, hi: Number.POSITIVE_INFINITY})).toEqual(new Range(1000, 1000, null));
});
