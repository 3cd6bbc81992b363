import {expect, test} from 'vitest';
import {parseFieldSelector} from '../../../cmd/args/fieldSelector.ts';

const known = ['metadata.name', 'spec.nodeName'];
const fields = {'metadata.name': 'web', 'spec.nodeName': 'n,1'};

test.for([
	{selector: '', want: true},
	{selector: 'metadata.name=web', want: true},
	{selector: 'metadata.name==web', want: true},
	{selector: 'metadata.name!=web', want: false},
	{selector: 'metadata.name=web,spec.nodeName=n2', want: false},
	{selector: 'metadata.name=web,spec.nodeName=n\\,1', want: true},
	{selector: 'spec.nodeName=', want: false},
])('"$selector" selects: $want', ({selector, want}) => {
	expect(parseFieldSelector(selector, known)(fields)).toBe(want);
});

test.for([
	{
		selector: 'status.phase=Running',
		want: 'field label not supported: status.phase; known here: metadata.name, spec.nodeName',
	},
	{selector: 'web', want: "invalid field selector: \"web\": can't understand 'web'"},
])('"$selector" is refused', ({selector, want}) => {
	expect(() => parseFieldSelector(selector, known)).toThrow(
		expect.objectContaining({name: 'UserError', message: want}),
	);
});
