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

test('events that come while a thousand wait are dropped', () => {
	const client = new ApiClient(0, 0, 0);
	const recorder = new EventRecorder();
	for (let index = 0; index < 1005; index += 1) recorder.record(event(`${index}`), client, 0);
	const posted = drain(recorder, client, 0).map(([about]) => about);
	expect([posted.length, posted.at(-1)]).toEqual([1000, '999']);
});
