import {expect, test} from 'vitest';
import {parseFieldSelector} from '../../../src/demo/apiserver/fieldSelector.ts';
import {resources} from '../../../src/demo/apiserver/resources.ts';
import {encodeNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodePod} from '../../../src/demo/encode/encodePod.ts';
import {aNode, aPod} from '../fixtures.ts';

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
	expect(parseFieldSelector(selector, resources.pods)(encodePod(aPod('cart-0')))).toBe(want);
});

test('an absent boolean is false', () => {
	const schedulable = parseFieldSelector('spec.unschedulable=false', resources.nodes);
	expect(schedulable(encodeNode(aNode('a1')))).toBe(true);
	expect(schedulable(encodeNode(aNode('a1', {unschedulable: true})))).toBe(false);
});

test('a field that cannot be selected is refused by its name', () => {
	expect(() => parseFieldSelector('spec.nodeName=a1', resources.leases)).toThrow(
		'field label not supported: spec.nodeName',
	);
	expect(() => parseFieldSelector('nonsense', resources.pods)).toThrow('invalid field selector');
});
