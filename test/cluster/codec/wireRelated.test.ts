import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {pageOfJson, pageOfProtobuf} from '../../../src/cluster/codec/page.ts';
import {fieldsOf} from '../../../src/cluster/codec/rawJson.ts';
import type {Message} from '../../../src/cluster/codec/wire/message.ts';
import * as messages from '../../../src/cluster/codec/wire/related.ts';
import {
	decodeBudget,
	decodeDaemonSet,
	decodeJob,
	decodeReplicated,
} from '../../../src/cluster/workloads/decodeController.ts';
import {decodeEndpoints, decodeService} from '../../../src/cluster/workloads/decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from '../../../src/cluster/workloads/decodeVolume.ts';
import {decodePlacedPod} from '../../../src/cluster/workloads/readOccupancy.ts';
import {noting, pathsOf} from '../../support/wire.ts';

// The same pages of a real API server (v1.36.3) in both encodings, of all resources related to pods: objects with all fields
// that are read, and objects with none.
const recorded = (name: string) => gunzipSync(readFileSync(join(import.meta.dirname, 'wire', `${name}.gz`)));

type Kind = {
	readonly name: string;
	readonly message: Message;
	readonly decode: (value: unknown) => unknown;
	/** The content of the object that is identified by the first field. */
	readonly says: object;
};

const replicated = (kind: string) => (value: unknown) => decodeReplicated(kind, value);
const template = {
	nodeSelector: {disk: 'ssd', arch: 'arm64'},
	nodeTerms: [
		[
			{key: 'zone', operator: 'In', values: ['a', 'b']},
			{key: 'n', operator: 'Gt', values: ['3']},
		],
		[{key: 'metadata.name', operator: 'In', values: ['a-1'], isField: true}],
	],
	requests: {cpu: 1780, memory: 2 ** 30 + 8 * 2 ** 20},
	claims: ['data'],
	otherRules: [
		...['its pod affinity', 'its pod anti-affinity', 'its spread constraints', 'its scheduler other'],
		...['its host ports', 'its volumes', 'other resources than CPU and memory', 'its scheduling gates'],
	],
};

const kinds: readonly Kind[] = [
	{
		name: 'deployments',
		message: messages.deploymentMessage,
		decode: replicated('Deployment'),
		says: {name: 'web', desired: 3, ready: 2, template},
	},
	{
		name: 'replicasets',
		message: messages.replicaSetMessage,
		decode: replicated('ReplicaSet'),
		says: {name: 'web-1', desired: 4, ready: 3, owner: {kind: 'Deployment', name: 'web'}, template},
	},
	{
		name: 'replicationcontrollers',
		message: messages.replicaSetMessage,
		decode: replicated('ReplicationController'),
		says: {name: 'old', desired: 2, ready: 1},
	},
	{
		name: 'statefulsets',
		message: messages.statefulSetMessage,
		decode: replicated('StatefulSet'),
		says: {name: 'db', desired: 5, ready: 4, claimTemplates: ['data', 'wal']},
	},
	{
		name: 'daemonsets',
		message: messages.daemonSetMessage,
		decode: decodeDaemonSet,
		says: {name: 'agent', desired: 3, ready: 4},
	},
	{
		name: 'jobs',
		message: messages.jobMessage,
		decode: decodeJob,
		says: {
			...{name: 'batch', desired: 4, owner: {kind: 'CronJob', name: 'nightly'}},
			backoff: {limit: 12, waitsForEnd: true},
		},
	},
	{
		name: 'poddisruptionbudgets',
		message: messages.budgetMessage,
		decode: decodeBudget,
		says: {
			name: 'web',
			currentHealthy: 6,
			desiredHealthy: 5,
			expectedPods: 7,
			selector: {matchLabels: {app: 'web'}},
		},
	},
	{
		name: 'services',
		message: messages.serviceMessage,
		decode: decodeService,
		says: {name: 'all', selector: {app: 'db'}, publishesNotReady: true},
	},
	{
		name: 'persistentvolumeclaims',
		message: messages.claimMessage,
		decode: decodeClaim,
		says: {name: 'shared', volume: 'pv-nfs', isShared: true},
	},
	{
		name: 'persistentvolumes',
		message: messages.volumeMessage,
		decode: decodeVolume,
		says: {
			name: 'pv-local',
			isPlain: true,
			nodeTerms: expect.arrayContaining([
				[{key: 'kubernetes.io/hostname', operator: 'In', values: ['a-1', 'b-1']}],
			]),
		},
	},
	{
		name: 'volumeattachments',
		message: messages.attachmentMessage,
		decode: decodeAttachment,
		says: {node: 'a-1', volume: 'pv-csi'},
	},
	{
		name: 'endpointslices',
		message: messages.endpointSliceMessage,
		decode: (value) => ({endpoints: decodeEndpoints(value)}),
		says: {
			endpoints: [
				{service: 'web', pod: 'web-a', isReady: true},
				{service: 'web', pod: 'web-b', isReady: false},
				{service: 'web', pod: 'web-c', isReady: true},
			],
		},
	},
	{
		name: 'placedpods',
		message: messages.placedPodMessage,
		decode: decodePlacedPod,
		says: {node: '', requests: template.requests, keepsOthersAway: true},
	},
];

test.for(kinds)('$name are the same objects in either encoding of a real API server', (kind) => {
	const {name, message, decode, says} = kind;
	const json = pageOfJson(JSON.parse(recorded(`${name}.json`).toString()));
	const protobuf = pageOfProtobuf(recorded(`${name}.protobuf`), message);
	const objects = [...(protobuf?.items() ?? [])].map(decode);
	expect(objects).toEqual([...(json?.items() ?? [])].map(decode));
	const [key, value] = Object.entries(says)[0] ?? [];
	const named = objects.find(
		(object) => key === undefined || fieldsOf<Record<string, unknown>>(object)[key] === value,
	);
	expect(named ?? objects[0]).toMatchObject(says);
});

/** In protobuf a volume's source is a message of its own. */
const asInJson = (path: string) => path.replace(/\.(volumeSource|persistentVolumeSource)(?=\.)/, '');
/** The keys of maps are arbitrary. */
const ofMaps = /\.(labels|matchLabels|nodeSelector|selector|requests|overhead)\.[^.]+/;

test.for(kinds)('every field of $name that is decoded is read from protobuf too', (kind) => {
	const {name, message, decode} = kind;
	const {items} = JSON.parse(recorded(`${name}.json`).toString()) as {items: unknown[]};
	const read = new Set<string>();
	for (const item of items) decode(noting(item, '', read));
	const known = new Set(pathsOf(message).flatMap((path) => [path, asInJson(path)]));
	// One function reads all kinds with replicas; only a StatefulSet has claim templates.
	if (name !== 'statefulsets') known.add('.spec.volumeClaimTemplates');
	const unknown = [...read].filter((path) => !known.has(path) && !ofMaps.test(path));
	expect(unknown).toEqual([]);
	expect(read.size).toBeGreaterThan(3);
});
