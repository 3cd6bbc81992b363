import {expect, test} from 'vitest';
import {parseFieldSelector} from '../../../src/core/selector/fieldSelector.ts';

const fields = new Map([
	['metadata.name', 'web'],
	['spec.nodeName', 'n,1'],
]);
const isKnown = (path: string) => fields.has(path);

test.for([
	{selector: '', want: true},
	{selector: 'metadata.name=web', want: true},
	{selector: 'metadata.name==web', want: true},
	{selector: 'metadata.name!=web', want: false},
	{selector: 'metadata.name=web,spec.nodeName=n2', want: false},
	{selector: 'metadata.name=web,spec.nodeName=n\\,1', want: true},
	{selector: 'spec.nodeName=', want: false},
])('"$selector" selects: $want', ({selector, want}) => {
	expect(parseFieldSelector(selector, isKnown)((path) => fields.get(path) ?? '')).toBe(want);
});

test.for([
	{selector: 'status.phase=Running', want: 'field label not supported: status.phase'},
	{selector: 'web', want: "invalid field selector: \"web\": can't understand 'web'"},
])('"$selector" is refused', ({selector, want}) => {
	expect(() => parseFieldSelector(selector, isKnown)).toThrow(
		expect.objectContaining({name: 'SelectorError', message: want}),
	);
});
