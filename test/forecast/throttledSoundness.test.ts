import {expect, test} from 'vitest';
import {drawnTimeout, playDrawn} from '../support/drawn.ts';
import {wrongInThrottledOutage} from '../support/throttledOutages.ts';

test('long throttled outages delete every pod in its range, by the forecast and by the what-if without changes', {
	timeout: drawnTimeout,
}, () => {
	const drawn = {suite: 'throttledSoundness', kind: 'zones of 60 to 400 nodes', count: 40};
	const wrong = playDrawn(drawn, (seed) => wrongInThrottledOutage(seed));
	expect(wrong.flat()).toEqual([]);
});
