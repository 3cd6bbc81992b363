import {expect, test} from 'vitest';
import {decideOrder} from './decideOrder.ts';

const zone = {'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': 'z'};
const nodes = [
	{name: 'a', labels: zone},
	{name: 'b', labels: zone},
];
const taint = (node: string, at: number) => ({at, kind: 'taint-added', node, detail: 'x:NoExecute'});

test('runs that differ by the jitter of a retry are decided', () => {
	expect(decideOrder(nodes, [[taint('a', 1000)], [taint('a', 1250)]], false)).toEqual({order: 'decided'});
});

test('runs in which another node is next are undecided', () => {
	const runs = [
		[taint('a', 1000), taint('b', 11_000)],
		[taint('b', 1000), taint('a', 11_000)],
	];
	expect(decideOrder(nodes, runs, false)).toEqual({order: 'undecided'});
});

test('runs in which another number of things happens make no vector', () => {
	expect(decideOrder(nodes, [[taint('a', 1000)], []], false)).toBeUndefined();
	expect(decideOrder(nodes, [[taint('a', 1000)], []], true)).toBeUndefined();
});

test('a throttle leaves times as far apart as they were seen, and as far again', () => {
	const runs = [[taint('a', 1000)], [taint('b', 2600)], [taint('a', 2000)]];
	expect(decideOrder(nodes, runs, true)).toEqual({order: 'undecided', toleranceMs: 3200});
	expect(decideOrder(nodes, [[taint('a', 1000)]], true)).toEqual({order: 'undecided', toleranceMs: 300});
});
