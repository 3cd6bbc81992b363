import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Waiting} from '../../src/cluster/waiting.ts';

beforeEach(() => void vi.useFakeTimers({now: Date.parse('2026-01-01T12:00:00Z')}));
afterEach(() => void vi.useRealTimers());

/** Somebody who waits, for a server that has just answered. */
function waiter() {
	const said: string[] = [];
	let heardAt = performance.now();
	const waiting = new Waiting({
		host: 'a:6443',
		writeError: (text) => said.push(text),
		silentFor: () => performance.now() - heardAt,
	});
	return {said, waiting, hear: () => (heardAt = performance.now())};
}

test('who is waited for is said once, with the instant of the last answer', async () => {
	const {said, waiting} = waiter();
	await vi.advanceTimersByTimeAsync(8000);
	void waiting.for(new Promise(() => undefined));
	void waiting.for(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(30_000);
	expect(said).toEqual(['Waiting for the API server at a:6443: no answer since 12:00:00Z.\n']);
});

test('a second silence is said as well', async () => {
	const {said, waiting, hear} = waiter();
	void waiting.for(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(10_000);
	hear();
	await vi.advanceTimersByTimeAsync(4000);
	expect(said).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(4000);
	expect(said.at(-1)).toContain('no answer since 12:00:10Z');
	expect(said).toHaveLength(2);
});

test('nothing is said for work that has come to its end', async () => {
	const {said, waiting} = waiter();
	await waiting.for(Promise.resolve());
	await vi.advanceTimersByTimeAsync(30_000);
	expect(said).toEqual([]);
});
