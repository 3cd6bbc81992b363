import {expect, test} from 'vitest';
import {podSummary} from '../../../src/forecast/explain/summary.ts';
import {aPodForecast, inSeconds, now} from '../../print/forecasts.ts';

test.for([
	{tolerationSeconds: null, want: ', as it does not tolerate the taint example.com/broken:NoExecute.'},
	{tolerationSeconds: 300, want: ', 300s after the taint example.com/broken:NoExecute.'},
])('the summary of a pod says whether it tolerates the taint: $want', ({tolerationSeconds, want}) => {
	const cause = {kind: 'Taint', taint: 'example.com/broken:NoExecute', tolerationSeconds} as const;
	const forecast = aPodForecast({verdict: 'Expected', cause, eviction: inSeconds(10, 12)});
	expect(podSummary(forecast, undefined, now).endsWith(want)).toBe(true);
});

test('of a wide range the summary says how the cases lie in it, and in which order nodes are tainted', () => {
	const forecast = aPodForecast({verdict: 'Expected', eviction: inSeconds(0, 600)});
	expect(podSummary(forecast, undefined, now, undefined, 'its node is one of 6 in random order')).toContain(
		'. Its node is one of 6 in random order: as likely before 14:05:00Z as after, and in 8 of 10 cases between 14:01:00Z and 14:09:00Z.',
	);
});
