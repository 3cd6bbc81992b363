import {expect, test} from 'vitest';
import {drawnTimeout, playDrawn} from '../support/drawn.ts';
import {wrongIn} from '../support/soundness.ts';
import {throttledOutageWithReturns, wrongInThrottledOutage} from '../support/throttledOutages.ts';

test('long throttled outages delete every pod in its range, by the forecast and by the what-if without changes', {
	timeout: drawnTimeout,
}, () => {
	const drawn = {suite: 'throttledSoundness', kind: 'zones of 60 to 400 nodes', count: 40};
	const wrong = playDrawn(drawn, (seed) => wrongInThrottledOutage(seed));
	expect(wrong.flat()).toEqual([]);
});

test('nodes that a throttled pass queued again cost tokens until these came, also where their zone was slowed down meanwhile', {
	timeout: drawnTimeout,
}, () => {
	// A pass that wrote for long sees a renewal late (41), and judges its zones at its end: their rate changed then (49). Two passes
	// were taken for one, which was not over at once: tokens may still come early (116).
	const drawn = {
		...{suite: 'throttledSoundness', kind: 'zones whose nodes return', count: 40},
		...{also: [41, 116], deep: [49]},
	};
	const wrong = playDrawn(drawn, (seed) => wrongIn(throttledOutageWithReturns(seed), seed));
	expect(wrong.flat()).toEqual([]);
});
