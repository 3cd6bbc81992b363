import {expect, test} from 'vitest';
import {Decoder, type ObservedKind} from '../../src/cluster/codec/decoder.ts';
import {decodeNodePod} from '../../src/cluster/kubelet/decodeNodePod.ts';
import {decodeBudget} from '../../src/cluster/workloads/decodeController.ts';
import {decodeEndpoints, decodeService} from '../../src/cluster/workloads/decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from '../../src/cluster/workloads/decodeVolume.ts';
import {decodePlacedPod} from '../../src/cluster/workloads/readOccupancy.ts';
import {decoderOf} from '../../src/cluster/workloads/readRelated.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {occupancyOf} from '../../src/core/model/workloads/occupancy.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import {entryEncoder} from '../../src/recording/format/encodeEntry.ts';
import {fullObject} from '../support/fullObject.ts';

const secretOf = (path: string) =>
	namePaths.has(path) ? `secret-${Buffer.from(path).toString('hex')}-end` : `SECRET<${path}>`;

/** Fields with the name of an object or a namespace, which may not be arbitrary text. */
const namePaths: ReadonlySet<string> = new Set([
	...['metadata.name', 'metadata.namespace', 'spec.nodeName', 'pod'],
]);

/** The paths of the secrets in a text. */
const secretsIn = (text: string): readonly string[] => [
	...(text.match(/(?<=SECRET<)[^>]*(?=>)/g) ?? []),
	...(text.match(/(?<=secret-)[0-9a-f]+(?=-end)/g) ?? []).map((hex) => Buffer.from(hex, 'hex').toString()),
];

/** Values that the decoder checks: with them, more of the object is read than with secrets only. */
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
		...{reason: 'TaintManagerEviction', message: `Marking for deletion Pod shop/${secretOf('pod')}`},
		...{'involvedObject.namespace': 'shop', 'involvedObject.name': secretOf('pod')},
	},
};

const observe: Readonly<Record<string, (decoder: Decoder, value: unknown) => Observation | undefined>> = {
	V1Pod: ({pod}, value) => observed(pod, value),
	V1Node: ({node}, value) => observed(node, value),
	V1Lease: ({lease}, value) => observed(lease, value),
	CoreV1Event: ({event}, value) => observed(event, value),
};

function observed<T>({decode, applied}: ObservedKind<T>, value: unknown): Observation | undefined {
	const decoded = decode(value);
	return decoded === undefined ? undefined : applied(decoded);
}

/** The paths of a full object's texts that are in its recording, and the number of its texts. */
function survivorsOf(type: string, texts: Readonly<Record<string, string>>) {
	const planted: string[] = [];
	const object = fullObject(type, (path) => {
		planted.push(path);
		return texts[path] ?? secretOf(path);
	});
	const observation = observe[type]?.(new Decoder(), object);
	if (!observation) throw new Error(`no ${type} could be read`);
	const lines = [...entryEncoder().lines({type: 'batch', at: 0, observations: [observation]})].join('');
	const survivors = [...new Set(secretsIn(lines))];
	return {planted: planted.length, survivors: survivors.toSorted(), lines};
}

const metadata = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

/** All fields of each object that may leave the cluster. */
const allowed = {
	V1Pod: [
		...metadata,
		...['metadata.labels.0', 'metadata.labels.1', 'metadata.labels{0}', 'metadata.labels{1}'],
		...['metadata.finalizers[0]', 'metadata.finalizers[1]'],
		...[
			'metadata.ownerReferences[0].kind',
			'metadata.ownerReferences[0].name',
			'metadata.ownerReferences[0].uid',
		],
		'spec.nodeName',
		...[0, 1].map((i) => `spec.resourceClaims[${i}].resourceClaimName`),
		'status.extendedResourceClaimStatus.resourceClaimName',
		...[0, 1].flatMap((i) =>
			['effect', 'key', 'operator', 'value'].map((name) => `spec.tolerations[${i}].${name}`),
		),
		'status.phase',
	],
	V1Node: [
		...['metadata.name', 'metadata.uid', 'metadata.finalizers[0]', 'metadata.finalizers[1]'],
		...['metadata.labels.0', 'metadata.labels.1', 'metadata.labels{0}', 'metadata.labels{1}'],
		'spec.providerID',
		'status.nodeInfo.kubeletVersion',
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

test('of a secret in every text of a pod, only those that its eviction manager goes by are recorded of a look', () => {
	const planted: string[] = [];
	const pod = fullObject('V1Pod', (path) => {
		planted.push(path);
		return secretOf(path);
	});
	const listed = decodeNodePod(pod, () => undefined);
	const look = {node: 'n1', seenAt: 0, pods: [listed], evicted: [], problems: []};
	const lines = [...entryEncoder().lines({type: 'pressure', at: 0, news: {type: 'looked', look}})];
	expect(planted.length).toBeGreaterThan(2000);
	const survivors = [...new Set(secretsIn(lines.join('')))];
	const container = (kind: string) => [0, 1].map((i) => `spec.${kind}[${i}].name`);
	expect(survivors.toSorted()).toEqual(
		[
			...metadata,
			...[...container('containers'), ...container('initContainers'), ...container('volumes')],
			...[0, 1].map((i) => `spec.volumes[${i}].emptyDir.medium`),
			...[0, 1].flatMap((i) =>
				['effect', 'key', 'operator', 'value'].map((name) => `spec.tolerations[${i}].${name}`),
			),
		].toSorted(),
	);
});

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
	const node = new Decoder().node.decode(object);
	if (!node) throw new Error('no node');
	const observations = [{type: 'nodeApplied', node}] as const;
	const [, line = ''] = entryEncoder().lines({type: 'batch', at: 0, observations});
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

type Belonging = {
	readonly relate: (value: unknown) => Partial<Related>;
	readonly real?: Readonly<Record<string, string>>;
	readonly allowed: readonly string[];
};

const some = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
const named = ['metadata.name', 'metadata.namespace'];
const map = (path: string) => [0, 1].flatMap((index) => [`${path}.${index}`, `${path}{${index}}`]);
const requirements = (path: string) =>
	[0, 1].flatMap((index) =>
		['key', 'operator', 'values[0]', 'values[1]'].map((name) => `${path}[${index}].${name}`),
	);
const selector = (path: string) => [
	...map(`${path}.matchLabels`),
	...requirements(`${path}.matchExpressions`),
];

/** Labels of nodes, and their names. */
const nodeTerms = (path: string) =>
	[0, 1].flatMap((index) =>
		['matchExpressions', 'matchFields'].flatMap((name) =>
			requirements(`${path}.nodeSelectorTerms[${index}].${name}`),
		),
	);

/** A controller's name, its owner, and its template's fields that decide where its pods may run. */
function controller(kind: string, more: readonly string[] = []): Belonging {
	const spec = 'spec.template.spec';
	const required = `${spec}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`;
	return {
		relate: (value) => {
			const found = decoderOf(kind)(value);
			return {controllers: new Map(found ? [[found.uid, found]] : [])};
		},
		allowed: [
			...[...named, 'metadata.uid', ...more],
			...['kind', 'name', 'uid'].map((name) => `metadata.ownerReferences[0].${name}`),
			`${spec}.nodeName`,
			...map(`${spec}.nodeSelector`),
			...[0, 1].flatMap((index) =>
				['effect', 'key', 'operator', 'value'].map((name) => `${spec}.tolerations[${index}].${name}`),
			),
			...nodeTerms(required),
			...[0, 1].map((index) => `${spec}.volumes[${index}].persistentVolumeClaim.claimName`),
			`${spec}.schedulerName`,
		],
	};
}

/** How each related kind is read, and which of its texts cause more of it to be read. */
const belongings: Readonly<Record<string, Belonging>> = {
	V1Deployment: controller('Deployment'),
	V1ReplicaSet: controller('ReplicaSet'),
	V1StatefulSet: controller(
		'StatefulSet',
		[0, 1].map((index) => `spec.volumeClaimTemplates[${index}].metadata.name`),
	),
	V1DaemonSet: controller('DaemonSet'),
	V1Job: controller('Job'),
	V1PodDisruptionBudget: {
		relate: (value) => ({budgets: some(decodeBudget(value))}),
		allowed: [...named, ...selector('spec.selector')],
	},
	V1Service: {
		relate: (value) => ({services: some(decodeService(value))}),
		allowed: [...named, ...map('spec.selector')],
	},
	V1PersistentVolumeClaim: {
		relate: (value) => ({claims: some(decodeClaim(value))}),
		allowed: [...named, 'spec.volumeName'],
	},
	V1PersistentVolume: {
		relate: (value) => ({volumes: some(decodeVolume(value))}),
		allowed: ['metadata.name', ...nodeTerms('spec.nodeAffinity.required')],
	},
	V1EndpointSlice: {
		relate: (value) => ({endpoints: decodeEndpoints(value) ?? []}),
		real: {'metadata.labels{0}': 'kubernetes.io/service-name', 'endpoints[0].targetRef.kind': 'Pod'},
		allowed: ['metadata.namespace', 'metadata.labels.0', 'endpoints[0].targetRef.name'],
	},
	V1VolumeAttachment: {
		relate: (value) => ({attachments: some(decodeAttachment(value))}),
		allowed: ['spec.nodeName', 'spec.source.persistentVolumeName'],
	},
	V1Pod: {
		relate: (value) => ({occupancy: occupancyOf(some(decodePlacedPod(value)))}),
		allowed: ['spec.nodeName', 'metadata.ownerReferences[0].uid'],
	},
};

test.for(Object.keys(belongings))(
	'of a secret in every text of a %s that belongs to pods, only names, labels and rules are recorded',
	(type) => {
		const {relate, real: texts = {}, allowed: may} = belongings[type] as Belonging;
		const planted: string[] = [];
		const object = fullObject(type, (path) => {
			planted.push(path);
			return texts[path] ?? secretOf(path);
		});
		const related: Related = {...nothingRelated, ...relate(object)};
		const lines = [...entryEncoder().lines({type: 'related', at: 0, related})].join('');
		const survivors = [...new Set(secretsIn(lines))].toSorted();
		expect(planted.length).toBeGreaterThan(20);
		expect(survivors).toEqual([...may].toSorted());
	},
);
