import {expect, test} from 'vitest';
import {ApiClient} from '../../../src/core/client/apiClient.ts';

const calls = (client: ApiClient, count: number) => Array.from({length: count}, () => client.call(0));

test.for([
	{name: 'a client without a limit waits for nothing but the answer', qps: 0, burst: 0, want: [5, 5, 5, 5]},
	{name: 'a client with a limit waits once its burst is gone', qps: 10, burst: 2, want: [5, 5, 105, 205]},
])('$name', ({qps, burst, want}) => {
	expect(calls(new ApiClient(qps, burst, 5), 4)).toEqual(want);
});

test('a turn waits in the same line as a call, and takes no time itself', () => {
	const client = new ApiClient(10, 1, 5);
	expect([client.turn(0), client.call(0), client.turn(0)]).toEqual([0, 105, 200]);
});

test('what takes a token only if it is there never waits and leaves no debt', () => {
	const client = new ApiClient(10, 1, 5);
	client.takeIfThere(0);
	client.takeIfThere(0);
	expect(client.turn(0)).toBe(100);
});

test('a fork has its own line', () => {
	const client = new ApiClient(10, 1, 5);
	client.call(0);
	const fork = client.fork();
	expect([fork.call(0), fork.call(0)]).toEqual([105, 205]);
	expect(client.call(0)).toBe(105);
});

test('a fork of a client without a limit has none either', () => {
	expect(calls(new ApiClient(0, 0, 1).fork(), 3)).toEqual([1, 1, 1]);
});

test('a client can be made as it was at an instant: with tokens, or with calls in its line', () => {
	const client = new ApiClient(10, 5, 1);
	expect(client.withTokens(1, 0).turn(0)).toBe(0);
	expect(client.withTokens(-2, 0).turn(0)).toBe(300);
	expect(new ApiClient(0, 0, 1).withTokens(-2, 0).turn(0)).toBe(0);
});
