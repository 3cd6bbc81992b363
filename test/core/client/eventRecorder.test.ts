import {expect, test} from 'vitest';
import {ApiClient} from '../../../src/core/client/apiClient.ts';
import type {PostedEvent} from '../../../src/core/client/clusterApi.ts';
import {EventRecorder} from '../../../src/core/client/eventRecorder.ts';

const event = (about: string): PostedEvent => ({reason: 'NodeNotReady', about});

/** Posts all waiting events; returns them with their times. */
function drain(recorder: EventRecorder, client: ApiClient, firstAt: number | undefined) {
	const posted: (readonly [about: string, at: number])[] = [];
	for (let at = firstAt; at !== undefined; ) {
		const {event: next, nextAt} = recorder.post(client, at);
		if (next) posted.push([next.about, at]);
		at = nextAt;
	}
	return posted;
}

test('the first event asks to be posted, those behind it wait for it', () => {
	const client = new ApiClient(0, 0, 0);
	const recorder = new EventRecorder();
	expect(['a', 'b'].map((about) => recorder.record(event(about), client, 7))).toEqual([7, undefined]);
	expect(drain(recorder, client, 7).map(([about]) => about)).toEqual(['a', 'b']);
});

test('each event takes its own turn in the client line', () => {
	const client = new ApiClient(10, 1, 0);
	const recorder = new EventRecorder();
	const first = recorder.record(event('a'), client, 0);
	recorder.record(event('b'), client, 0);
	recorder.record(event('c'), client, 0);
	expect(drain(recorder, client, first)).toEqual([
		['a', 0],
		['b', 100],
		['c', 200],
	]);
});

test('once all are posted the next event asks again', () => {
	const client = new ApiClient(0, 0, 0);
	const recorder = new EventRecorder();
	drain(recorder, client, recorder.record(event('a'), client, 0));
	expect(recorder.record(event('b'), client, 50)).toBe(50);
});

test('events that come while a thousand wait are dropped', () => {
	const client = new ApiClient(0, 0, 0);
	const recorder = new EventRecorder();
	for (let index = 0; index < 1005; index += 1) recorder.record(event(`${index}`), client, 0);
	const posted = drain(recorder, client, 0).map(([about]) => about);
	expect([posted.length, posted.at(-1)]).toEqual([1000, '999']);
});

test('a fork posts what waited when it was made, and nothing that came later', () => {
	const client = new ApiClient(0, 0, 0);
	const recorder = new EventRecorder();
	recorder.record(event('a'), client, 0);
	const fork = recorder.fork();
	expect(fork.fork().record(event('b'), client, 0)).toBeUndefined();
	recorder.record(event('b'), client, 0);
	expect(drain(fork, client, 0).map(([about]) => about)).toEqual(['a']);
	expect(drain(recorder, client, 0).map(([about]) => about)).toEqual(['a', 'b']);
});
