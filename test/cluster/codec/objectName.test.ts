import {expect, test} from 'vitest';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {isNamespaceName, isObjectName} from '../../../src/cluster/codec/rawJson.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';

test.for(['n1', 'ip-10-0-0-1.eu-west-1.compute.internal', '0', 'a'.repeat(253)])('%s is a name', (name) => {
	expect(isObjectName(name)).toBe(true);
});

test.for([
	'',
	'N1',
	'a_b',
	'-a',
	'a-',
	'a..b',
	'.a',
	'a b',
	'a;id',
	'$(id)',
	'a\n',
	'a\u001b[31m',
	'a'.repeat(254),
])('%j is none', (name) => {
	expect(isObjectName(name)).toBe(false);
});

test('a namespace has no dots', () => {
	expect(['kube-system', 'a.b', 'a'.repeat(64)].map(isNamespaceName)).toEqual([true, false, false]);
});

const harmful = ['n1;touch$', '{IFS}created'].join('');

test('objects with names that no API server takes are left out and counted', () => {
	const decoder = new Decoder();
	const metadata = (object: unknown, changes: object) => ({
		...(object as {metadata: object}),
		metadata: {...(object as {metadata: object}).metadata, ...changes},
	});
	const [node, pod, lease] = [rawNode('n1'), rawPod('shop', 'p', 'n1'), rawLease('kube-node-lease', 'n1')];
	expect([decoder.node.decode(node), decoder.pod.decode(pod), decoder.lease.decode(lease)]).not.toContain(
		undefined,
	);
	expect(decoder.problem).toBeUndefined();
	const refused = [
		decoder.node.decode(metadata(node, {name: harmful})),
		decoder.pod.decode(metadata(pod, {name: harmful})),
		decoder.pod.decode(metadata(pod, {namespace: harmful})),
		decoder.pod.decode({...(pod as object), spec: {nodeName: harmful}}),
		decoder.lease.decode(metadata(lease, {name: harmful})),
	];
	expect(refused.every((one) => one === undefined)).toBe(true);
	expect(decoder.problem?.message).toBe(
		'not understood, left out: Node with a name that no API server takes (1), ' +
			'Pod with a name, a namespace or a node that no API server takes (3), ' +
			'Lease with a name or a namespace that no API server takes (1)',
	);
});
