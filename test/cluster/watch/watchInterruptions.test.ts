import {expect, test} from 'vitest';
import {WatchInterruptions} from '../../../src/cluster/watch/watchInterruptions.ts';

const now = Date.UTC(2026, 0, 31, 14);
const second = 1000;
const reasonsAt = (gaps: WatchInterruptions, at: number) => gaps.problemsAt(at).map(({reason}) => reason);

test('nothing is seen since the first collection was lost, until the last is seen again', () => {
	const gaps = new WatchInterruptions();
	expect(gaps.lost(1, now)).toBe(true);
	expect(gaps.lost(2, now - 5 * second)).toBe(true);
	expect(gaps.lost(1, now + 9 * second)).toBe(false);
	expect(gaps.lostSince).toBe(now - 5 * second);
	expect(gaps.lost(2, undefined)).toBe(true);
	expect(gaps.lostSince).toBe(now);
	expect(gaps.lost(1, undefined)).toBe(true);
	expect(gaps.lostSince).toBeUndefined();
	expect(gaps.lost(3, undefined)).toBe(false);
});

test('an interruption is said once it is worth a word', () => {
	const gaps = new WatchInterruptions();
	gaps.lost(1, now);
	expect(reasonsAt(gaps, now + second)).toEqual([]);
	expect(gaps.problemsAt(now + 3 * second)).toEqual([
		{
			reason: 'WatchInterrupted',
			message: 'watches have been interrupted since 14:00:00Z: forecasts are as of then',
		},
	]);
});

test('a gap that is over is told for five minutes; the moment of a reconnection is not', () => {
	const gaps = new WatchInterruptions();
	gaps.missed(now - second, now);
	expect(reasonsAt(gaps, now)).toEqual([]);
	gaps.missed(now - 31 * second, now);
	// Another collection with the same gap: it is reported once.
	gaps.missed(now - 2 * second, now + 4 * second);
	const [problem] = gaps.problemsAt(now + 5 * second);
	expect(problem?.message).toMatch(/^not watched from 13:59:29Z to 14:00:00Z: /);
	expect(reasonsAt(gaps, now + 299 * second)).toEqual(['WatchGap']);
	expect(reasonsAt(gaps, now + 305 * second)).toEqual([]);
});
