import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import {FakeApiServer, type RawObject} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
	server.apply('nodes', rawNode('n1'));
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
});
afterEach(() => server[Symbol.asyncDispose]());

const driver = 'gpu.example.com';
const broken = {key: 'broken', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z'};
const slice: RawObject = {
	metadata: {name: 'n1-gpus'},
	spec: {
		driver,
		nodeName: 'n1',
		pool: {name: 'n1', generation: 3},
		devices: [{name: 'gpu-0', taints: [broken]}],
	},
};
const claim: RawObject = {
	metadata: {
		...{namespace: 'shop', name: 'gpu', uid: 'uid-gpu'},
		ownerReferences: [{kind: 'Pod', name: 'trainer', uid: 'uid-trainer', controller: true}],
	},
	status: {
		allocation: {
			devices: {
				results: [
					{
						request: 'r',
						driver,
						pool: 'n1',
						device: 'gpu-0',
						tolerations: [{operator: 'Exists', tolerationSeconds: 5}],
					},
				],
			},
		},
		reservedFor: [
			{resource: 'pods', name: 'trainer', uid: 'uid-trainer'},
			{apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name: 'many', uid: 'uid-many'},
		],
	},
};
const decoded = [
	{
		...{kind: 'ResourceSlice', name: 'n1-gpus', driver, pool: 'n1', generation: 3, nodeName: 'n1'},
		devices: [
			{
				name: 'gpu-0',
				taints: [{key: 'broken', value: '', effect: 'NoExecute', timeAdded: Date.UTC(2026, 0, 1)}],
			},
		],
	},
	{
		...{kind: 'ResourceClaim', namespace: 'shop', name: 'gpu', uid: 'uid-gpu', ownerUid: 'uid-trainer'},
		allocated: [
			{
				...{driver, pool: 'n1', device: 'gpu-0'},
				tolerations: [{key: '', operator: 'Exists', value: '', effect: '', tolerationSeconds: 5}],
			},
		],
		reservedFor: [{name: 'trainer', uid: 'uid-trainer'}],
	},
];

async function snapshot() {
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	try {
		return await cluster.snapshot({pods: {type: 'all'}});
	} finally {
		await cluster.close();
	}
}

const askedForDevices = () =>
	server.asked.flatMap(({url}) => (url.pathname.includes('resource.k8s.io') ? [url.pathname] : []));

test('a cluster without the API is asked once', async () => {
	const seen = await snapshot();
	expect(seen.problems).toEqual([]);
	expect(seen.deviceObjects).toBeUndefined();
	expect(askedForDevices()).toEqual(['/apis/resource.k8s.io/v1/resourceslices']);
});

test('slices, claims and rules are read where there are slices', async () => {
	server.apply('resourceslices', slice);
	server.apply('resourceclaims', claim);
	const seen = await snapshot();
	expect(seen.problems).toEqual([]);
	expect(seen.deviceObjects).toEqual(decoded);
	expect(askedForDevices()).toHaveLength(3);
});

test('what may not be read is said', async () => {
	server.apply('resourceslices', slice);
	server.forbid('resourceclaims');
	expect((await snapshot()).problems).toMatchObject([{reason: 'ResourceClaimsForbidden'}]);
});

test('of a release that does not evict for devices it is not said', async () => {
	server.gitVersion = 'v1.35.0';
	server.apply('resourceslices', slice);
	server.forbid('resourceclaims');
	expect((await snapshot()).problems).toEqual([]);
});

test('a watch tells of devices, and of the taint of one', async () => {
	const {taints: _, ...well} = {name: 'gpu-0', taints: []};
	server.apply('resourceslices', {...slice, spec: {...Object(slice['spec']), devices: [well]}});
	server.apply('resourceclaims', claim);
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const end = new AbortController();
	const told = new Map<string, unknown>();
	const tainted = Promise.withResolvers<void>();
	const opened = server.nextWatch('resourceslices');
	const run = cluster.watch(
		{pods: {type: 'all'}},
		{
			observe: (observations) => {
				for (const one of observations) {
					if (one.type !== 'deviceObjectApplied') continue;
					told.set(one.object.kind, one.object);
					if (one.object.kind === 'ResourceSlice' && one.object.devices[0]?.taints.length === 1)
						tainted.resolve();
				}
			},
			reportProblems: () => undefined,
		},
		end.signal,
	);
	await opened;
	server.apply('resourceslices', slice);
	await tainted.promise;
	end.abort();
	await run;
	await cluster.close();
	expect([told.get('ResourceSlice'), told.get('ResourceClaim')]).toEqual(decoded);
});
