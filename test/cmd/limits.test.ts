import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {withinLimits} from '../../cmd/clusters/member.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {second} from '../../src/core/time/instant.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A cluster that has just responded; `hear` is a further response. */
function heardNow() {
	let heardAt = performance.now();
	const hear = () => {
		heardAt = performance.now();
	};
	return {
		hear,
		server: 'https://a:6443/',
		silentFor: () => performance.now() - heardAt,
		throttle: () => undefined,
		isAttended: () => false,
	};
}

const never = new Promise<never>(() => undefined);

/** The outcome of some work so far. */
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

test('the time in which a credential plugin has the terminal does not count', async () => {
	let isAttended = true;
	const cluster = {...heardNow(), isAttended: () => isAttended};
	const fate = fateOf(withinLimits(cluster, never, second));
	await vi.advanceTimersByTimeAsync(60 * second);
	isAttended = false;
	await vi.advanceTimersByTimeAsync(0.8 * second);
	expect(fate.said).toBeUndefined();
	await vi.advanceTimersByTimeAsync(0.5 * second);
	expect(fate.said).toContain('did not answer within 1s');
});

test('who leaves does not wait for a cluster that is being reached', async () => {
	const leave = new AbortController();
	const fate = fateOf(withinLimits(heardNow(), never, 5 * second, leave.signal));
	leave.abort(new Error('left'));
	await vi.advanceTimersByTimeAsync(0);
	expect(fate.said).toBe('Error: left');
});

test('one that wants to be asked later is quoted, and not called silent', async () => {
	const throttle = () => new RequestError('the server answered 429 to GET /version: slow down', '');
	const fate = fateOf(withinLimits({...heardNow(), throttle}, never, second));
	await vi.advanceTimersByTimeAsync(1.2 * second);
	expect(fate.said).toContain('the server answered 429 to GET /version: slow down');
});
