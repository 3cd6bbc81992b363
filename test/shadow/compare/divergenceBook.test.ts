import {expect, test} from 'vitest';
import {Range} from '../../../src/forecast/range.ts';
import {DivergenceBook} from '../../../src/shadow/compare/divergenceBook.ts';
import {explained, type UnexplainedAction} from '../../../src/shadow/compare/unexplainedAction.ts';

const aCase = (id: string, more: Partial<UnexplainedAction> = {}): UnexplainedAction => ({
	...{id, kind: 'Missing', action: 'TaintNode', node: 'n1', zone: 'eu/a', at: null, since: 0, stateSince: 0},
	object: {kind: 'Node', name: 'n1', uid: 'u1'},
	expected: new Range(1000, 1500, 2000),
	now: 6000,
	...more,
});

test('a year of divergences takes no more room than a week', () => {
	const book = new DivergenceBook(() => undefined);
	for (let id = 0; id < 5000; id += 1)
		book.raise(aCase(`${id}`, {kind: 'Early', at: {lo: 10, hi: 20}}), explained('Unexplained', 'nothing'));
	expect(book.all).toHaveLength(200);
	expect(book.all[0]?.id).toBe('4999');
	expect(book.counts.Early).toBe(5000);
});
