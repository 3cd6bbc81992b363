import {expect, test} from 'vitest';
import {readPods} from '../../../cmd/questions/suppose.ts';
import {aForecast, aNodeForecast} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';

const forbidden = {reason: 'PodsForbidden', message: 'pods is forbidden'};

test.for<{
	what: string;
	source: 'file' | 'cluster';
	nodes: number;
	problems?: (typeof forbidden)[];
	want: boolean;
}>([
	{what: 'of a small cluster', source: 'cluster', nodes: 50, want: true},
	{what: 'of a large cluster', source: 'cluster', nodes: 51, want: false},
	{what: 'of a dump of a large cluster', source: 'file', nodes: 51, want: true},
	{what: 'that may not be read', source: 'cluster', nodes: 2, problems: [forbidden], want: false},
])('pods $what: those of all workers were read: $want', ({source, nodes, problems = [], want}) => {
	const pods = [aPod('cart-0', {nodeName: 'n-0'})];
	const workers = Array.from({length: nodes}, (_, index) => aNodeForecast({name: `n-${index}`}));
	// The pods of a silent node are read in any case.
	const all = [...workers, aNodeForecast({name: 'silent', verdict: 'Silent'})];
	const forecast = aForecast({nodes: all, problems});
	expect(readPods({snapshot: {source, pods}, forecast})).toEqual({pods, areAll: want});
});
