import {expect, test} from 'vitest';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../support/downNodes.ts';

const down = ['a-0', 'a-1', 'a-2', 'a-3'].map((name) => aDownNode(name, 60));
const other = aReadyNode('b-0');

test('of a held node it is said when its taint comes, where the last node of its zone is about to be found down', () => {
	const forecaster = forecasterOf([...down, aReadyNode('a-4', 47), other]);
	const {nodes, pods} = forecaster.forecast(now);
	const held = nodes.filter(({verdict}) => verdict === 'Held');
	expect(held.map(({name}) => name).toSorted()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
	for (const {name, noExecute} of held) {
		const pod = pods.find(({node}) => node === name);
		expect(pod?.verdict).toBe('Expected');
		expect(noExecute?.earliest).toBeCloseTo((pod?.eviction?.earliest ?? 0) - 300_000, -2);
		expect(noExecute?.latest).toBeCloseTo((pod?.eviction?.latest ?? 0) - 300_000, -2);
	}
	const {summary, steps} = forecaster.explain({kind: 'node', name: 'a-0'}, now) ?? {};
	expect(summary).toMatch(
		/but evictions in zone eu\/a are stopped, .*; it gets the NoExecute taint between /,
	);
	expect(steps?.map(({what}) => what)).toContain(
		'node a-0 gets the taint node.kubernetes.io/unreachable:NoExecute',
	);
});

test('a node whose zone stays stopped is said to get no taint, and so is one without a controller manager', () => {
	const stopped = forecasterOf([...down, aReadyNode('a-4'), other]).forecast(now);
	const uncontrolled = forecasterOf([...down, aReadyNode('a-4', 47), other], undefined, 120).forecast(now);
	for (const {nodes} of [stopped, uncontrolled]) {
		const held = nodes.filter(({verdict}) => verdict === 'Held');
		expect(held.map(({noExecute}) => noExecute)).toEqual([null, null, null, null]);
	}
});
