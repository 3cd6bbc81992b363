import {expect, test} from 'vitest';
import {ObservationGaps} from '../../../src/shadow/compare/observationGaps.ts';

const at = (from: number, until = from) => ({lo: from * 1000, hi: until * 1000});

test('a lost watch explains what falls into it, and into the minute after', () => {
	const gaps = new ObservationGaps();
	gaps.begin(0);
	gaps.take({type: 'watchLost', since: 100_000}, 110_000);
	expect(gaps.isLost).toBe(true);
	gaps.take({type: 'watchLost', since: undefined}, 120_000);
	expect(gaps.isLost).toBe(false);
	expect(gaps.unseenIn(at(90, 99))).toBeUndefined();
	expect(gaps.unseenIn(at(90, 101))).toContain('not all was seen from 00:01:40Z to 00:02:00Z');
	expect(gaps.unseenIn(at(179))).toBeDefined();
	expect(gaps.unseenIn(at(181))).toBeUndefined();
	expect(gaps.gaps).toEqual([{from: 100_000, until: 120_000, reason: expect.any(String)}]);
	expect(gaps.gapCount).toBe(1);
});

test('a watch that was opened anew explains only what falls into the pause', () => {
	const gaps = new ObservationGaps();
	gaps.begin(0);
	gaps.take({type: 'late', since: 100_000}, 101_000);
	expect(gaps.gapCount).toBe(0);
	gaps.take({type: 'late', since: 200_000}, 205_000);
	expect(gaps.unseenIn(at(204))).toBeDefined();
	expect(gaps.unseenIn(at(206))).toBeUndefined();
	expect(gaps.unseenBeginning(150_000)).toBeUndefined();
});

test('what began before the start, or before history was lost, was not seen beginning', () => {
	const gaps = new ObservationGaps();
	gaps.begin(50_000);
	expect(gaps.unseenBeginning(49_000)).toBeDefined();
	expect(gaps.unseenBeginning(51_000)).toBeUndefined();
	gaps.take({type: 'historyLost', since: 60_000}, 70_000);
	expect(gaps.unseenBeginning(65_000)).toBeDefined();
});

test('a right that is missing explains everything, until it is there', () => {
	const gaps = new ObservationGaps();
	gaps.begin(0);
	gaps.reportProblems([
		{reason: 'LeaderLeaseForbidden', message: 'forbidden'},
		{reason: 'FlagsUnseen', message: 'of no matter'},
	]);
	expect(gaps.unseenIn(at(100))).toContain('the leader lease may not be read');
	gaps.reportProblems([]);
	expect(gaps.unseenIn(at(100))).toBeUndefined();
});

test('gaps are kept for a year without growing', () => {
	const gaps = new ObservationGaps();
	for (let hour = 1; hour < 9000; hour += 1) {
		gaps.take({type: 'watchLost', since: hour * 3_600_000}, hour * 3_600_000 + 5000);
		gaps.take({type: 'watchLost', since: undefined}, hour * 3_600_000 + 9000);
	}
	expect(gaps.gaps).toHaveLength(100);
	expect(gaps.gaps[0]?.from).toBe(8999 * 3_600_000);
	expect(gaps.gapCount).toBe(8999);
});
