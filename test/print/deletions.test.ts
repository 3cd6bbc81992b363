import {expect, test} from 'vitest';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {deletions} from '../../src/print/tables/deletions.ts';

const at = Date.UTC(2026, 0, 31, 14, 0, 0);
const deletion: ObservedDeletion = {
	...{at, namespace: 'shop', name: 'cart-0', uid: 'u1', node: 'n1'},
	...{said: undefined, isEviction: false, isInside: undefined},
};
const differenceOf = (one: ObservedDeletion) =>
	deletions.columns.find(({title}) => title === 'DIFFERENCE')?.cell(one, at);

test.for([
	['EvictionByEvictionAPI', 'Eviction API'],
	['PreemptionByScheduler', 'preempted'],
	['TerminationByKubelet', 'by its kubelet'],
] as const)('who else announced a deletion is told: %s', ([by, words]) => {
	expect(differenceOf({...deletion, by})).toBe(words);
	expect(deletions.toJson({...deletion, by})).toMatchObject({by, isEviction: false});
});

test('of a deletion that nobody announced, nobody is told', () => {
	expect(differenceOf(deletion)).toBe('no eviction');
	expect(deletions.toJson(deletion)).not.toHaveProperty('by');
});
