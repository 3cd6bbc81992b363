import {expect, test} from 'vitest';
import {parseLabelSelector} from '../../../src/core/selector/labelSelector.ts';

const labels = {app: 'cart', tier: 'web', empty: '', size: '10'};

test.for([
	{selector: '', want: true},
	{selector: 'app=cart', want: true},
	{selector: 'app==cart', want: true},
	{selector: 'app=db', want: false},
	{selector: 'app = cart , tier = web', want: true},
	{selector: 'app=cart,tier=db', want: false},
	{selector: 'app!=db', want: true},
	{selector: 'app!=cart', want: false},
	{selector: 'absent!=x', want: true},
	{selector: 'app in (db, cart)', want: true},
	{selector: 'app in (db)', want: false},
	{selector: 'absent in (x)', want: false},
	{selector: 'app notin (db)', want: true},
	{selector: 'absent notin (x)', want: true},
	{selector: 'app notin (db,cart)', want: false},
	{selector: 'app', want: true},
	{selector: 'absent', want: false},
	{selector: '!absent', want: true},
	{selector: '!app', want: false},
	{selector: '! app', want: false},
	{selector: 'empty=', want: true},
	{selector: 'app=,tier', want: false},
	{selector: 'empty in (x,)', want: true},
	{selector: 'empty in (,x)', want: true},
	{selector: 'empty in ()', want: true},
	{selector: 'size>9', want: true},
	{selector: 'size<10', want: false},
	{selector: 'app>1', want: false},
	{selector: 'a=b,c!=d,e in (x,y),!f,g', want: false},
	{selector: 'toString', want: false},
])('"$selector" selects: $want', ({selector, want}) => {
	expect(parseLabelSelector(selector)(labels)).toBe(want);
});

test('a word like an operator can be a key and a value', () => {
	expect(parseLabelSelector('in=notin')({in: 'notin'})).toBe(true);
	expect(parseLabelSelector('in in (in)')({in: 'in'})).toBe(true);
});

const inRequirement = 'unable to parse requirement:';

test.for([
	{selector: ',', want: "found ',', expected: !, identifier, or 'end of string'"},
	{selector: '=b', want: "found '=', expected: !, identifier, or 'end of string'"},
	{selector: 'a,', want: "found '', expected: identifier after ','"},
	{selector: 'a,,b', want: "found ',', expected: identifier after ','"},
	{selector: 'a=b c', want: "found 'c', expected: ',' or 'end of string'"},
	{selector: '!a=b', want: "found '=', expected: ',' or 'end of string'"},
	{selector: 'a in b', want: `${inRequirement} found 'b', expected: '('`},
	{selector: 'a in (b', want: `${inRequirement} found '', expected: ',' or ')'`},
	{selector: 'a in (', want: `${inRequirement} found '', expected: ',', ')' or identifier`},
	{selector: 'a b', want: `${inRequirement} found 'b', expected: in, notin, =, ==, !=, gt, lt`},
	{selector: '!', want: `${inRequirement} found '', expected: identifier`},
	{selector: 'a===b', want: `${inRequirement} found '=', expected: identifier`},
	{selector: 'a>b', want: `${inRequirement} for 'Gt', 'Lt' operators, the value must be an integer`},
	{selector: 'a/b/c=d', want: `${inRequirement} "a/b/c" is not a label key`},
	{selector: 'a=b/c', want: `${inRequirement} "b/c" is not a label value`},
])('"$selector" is refused, in the words of kubectl', ({selector, want}) => {
	expect(() => parseLabelSelector(selector)).toThrow(
		expect.objectContaining({name: 'SelectorError', message: want}),
	);
});
