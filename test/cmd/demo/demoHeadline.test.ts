import {expect, test} from 'vitest';
import {headline} from '../../../cmd/demo/demoHeadline.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';

const nodes = (count: number, verdict: 'Healthy' | 'Silent' | 'Queued' | 'Tainted') =>
	Array.from({length: count}, (_, index) => aNodeForecast({name: `${verdict[0]}${index}`, verdict}));

test.for([
	{
		name: 'a cluster that is well',
		forecast: {nodes: nodes(13, 'Healthy')},
		want: 'All 13 nodes are well; no evictions expected.',
	},
	{
		name: 'a node that is well, and runs short',
		forecast: {
			nodes: [
				...nodes(1, 'Healthy'),
				{...aNodeForecast({name: 'n9'}), pressure: {conditions: ['MemoryPressure'], next: null}},
			],
			pods: [aPodForecast()],
		},
		want: 'n9 runs short of memory; shop/cart-0 will be evicted in 4m10s-5m2s.',
	},
	{
		name: 'one pod of one node',
		forecast: {nodes: nodes(1, 'Silent'), pods: [aPodForecast()]},
		want: 'S0 is silent; shop/cart-0 will be evicted in 4m10s-5m2s.',
	},
	{
		name: 'many pods, the most urgent named',
		forecast: {
			nodes: nodes(2, 'Tainted'),
			pods: [aPodForecast(), aPodForecast({name: 'web', eviction: inSeconds(0, 3)})],
		},
		want: 'T0 and T1 are tainted; 2 pods will be evicted, the first within 3s: shop/web.',
	},
	{
		name: 'many nodes in several states',
		forecast: {nodes: [...nodes(3, 'Queued'), ...nodes(1, 'Tainted')]},
		want: '4 nodes are in trouble (3 queued for the taint, 1 tainted); no evictions expected.',
	},
	{
		name: 'what may go, and what is held',
		forecast: {
			nodes: nodes(3, 'Silent'),
			pods: [
				aPodForecast({verdict: 'Unsure'}),
				aPodForecast({verdict: 'Held', eviction: null}),
				aPodForecast({verdict: 'Held', eviction: null}),
			],
		},
		want: 'S0, S1 and S2 are silent; 1 pod might be evicted; 2 pods held.',
	},
	{
		name: 'a name that would move the cursor',
		forecast: {nodes: [aNodeForecast({name: 'n\x1b[2J', verdict: 'Silent'})]},
		want: 'n^[[2J is silent; no evictions expected.',
	},
])('$name', ({forecast, want}) => {
	expect(headline(aForecast(forecast), now)).toBe(want);
});
