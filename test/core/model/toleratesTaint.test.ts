import {expect, test} from 'vitest';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {toleratesTaint} from '../../../src/core/model/toleration.ts';
import {aTaint} from '../../support/builders.ts';

const aToleration = (fields: Partial<Toleration> = {}): Toleration => ({
	key: 'gpu',
	operator: '',
	value: '',
	effect: '',
	...fields,
});
const broken = aTaint('gpu', {value: 'broken'});

test.for([
	{name: 'an equal value is tolerated', fields: {operator: 'Equal', value: 'broken'}, want: true},
	{name: 'no operator means Equal', fields: {value: 'broken'}, want: true},
	{name: 'another value is not', fields: {value: 'slow'}, want: false},
	{name: 'Exists tolerates any value', fields: {operator: 'Exists'}, want: true},
	{name: 'another key is not tolerated', fields: {key: 'disk', operator: 'Exists'}, want: false},
	{name: 'Exists without a key tolerates everything', fields: {key: '', operator: 'Exists'}, want: true},
	{name: 'no key with an equal value counts as well', fields: {key: '', value: 'broken'}, want: true},
	{name: 'the same effect is tolerated', fields: {operator: 'Exists', effect: 'NoExecute'}, want: true},
	{name: 'another effect is not', fields: {operator: 'Exists', effect: 'NoSchedule'}, want: false},
	{
		name: 'an operator that nobody knows matches nothing',
		fields: {operator: 'Near', value: 'broken'},
		want: false,
	},
])('$name', ({fields, want}) => {
	expect(toleratesTaint(aToleration(fields), broken, true)).toBe(want);
});

test.for([
	{
		name: "Gt asks whether the taint's value is greater than the toleration's, not the other way round",
		taint: '10',
		operator: 'Gt',
		value: '5',
		want: true,
	},
	{name: 'a smaller taint is not Gt', taint: '5', operator: 'Gt', value: '10', want: false},
	{name: 'Lt is the other way', taint: '5', operator: 'Lt', value: '10', want: true},
	{name: 'equal numbers are neither less', taint: '5', operator: 'Lt', value: '5', want: false},
	{name: 'nor greater', taint: '5', operator: 'Gt', value: '5', want: false},
	{name: 'numbers are compared as numbers, not as text', taint: '9', operator: 'Lt', value: '10', want: true},
	{name: 'negative numbers count', taint: '-3', operator: 'Lt', value: '-2', want: true},
	{
		name: 'the last int64 is told from the one before',
		taint: '9223372036854775807',
		operator: 'Gt',
		value: '9223372036854775806',
		want: true,
	},
	{
		name: 'a number beyond int64 matches nothing',
		taint: '9223372036854775808',
		operator: 'Gt',
		value: '1',
		want: false,
	},
	{name: 'the lowest int64 is one', taint: '-9223372036854775808', operator: 'Lt', value: '1', want: true},
	{name: 'a leading zero is not a number', taint: '07', operator: 'Gt', value: '5', want: false},
	{name: 'nor is a plus sign', taint: '+7', operator: 'Gt', value: '5', want: false},
	{name: 'nor is a fraction', taint: '7.5', operator: 'Gt', value: '5', want: false},
	{name: 'nor is minus zero', taint: '-0', operator: 'Lt', value: '5', want: false},
	{name: 'nor is an empty value', taint: '', operator: 'Lt', value: '5', want: false},
])('$name', ({taint, operator, value, want}) => {
	expect(toleratesTaint(aToleration({operator, value}), aTaint('gpu', {value: taint}), true)).toBe(want);
	expect(toleratesTaint(aToleration({operator, value}), aTaint('gpu', {value: taint}), false)).toBe(false);
});
