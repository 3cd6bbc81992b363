import {expect, test} from 'vitest';
import {formatTaint, hasTaint, matchesTaint} from '../../../src/core/model/taint.ts';
import {aTaint} from '../../support/builders.ts';

test.for([
	{name: 'equal key and effect make the same taint', other: aTaint('gpu'), want: true},
	{name: 'the value does not count', other: aTaint('gpu', {value: 'broken'}), want: true},
	{name: 'the time does not count', other: aTaint('gpu', {timeAdded: 5}), want: true},
	{name: 'another effect is another taint', other: aTaint('gpu', {effect: 'NoSchedule'}), want: false},
	{name: 'another key is another taint', other: aTaint('cpu'), want: false},
])('$name', ({other, want}) => {
	expect(matchesTaint(aTaint('gpu'), other)).toBe(want);
	expect(hasTaint([aTaint('disk'), other], aTaint('gpu'))).toBe(want);
});

test('an empty list has no taint', () => {
	expect(hasTaint([], aTaint('gpu'))).toBe(false);
});

test('a taint is written as kubectl writes it, without an equals sign where it has no value', () => {
	expect(formatTaint(aTaint('gpu'))).toBe('gpu:NoExecute');
	expect(formatTaint(aTaint('gpu', {value: 'broken', effect: 'NoSchedule'}))).toBe('gpu=broken:NoSchedule');
});
