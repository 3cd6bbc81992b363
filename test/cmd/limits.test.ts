import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {withinLimits} from '../../cmd/clusters/limits.ts';
import {second} from '../../src/core/time/instant.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A cluster that was last heard when this is called. */
function heardNow() {
	let heardAt = performance.now();
	const hear = () => {
		heardAt = performance.now();
	};
	return {hear, server: 'https://a:6443/', silentFor: () => performance.now() - heardAt};
}

const never = new Promise<never>(() => undefined);

/** What became of some work, as far as it has. */
function fateOf(work: Promise<unknown>) {
	const fate: {said?: string} = {};
	work.then(
		() => Object.assign(fate, {said: 'done'}),
		(error: unknown) => Object.assign(fate, {said: String(error)}),
	);
	return fate;
}

test('a cluster that was asked nothing for a while gets as long to answer as any other', async () => {
	const cluster = heardNow();
	await vi.advanceTimersByTimeAsync(60 * second);
	const fate = fateOf(withinLimits(cluster, never, 5 * second));
	await vi.advanceTimersByTimeAsync(4.9 * second);
	expect(fate.said).toBeUndefined();
	await vi.advanceTimersByTimeAsync(0.3 * second);
	expect(fate.said).toContain('the server a:6443 did not answer within 5s');
});

test('one that goes on answering is waited for ten times as long', async () => {
	const cluster = heardNow();
	const fate = fateOf(withinLimits(cluster, never, second));
	for (let passed = 0; passed < 9.5; passed += 0.5) {
		await vi.advanceTimersByTimeAsync(0.5 * second);
		cluster.hear();
	}
	expect(fate.said).toBeUndefined();
	await vi.advanceTimersByTimeAsync(0.6 * second);
	expect(fate.said).toContain('could not be read within 10s');
});
