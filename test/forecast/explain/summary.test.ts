import {expect, test} from 'vitest';
import {podSummary} from '../../../src/forecast/explain/summary.ts';
import {aPodForecast, inSeconds, now} from '../../print/forecasts.ts';

test.for([
	{tolerationSeconds: null, want: ', as it does not tolerate the taint example.com/broken:NoExecute.'},
	{tolerationSeconds: 300, want: ', 300s after the taint example.com/broken:NoExecute.'},
])('the summary of a pod says whether it tolerates the taint: $want', ({tolerationSeconds, want}) => {
	const cause = {kind: 'Taint', taint: 'example.com/broken:NoExecute', tolerationSeconds} as const;
	const forecast = aPodForecast({verdict: 'Expected', cause, eviction: inSeconds(10, 60)});
	expect(podSummary(forecast, undefined, now).endsWith(want)).toBe(true);
});
