import {expect, test} from 'vitest';
import {playDrawn} from '../support/drawn.ts';
import {wrongIn} from '../support/soundness.ts';
import {
	lookAt,
	throttledOutageWithChanges,
	throttledOutageWithReturns,
	wrongInThrottledOutage,
} from '../support/throttledOutages.ts';

test('long throttled outages delete every pod in its range, by the forecast and by the what-if without changes', () => {
	const drawn = {suite: 'throttledSoundness', kind: 'zones of 60 to 400 nodes', count: 40};
	const wrong = playDrawn(drawn, (seed) => wrongInThrottledOutage(seed));
	expect(wrong.flat()).toEqual([]);
});

test('where a node is queued only in the pass after the one that found it, that may come after all that is simulated', () => {
	expect(wrongInThrottledOutage(9, lookAt, 'v1.33.0')).toEqual([]);
});

test('nodes that a throttled pass queued again cost tokens until these came, also where their zone was slowed down meanwhile', () => {
	// A pass that wrote for long sees a renewal late (41), and judges its zones at its end: their rate changed then (49). Two passes
	// were taken for one, which was not over at once: tokens may still come early (116).
	const drawn = {
		...{suite: 'throttledSoundness', kind: 'zones whose nodes return', count: 25},
		// Passes a period apart were taken for one, and one that was over for one in progress (124, 155).
		...{also: [41, 116, 155], deep: [49, 124, 210]},
	};
	const wrong = playDrawn(drawn, (seed) => wrongIn(throttledOutageWithReturns(seed), seed));
	expect(wrong.flat()).toEqual([]);
});

test('zones are judged and tainted in the predicted ranges where nodes return, fail anew and are deleted in long passes, and controllers restart', () => {
	// A node fell silent in a long pass of other zones (45). New controllers queued again what old ones had found (58). A node
	// that was deleted unseen kept its place (37), also in the queue of new controllers (92). A pass was over, unseen (100).
	const drawn = {
		...{suite: 'throttledSoundness', kind: 'zones whose nodes change', count: 25},
		...{also: [37, 58], deep: [45, 92, 100]},
	};
	const wrong = playDrawn(drawn, (seed) => wrongIn(throttledOutageWithChanges(seed), seed));
	expect(wrong.flat()).toEqual([]);
});
