import {expect, test} from 'vitest';
import {elsewhereText, namespaceOfNames} from '../../../cmd/lists/elsewhere.ts';
import type {PodVerdict} from '../../../src/forecast/podForecast.ts';
import {aPodForecast} from '../../print/forecasts.ts';

test.for([
	[['Unsure'], '1 might be evicted'],
	[['Held', 'Held'], '2 held'],
	[['Expected', 'Unsure', 'Held'], '1 will be evicted, 1 might be evicted, 1 held'],
] as const)('of other namespaces: %o are %s', ([verdicts, want]) => {
	const pods = verdicts.map((verdict: PodVerdict) => aPodForecast({namespace: 'bank', verdict}));
	expect(elsewhereText(pods, 'shop')).toBe(`Pods in other namespaces: ${want}; see them with -A.\n`);
});

const inNamespaces = ['shop', 'bank', 'bank'].map((namespace, index) => ({namespace, name: `web-${index}`}));

test.for([
	{names: ['web-1'], want: 'bank'},
	{names: ['web-1', 'web-2'], want: 'bank'},
	{names: ['web-1'], given: 'default', want: undefined},
	{names: ['web-0', 'web-1'], want: undefined},
	{names: ['web-1', 'gone'], want: undefined},
	{names: ['web-1'], namespace: 'bank', want: undefined},
	{names: [], want: undefined},
])('pods $names without a namespace are those of $want', ({names, given, namespace = 'default', want}) => {
	expect(namespaceOfNames(names, namespace, given, inNamespaces)).toBe(want);
});
