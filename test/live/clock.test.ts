import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {clockShowing, systemClock} from '../../src/live/clock.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']}));
afterEach(() => void vi.useRealTimers());

/** Whether a wait has ended after `after` milliseconds. */
async function isOver(wait: Promise<void>, after: number): Promise<boolean> {
	let over = false;
	void wait.then(() => {
		over = true;
	});
	await vi.advanceTimersByTimeAsync(after);
	return over;
}

test('it counts milliseconds since the epoch', () => {
	expect(Number.isInteger(systemClock.now())).toBe(true);
	expect(systemClock.now()).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
});

test('a correction of the wall clock does not move it', () => {
	const before = systemClock.now();
	vi.setSystemTime(0);
	expect(systemClock.now()).toBe(before);
});

test('a wait ends at its instant', async () => {
	const wait = systemClock.sleepUntil(systemClock.now() + 100, new AbortController().signal);
	expect(await isOver(wait, 99)).toBe(false);
	expect(await isOver(wait, 1)).toBe(true);
});

test('a wait of a month is no shorter for the limits of timers', async () => {
	const month = 30 * 24 * 3_600_000;
	const wait = systemClock.sleepUntil(systemClock.now() + month, new AbortController().signal);
	expect(await isOver(wait, month - 1)).toBe(false);
	expect(await isOver(wait, 1)).toBe(true);
});

test('the signal ends a wait, and leaves no timer behind', async () => {
	const stop = new AbortController();
	const wait = systemClock.sleepUntil(systemClock.now() + 100, stop.signal);
	stop.abort();
	expect(await isOver(wait, 0)).toBe(true);
	expect(vi.getTimerCount()).toBe(0);
});

test('an instant that has passed, and a signal that was given, are no wait', async () => {
	expect(await isOver(systemClock.sleepUntil(0, new AbortController().signal), 0)).toBe(true);
	expect(await isOver(systemClock.sleepUntil(systemClock.now() + 100, AbortSignal.abort()), 0)).toBe(true);
});

test('a clock that shows another time waits by it', async () => {
	const ahead = clockShowing(() => systemClock.now() + 300_000);
	expect(ahead.now() - systemClock.now()).toBe(300_000);
	const wait = ahead.sleepUntil(ahead.now() + 100, new AbortController().signal);
	expect(await isOver(wait, 99)).toBe(false);
	expect(await isOver(wait, 1)).toBe(true);
});
