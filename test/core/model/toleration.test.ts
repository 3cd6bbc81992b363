import {expect, test} from 'vitest';
import {isSameTolerations} from '../../../src/core/model/toleration.ts';
import {tolerates} from '../../support/builders.ts';

const base = [tolerates('gpu', 30), tolerates('disk')];

test.for([
	{name: 'equal lists are the same', other: [tolerates('gpu', 30), tolerates('disk')], want: true},
	{name: 'another order is another list', other: [tolerates('disk'), tolerates('gpu', 30)], want: false},
	{name: 'a longer list differs', other: [...base, tolerates('cpu')], want: false},
	{name: 'a shorter list differs', other: [tolerates('gpu', 30)], want: false},
	{name: 'other seconds differ', other: [tolerates('gpu', 31), tolerates('disk')], want: false},
	{name: 'no seconds differ from zero', other: [tolerates('gpu', 30), tolerates('disk', 0)], want: false},
	{
		name: 'another operator differs',
		other: [{...tolerates('gpu', 30), operator: 'Equal'}, tolerates('disk')],
		want: false,
	},
])('$name', ({other, want}) => {
	expect(isSameTolerations(base, other)).toBe(want);
});
