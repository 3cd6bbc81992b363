import {expect, test} from 'vitest';
import {Decoder} from '../../src/cluster/decoder.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {EntryEncoder} from '../../src/recording/encodeEntry.ts';
import {fullObject} from '../support/fullObject.ts';

const secretOf = (path: string) => `SECRET<${path}>`;

/** What the decoder looks for: with it, more of the object is read than of one that is all secrets. */
const real: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	V1Pod: {
		...{'status.conditions[0].type': 'Ready', 'status.conditions[0].status': 'False'},
		...{'status.conditions[1].type': 'DisruptionTarget', 'status.conditions[1].status': 'True'},
		'metadata.annotations{0}': 'kubernetes.io/config.mirror',
	},
	V1Node: {'status.conditions[0].status': 'Unknown'},
	V1Lease: {},
	CoreV1Event: {
		...{'involvedObject.kind': 'Pod', 'source.component': 'taint-eviction-controller'},
		...{reason: 'TaintManagerEviction', message: 'Marking for deletion Pod shop/SECRET<pod>'},
		...{'involvedObject.namespace': 'shop', 'involvedObject.name': 'SECRET<pod>'},
	},
};

const observe: Readonly<Record<string, (decoder: Decoder, value: unknown) => Observation | undefined>> = {
	V1Pod: ({pod}, value) => wrap(pod(value), (found) => ({type: 'podApplied', pod: found})),
	V1Node: ({node}, value) => wrap(node(value), (found) => ({type: 'nodeApplied', node: found})),
	V1Lease: ({lease}, value) => wrap(lease(value), (found) => ({type: 'leaseApplied', lease: found})),
	CoreV1Event: ({event}, value) => wrap(event(value), (found) => ({type: 'eventApplied', event: found})),
};

const wrap = <T>(value: T | undefined, make: (value: T) => Observation) =>
	value === undefined ? undefined : make(value);

/** The paths of the texts of a full object that are found in its recording, and how many texts it had. */
function survivorsOf(type: string, texts: Readonly<Record<string, string>>) {
	const planted: string[] = [];
	const object = fullObject(type, (path) => {
		planted.push(path);
		return texts[path] ?? secretOf(path);
	});
	const observation = observe[type]?.(new Decoder(), object);
	if (!observation) throw new Error(`no ${type} could be read`);
	const lines = [...new EntryEncoder().lines({type: 'batch', at: 0, observations: [observation]})].join('');
	const survivors = [...new Set(lines.match(/(?<=SECRET<)[^>]*(?=>)/g))];
	return {planted: planted.length, survivors: survivors.toSorted(), lines};
}

const metadata = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Of each object, all that may leave the cluster. */
const allowed = {
	V1Pod: [
		...metadata,
		...['metadata.labels.0', 'metadata.labels.1', 'metadata.labels{0}', 'metadata.labels{1}'],
		...[
			'metadata.ownerReferences[0].kind',
			'metadata.ownerReferences[0].name',
			'metadata.ownerReferences[0].uid',
		],
		'spec.nodeName',
		...[0, 1].flatMap((i) =>
			['effect', 'key', 'operator', 'value'].map((name) => `spec.tolerations[${i}].${name}`),
		),
		'status.phase',
	],
	V1Node: [
		...['metadata.name', 'metadata.uid'],
		...['metadata.labels.0', 'metadata.labels.1', 'metadata.labels{0}', 'metadata.labels{1}'],
		'spec.providerID',
		...[0, 1].flatMap((i) => ['effect', 'key', 'value'].map((name) => `spec.taints[${i}].${name}`)),
		...[0, 1].flatMap((i) => ['reason', 'type'].map((name) => `status.conditions[${i}].${name}`)),
	],
	V1Lease: [
		...['metadata.name', 'metadata.namespace', 'spec.holderIdentity'],
		...[0, 1].flatMap((i) => ['manager', 'operation'].map((name) => `metadata.managedFields[${i}].${name}`)),
	],
	CoreV1Event: ['metadata.name', 'metadata.namespace', 'pod'],
};

test.for([
	{type: 'V1Pod', atLeast: 2000},
	{type: 'V1Node', atLeast: 100},
	{type: 'V1Lease', atLeast: 20},
	{type: 'CoreV1Event', atLeast: 30},
] as const)(
	'of a secret in every text of a $type, only those of what a forecast needs are recorded',
	({type, atLeast}) => {
		const {planted, survivors} = survivorsOf(type, real[type] ?? {});
		expect(planted).toBeGreaterThan(atLeast);
		expect(survivors).toEqual(allowed[type].toSorted());
	},
);

test('of the writers of a node, only those of its taints are recorded, and not what else they wrote', () => {
	const object = {
		metadata: {
			name: 'n1',
			managedFields: [
				{
					manager: 'kubelet',
					operation: 'Update',
					time: '2026-01-01T00:00:00Z',
					fieldsV1: {'f:status': {'f:SECRET<a>': {}}},
				},
				{
					...{manager: 'kube-controller-manager', operation: 'Update', time: '2026-01-01T00:00:01Z'},
					...{fieldsType: 'SECRET<b>', subresource: 'SECRET<c>'},
					fieldsV1: {
						'f:spec': {'f:taints': {'k:SECRET<d>': {}}},
						'f:metadata': {'f:annotations': {'f:SECRET<e>': {}}},
					},
				},
			],
		},
	};
	const node = new Decoder().node(object);
	if (!node) throw new Error('no node');
	const observations = [{type: 'nodeApplied', node}] as const;
	const [, line = ''] = new EntryEncoder().lines({type: 'batch', at: 0, observations});
	expect(line).not.toContain('SECRET');
	expect(JSON.parse(line).object.metadata.managedFields).toEqual([
		{
			...{manager: 'kube-controller-manager', operation: 'Update', time: '2026-01-01T00:00:01.000Z'},
			fieldsV1: {'f:spec': {'f:taints': {}}},
		},
	]);
});

test("a static pod stays one, but the hash of its manifest, which is the annotation's value, does not leave", () => {
	const {lines} = survivorsOf('V1Pod', real['V1Pod'] ?? {});
	expect(lines).toContain('"annotations":{"kubernetes.io/config.mirror":""}');
});
