import {expect, test} from 'vitest';
import {workloadOf} from '../../../src/core/model/workloads/workload.ts';
import {findWorkloads, thenWords} from '../../../src/ui/scene/workloads.ts';
import {aForecast, aPodForecast, inSeconds} from '../../print/forecasts.ts';

const owner = (kind: string, name: string) => ({kind, name, uid: name});

test('a ReplicaSet that a Deployment made stands for it', () => {
	const labels = {'pod-template-hash': '7d9f'};
	expect(workloadOf(aPodForecast({labels, owner: owner('ReplicaSet', 'cart-7d9f')}))).toEqual({
		kind: 'Deployment',
		name: 'cart',
	});
	expect(workloadOf(aPodForecast({owner: owner('ReplicaSet', 'cart-7d9f')}))).toEqual({
		kind: 'ReplicaSet',
		name: 'cart-7d9f',
	});
	expect(workloadOf(aPodForecast({name: 'lone'}))).toEqual({kind: 'Pod', name: 'lone'});
});

test.for([
	{kind: 'ReplicaSet', want: 'replaced'},
	{kind: 'StatefulSet', want: 'blocks StatefulSet db'},
	{kind: 'Job', want: 'its Job may retry'},
	{kind: 'Rollout', want: 'its Rollout decides'},
])('a pod of a $kind: $want', ({kind, want}) => {
	expect(thenWords(aPodForecast({after: null, owner: owner(kind, 'db')}))).toBe(want);
});

test('a workload counts its pods, those that stay, and when the first goes', () => {
	const of = (fields: Parameters<typeof aPodForecast>[0]) =>
		aPodForecast({owner: owner('StatefulSet', 'db'), after: null, ...fields});
	const forecast = aForecast({
		pods: [
			of({uid: '0', eviction: inSeconds(300)}),
			of({uid: '1', eviction: inSeconds(30, 40)}),
			of({uid: '2', verdict: 'Held', eviction: null}),
			of({uid: '3', verdict: 'Terminating', eviction: null}),
			of({uid: '4', verdict: 'Safe', eviction: null}),
			aPodForecast({uid: '5', namespace: 'other', verdict: 'Safe', eviction: null}),
		],
	});
	const [first, second] = findWorkloads(forecast.pods);
	expect(first).toMatchObject({
		...{key: 'shop/StatefulSet/db', replicas: 4, after: 2, coming: 2, held: 1, terminating: 1},
		first: inSeconds(30, 40),
	});
	expect(second).toMatchObject({namespace: 'other', replicas: 1, after: 1, first: null});
});
