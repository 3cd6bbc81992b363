import {expect, test} from 'vitest';
import {Range} from '../../../src/forecast/range.ts';
import type {Divergence} from '../../../src/shadow/compare/divergence.ts';
import {DivergenceBook} from '../../../src/shadow/compare/divergenceBook.ts';
import {explained, type UnexplainedAction} from '../../../src/shadow/compare/unexplainedAction.ts';

const aCase = (id: string, more: Partial<UnexplainedAction> = {}): UnexplainedAction => ({
	...{id, kind: 'Missing', action: 'TaintNode', node: 'n1', zone: 'eu/a', at: null, since: 0, stateSince: 0},
	object: {kind: 'Node', name: 'n1', uid: 'u1'},
	expected: new Range(1000, 1500, 2000),
	now: 6000,
	...more,
});

test('what is missing lasts, changes its reason, and is late once it comes', () => {
	const told: Divergence[] = [];
	const book = new DivergenceBook((one) => told.push(one));
	book.raise(aCase('a'), explained('Unexplained', 'nothing'));
	book.explain('a', explained('ControllerRestarted', 'another leader'));
	expect(book.all).toMatchObject([
		{kind: 'Missing', reason: 'ControllerRestarted', isAlarm: false, endedAt: null},
	]);
	book.markLate('a', 9000, 9100, explained('OtherSetting', 'a flag', '--node-eviction-rate=0.5'));
	book.markLate('a', 9000, 9100, explained('Unexplained', 'once is enough'));
	expect(told.map(({kind, reason, isAlarm, endedAt}) => [kind, reason, isAlarm, endedAt])).toEqual([
		['Missing', 'Unexplained', true, null],
		['Missing', 'ControllerRestarted', false, null],
		['Late', 'OtherSetting', true, 9100],
	]);
	expect(book.all).toMatchObject([{kind: 'Late', actual: 9000, explainedBy: '--node-eviction-rate=0.5'}]);
	expect(book.counts).toEqual({Missing: 1, Late: 1, Early: 0, Unexpected: 0});
});

test('a year of divergences takes no more room than a week', () => {
	const book = new DivergenceBook(() => undefined);
	for (let id = 0; id < 5000; id += 1)
		book.raise(aCase(`${id}`, {kind: 'Early', at: {lo: 10, hi: 20}}), explained('Unexplained', 'nothing'));
	expect(book.all).toHaveLength(200);
	expect(book.all[0]?.id).toBe('4999');
	expect(book.counts.Early).toBe(5000);
});
