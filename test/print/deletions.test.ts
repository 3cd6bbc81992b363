import {expect, test} from 'vitest';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {Range} from '../../src/forecast/range.ts';
import {deletions} from '../../src/print/tables/deletionKind.ts';
import {inTable} from '../../src/print/tables/kind.ts';

const at = Date.UTC(2026, 0, 31, 14, 0, 0);
const deletion: ObservedDeletion = {
	...{at, namespace: 'shop', name: 'cart-0', uid: 'u1', node: 'n1'},
	...{firstPrediction: undefined, isEviction: false, isInside: undefined},
};
const differenceOf = (one: ObservedDeletion) =>
	deletions.columns.find(({title}) => title === 'DIFFERENCE')?.cell(one, inTable(at));

test.for([
	[{kind: 'EvictionAPI'}, 'Eviction API'],
	[{kind: 'EvictionAPI', by: 'the cluster autoscaler'}, 'the cluster autoscaler'],
	[{kind: 'PodGarbageCollection', by: "its cloud's controller"}, "its cloud's controller"],
	[{kind: 'Scheduler'}, 'preempted'],
	[{kind: 'Kubelet'}, 'by its kubelet'],
] as const)('who else ended a pod is told: %s', ([actor, words]) => {
	expect(differenceOf({...deletion, actor})).toBe(words);
	expect(deletions.toJson({...deletion, actor})).toMatchObject({actor, isEviction: false});
});

test('of a deletion that nobody announced, nobody is told', () => {
	expect(differenceOf(deletion)).toBe('no eviction');
	expect(deletions.toJson(deletion)).not.toHaveProperty('actor');
});

test.for([
	{name: 'inside its range', earliest: -5, latest: 5, isInside: true, words: 'inside'},
	{
		name: 'a moment before, within what clocks allow',
		earliest: 0.5,
		latest: 5,
		isInside: true,
		words: 'inside',
	},
	{name: 'before', earliest: 20, latest: 30, isInside: false, words: '20s early'},
	{name: 'after', earliest: -30, latest: -20, isInside: false, words: '20s late'},
	{
		name: 'in a range without an end, but not in a later one',
		earliest: -9,
		latest: null,
		isInside: false,
		words: 'outside a later forecast',
	},
])('where a deletion lies beside what was predicted: $name', ({earliest, latest, isInside, words}) => {
	const range = new Range(at + earliest * 1000, at, latest === null ? null : at + latest * 1000);
	const said = {madeAt: at - 60_000, verdict: 'Scheduled', range} as const;
	expect(differenceOf({...deletion, isEviction: true, firstPrediction: said, isInside})).toBe(words);
});
