import {expect, test} from 'vitest';
import {keyNames} from '../../../src/ui/state/keyName.ts';

const nothing = {
	...{upArrow: false, downArrow: false, leftArrow: false, rightArrow: false, pageUp: false, pageDown: false},
	...{home: false, end: false, return: false, escape: false, tab: false, backspace: false, delete: false},
	...{ctrl: false, shift: false, meta: false},
};

test.for([
	{name: 'a letter', input: 'j', key: {}, want: ['j']},
	{name: 'a capital letter', input: 'G', key: {shift: true}, want: ['G']},
	{name: 'an arrow', input: '', key: {upArrow: true}, want: ['up']},
	{name: 'a space', input: ' ', key: {}, want: ['space']},
	{name: 'ctrl-c', input: 'c', key: {ctrl: true}, want: ['ctrl-c']},
	{name: 'enter', input: '\r', key: {return: true}, want: ['enter']},
	{name: 'shift-tab', input: '', key: {tab: true, shift: true}, want: ['shift-tab']},
	{name: 'letters typed in a hurry', input: 'jj ', key: {}, want: ['j', 'j', 'space']},
	{name: 'pasted lines', input: 'ab\r', key: {}, want: ['a', 'b', 'enter']},
	{
		name: 'escape and a letter in a hurry, which look like alt',
		input: 'x',
		key: {meta: true},
		want: ['esc', 'x'],
	},
	{name: 'escape and an arrow in a hurry', input: '', key: {meta: true, upArrow: true}, want: ['esc', 'up']},
	{name: 'a key of which ink tells nothing', input: '', key: {}, want: ['unknown']},
	{name: 'escape alone', input: '', key: {meta: true, escape: true}, want: ['esc']},
])('$name', ({input, key, want}) => {
	expect(keyNames(input, {...nothing, ...key})).toEqual(want);
});
