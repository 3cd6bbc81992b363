import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {pageOfJson, pageOfProtobuf} from '../../../src/cluster/codec/page.ts';
import {fieldsOf} from '../../../src/cluster/codec/rawJson.ts';
import {placedPodMessage} from '../../../src/cluster/codec/wire/objects.ts';
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

// Pages of a real API server (v1.36.3), of all resources related to pods: objects with all fields that are read, and objects
// with none. Pods come in both encodings.
const recorded = (name: string) => gunzipSync(readFileSync(join(import.meta.dirname, 'wire', `${name}.gz`)));

type Kind = {
	readonly name: string;
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
		decode: replicated('Deployment'),
		says: {name: 'web', desired: 3, ready: 2, template},
	},
	{
		name: 'replicasets',
		decode: replicated('ReplicaSet'),
		says: {name: 'web-1', desired: 4, ready: 3, owner: {kind: 'Deployment', name: 'web'}, template},
	},
	{
		name: 'replicationcontrollers',
		decode: replicated('ReplicationController'),
		says: {name: 'old', desired: 2, ready: 1},
	},
	{
		name: 'statefulsets',
		decode: replicated('StatefulSet'),
		says: {name: 'db', desired: 5, ready: 4, claimTemplates: ['data', 'wal']},
	},
	{name: 'daemonsets', decode: decodeDaemonSet, says: {name: 'agent', desired: 3, ready: 4}},
	{
		name: 'jobs',
		decode: decodeJob,
		says: {
			...{name: 'batch', desired: 4, owner: {kind: 'CronJob', name: 'nightly'}},
			job: {backoffLimit: 12, replacesOnlyFailed: true},
		},
	},
	{
		name: 'poddisruptionbudgets',
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
		decode: decodeService,
		says: {name: 'all', selector: {app: 'db'}, publishesNotReady: true},
	},
	{
		name: 'persistentvolumeclaims',
		decode: decodeClaim,
		says: {name: 'shared', volume: 'pv-nfs', isShared: true},
	},
	{
		name: 'persistentvolumes',
		decode: decodeVolume,
		says: {
			name: 'pv-local',
			isPlain: true,
			nodeTerms: expect.arrayContaining([
				[{key: 'kubernetes.io/hostname', operator: 'In', values: ['a-1', 'b-1']}],
			]),
		},
	},
	{name: 'volumeattachments', decode: decodeAttachment, says: {node: 'a-1', volume: 'pv-csi'}},
	{
		name: 'endpointslices',
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
		decode: decodePlacedPod,
		says: {node: '', requests: template.requests, keepsOthersAway: true},
	},
];

const jsonOf = (name: string) => pageOfJson(JSON.parse(recorded(`${name}.json`).toString()));

test.for(kinds)('$name of a real API server are read', ({name, decode, says}) => {
	const objects = [...(jsonOf(name)?.items() ?? [])].map(decode);
	const [key, value] = Object.entries(says)[0] ?? [];
	const named = objects.find(
		(object) => key === undefined || fieldsOf<Record<string, unknown>>(object)[key] === value,
	);
	expect(named ?? objects[0]).toMatchObject(says);
});

test('placed pods are the same objects in either encoding of a real API server', () => {
	const protobuf = pageOfProtobuf(recorded('placedpods.protobuf'), placedPodMessage);
	expect([...(protobuf?.items() ?? [])].map(decodePlacedPod)).toEqual(
		[...(jsonOf('placedpods')?.items() ?? [])].map(decodePlacedPod),
	);
});

/** The keys of maps are arbitrary. */
const ofMaps = /\.(labels|requests|overhead)\.[^.]+/;

test('every field of placed pods that is decoded is read from protobuf too', () => {
	const read = new Set<string>();
	for (const item of jsonOf('placedpods')?.items() ?? []) decodePlacedPod(noting(item, '', read));
	const known = new Set(pathsOf(placedPodMessage));
	expect([...read].filter((path) => !known.has(path) && !ofMaps.test(path))).toEqual([]);
	expect(read.size).toBeGreaterThan(3);
});

test('the deadline of a Job counts from its start; one that is suspended has none', () => {
	const job = (status: object) =>
		decodeJob({metadata: {name: 'a'}, spec: {activeDeadlineSeconds: 90}, status});
	expect(job({startTime: '2026-01-31T14:00:00Z'})?.job?.deadline).toBe(Date.UTC(2026, 0, 31, 14, 1, 30));
	expect(job({})?.job?.deadline).toBeUndefined();
});

test('of a Job before v1.24 the active pods count as ready', () => {
	const job = {metadata: {name: 'batch'}, spec: {parallelism: 3}, status: {active: 3}};
	expect(decodeJob(job)?.ready).toBe(3);
	expect(decodeJob({...job, status: {active: 3, ready: 0}})?.ready).toBe(0);
});
