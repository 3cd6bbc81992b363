import {expect, test} from 'vitest';
import {runsFor} from '../../../src/forecast/conclude/nodeTaint.ts';
import type {NodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import type {Run} from '../../../src/forecast/simulate/run.ts';

test.for([
	{name: 'that the present controllers added since they began', taintedAt: {lo: 11, hi: 12}, isOver: true},
	{name: 'added as they began', taintedAt: {lo: 10, hi: 12}, isOver: true},
	{name: 'that may be older than they', taintedAt: {lo: 9, hi: 12}, isOver: false},
	{name: 'that is not there', taintedAt: undefined, isOver: false},
])('a taint $name shows whether their first pass is over', ({taintedAt, isOver}) => {
	const runs = [{isInFirstPass: true}, {isInFirstPass: false}];
	const agreeing = runsFor({taintedAt} as NodeEvidence, runs as unknown as readonly Run[], {lo: 10, hi: 20});
	expect(agreeing).toEqual(isOver ? runs.slice(1) : runs);
});
