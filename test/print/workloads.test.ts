import {expect, test} from 'vitest';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {workloadSummary} from '../../src/print/workloads.ts';
import {aForecast, aPodForecast, inSeconds, now} from './forecasts.ts';

const owner = {kind: 'StatefulSet', name: 'cart', uid: 'cart'};
const pod = (index: number, fields: Parameters<typeof aPodForecast>[0]) =>
	aPodForecast({name: `cart-${index}`, uid: `cart-${index}`, owner, ready: 'True', ...fields});

test('a workload is summed up: what happens to its pods, what is next and last, and how few stay ready', () => {
	const pods = [
		pod(0, {eviction: inSeconds(10, 12)}),
		pod(1, {eviction: inSeconds(60, 62)}),
		pod(2, {verdict: 'Held', eviction: null}),
	];
	const [impact] = workloadImpacts(aForecast({pods}), nothingRelated);
	if (!impact) throw new Error('no workload');
	const text = (change: Partial<typeof impact>) =>
		workloadSummary({...impact, ...change}, pods, now).replaceAll('\n', ' ');
	const start =
		'statefulset/cart in namespace shop: 2 will be evicted, 1 held; next in 10s-12s (14:00:10Z/14:00:12Z), last in 1m-1m2s';
	const known = {readyNow: 3, desired: 3};
	expect(text({...known, lowest: {ready: 1, at: inSeconds(60, 62)}})).toBe(
		`${start}; 3/3 pods ready, 1 at the lowest. `,
	);
	expect(text({...known, lowest: {ready: 3, at: null}})).toBe(`${start}; 3/3 pods ready. `);
	expect(text({readyNow: null})).toBe(`${start}. `);
});

test('a workload that loses no pod for sure is summed up without times', () => {
	const pods = [pod(0, {verdict: 'Terminating', eviction: null, cause: null})];
	const [impact] = workloadImpacts(aForecast({pods}), nothingRelated);
	if (!impact) throw new Error('no workload');
	expect(workloadSummary({...impact, readyNow: null}, pods, now)).toBe(
		'statefulset/cart in namespace shop: 1 Terminating.\n',
	);
});
