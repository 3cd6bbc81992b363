import {expect, test} from 'vitest';
import {selectionOf} from '../../../src/demo/apiserver/listOptions.ts';
import {type ApiResource, resources} from '../../../src/demo/encode/apiObject.ts';
import {encodeDemoNode} from '../../../src/demo/encode/encodeNode.ts';
import {aNode, aPodObject} from '../fixtures.ts';

const select = (fieldSelector: string, resource: ApiResource) =>
	selectionOf(new URLSearchParams({fieldSelector}), resource).matches;

test.for<{selector: string; want: boolean}>([
	{selector: '', want: true},
	{selector: 'spec.nodeName=a1', want: true},
	{selector: 'spec.nodeName==a1', want: true},
	{selector: 'spec.nodeName=b1', want: false},
	{selector: 'spec.nodeName=a1,status.phase!=Succeeded,status.phase!=Failed', want: true},
	{selector: 'spec.nodeName=a1,status.phase!=Running', want: false},
	{selector: 'metadata.namespace=shop,metadata.name=cart-0', want: true},
	{selector: 'status.nominatedNodeName=', want: true},
	{selector: 'spec.hostNetwork=false', want: true},
	{selector: 'metadata.name=cart\\,0', want: false},
])('of a pod `$selector` is $want', ({selector, want}) => {
	expect(select(selector, resources.pods)(aPodObject('cart-0'))).toBe(want);
});

test('an absent boolean is false', () => {
	const schedulable = select('spec.unschedulable=false', resources.nodes);
	expect(schedulable(encodeDemoNode(aNode('a1')))).toBe(true);
	expect(schedulable(encodeDemoNode(aNode('a1', {unschedulable: true})))).toBe(false);
});

test('a field that cannot be selected is refused by its name', () => {
	expect(() => select('spec.nodeName=a1', resources.leases)).toThrow(
		'field label not supported: spec.nodeName',
	);
	expect(() => select('nonsense', resources.pods)).toThrow('invalid field selector');
});

test('labels are selected by the one reader of label selectors, and what it refuses is a bad request', () => {
	const ofLabels = (labelSelector: string) =>
		selectionOf(new URLSearchParams({labelSelector}), resources.pods);
	const pod = aPodObject('cart-0');
	expect(ofLabels('app in (till)').matches(pod)).toBe(false);
	expect(ofLabels('!absent').matches(pod)).toBe(true);
	expect(ofLabels('').hasSelector).toBe(false);
	expect(() => ofLabels('app in cart')).toThrow(
		expect.objectContaining({
			status: expect.objectContaining({code: 400}),
			message: "unable to parse requirement: found 'cart', expected: '('",
		}),
	);
});
