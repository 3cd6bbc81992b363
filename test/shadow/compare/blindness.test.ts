import {expect, test} from 'vitest';
import {Blindness} from '../../../src/shadow/compare/blindness.ts';

const at = (from: number, until = from) => ({lo: from * 1000, hi: until * 1000});

test('a lost watch explains what falls into it, and into the minute after', () => {
	const blindness = new Blindness();
	blindness.begin(0);
	blindness.provenance({type: 'watchLost', since: 100_000}, 110_000);
	expect(blindness.isLost).toBe(true);
	blindness.provenance({type: 'watchLost', since: undefined}, 120_000);
	expect(blindness.isLost).toBe(false);
	expect(blindness.unseenIn(at(90, 99))).toBeUndefined();
	expect(blindness.unseenIn(at(90, 101))).toContain('not all was seen from 00:01:40Z to 00:02:00Z');
	expect(blindness.unseenIn(at(179))).toBeDefined();
	expect(blindness.unseenIn(at(181))).toBeUndefined();
	expect(blindness.gaps).toEqual([{from: 100_000, until: 120_000, reason: expect.any(String)}]);
	expect(blindness.gapCount).toBe(1);
});

test('a watch that was opened anew explains only what falls into the pause', () => {
	const blindness = new Blindness();
	blindness.begin(0);
	blindness.provenance({type: 'late', since: 100_000}, 101_000);
	expect(blindness.gapCount).toBe(0);
	blindness.provenance({type: 'late', since: 200_000}, 205_000);
	expect(blindness.unseenIn(at(204))).toBeDefined();
	expect(blindness.unseenIn(at(206))).toBeUndefined();
	expect(blindness.unseenBeginning(150_000)).toBeUndefined();
});

test('what began before the start, or before history was lost, was not seen beginning', () => {
	const blindness = new Blindness();
	blindness.begin(50_000);
	expect(blindness.unseenBeginning(49_000)).toBeDefined();
	expect(blindness.unseenBeginning(51_000)).toBeUndefined();
	blindness.provenance({type: 'historyLost', since: 60_000}, 70_000);
	expect(blindness.unseenBeginning(65_000)).toBeDefined();
});

test('a right that is missing explains everything, until it is there', () => {
	const blindness = new Blindness();
	blindness.begin(0);
	blindness.reportProblems([
		{reason: 'LeaderLeaseForbidden', message: 'forbidden'},
		{reason: 'FlagsUnseen', message: 'of no matter'},
	]);
	expect(blindness.unseenIn(at(100))).toContain('the leader lease may not be read');
	blindness.reportProblems([]);
	expect(blindness.unseenIn(at(100))).toBeUndefined();
});

test('gaps are kept for a year without growing', () => {
	const blindness = new Blindness();
	for (let hour = 1; hour < 9000; hour += 1) {
		blindness.provenance({type: 'watchLost', since: hour * 3_600_000}, hour * 3_600_000 + 5000);
		blindness.provenance({type: 'watchLost', since: undefined}, hour * 3_600_000 + 9000);
	}
	expect(blindness.gaps).toHaveLength(100);
	expect(blindness.gaps[0]?.from).toBe(8999 * 3_600_000);
	expect(blindness.gapCount).toBe(8999);
});
