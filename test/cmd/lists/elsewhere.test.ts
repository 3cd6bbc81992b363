import {expect, test} from 'vitest';
import {elsewhereText} from '../../../cmd/lists/elsewhere.ts';
import type {PodVerdict} from '../../../src/forecast/podForecast.ts';
import {aPodForecast} from '../../print/forecasts.ts';

test.for([
	[['Unsure'], '1 pod might be evicted'],
	[['Held', 'Held'], '2 pods are held'],
	[['Expected', 'Unsure', 'Held'], '1 pod will be evicted, 1 might be evicted, 1 is held'],
] as const)('of other namespaces: %o are %s', ([verdicts, want]) => {
	const pods = verdicts.map((verdict: PodVerdict) => aPodForecast({namespace: 'bank', verdict}));
	expect(elsewhereText(pods, 'shop')).toBe(`In other namespaces ${want}; see them with -A.\n`);
});
