import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import type {DeviceObject} from '../../../src/core/model/device.ts';
import type {Problem} from '../../../src/core/model/problem.ts';
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

const listedOfDevices = () =>
	askedForDevices().flatMap((path) => /^\/apis\/resource\.k8s\.io\/(\w+\/\w+)$/.exec(path)?.[1] ?? []);

const askedForDevices = () =>
	server.asked.flatMap(({url}) => (url.pathname.includes('resource.k8s.io') ? [url.pathname] : []));

test('a cluster without the API is asked once', async () => {
	const seen = await snapshot();
	expect(seen.problems).toEqual([]);
	expect(seen.deviceObjects).toBeUndefined();
	expect(askedForDevices()).toEqual(['/apis/resource.k8s.io']);
});

test('slices, claims and rules are read where there are slices', async () => {
	server.apply('resourceslices', slice);
	server.apply('resourceclaims', claim);
	const seen = await snapshot();
	expect(seen.problems).toEqual([]);
	expect(seen.deviceObjects).toEqual(decoded);
	expect(listedOfDevices()).toEqual(['v1/resourceslices', 'v1beta2/devicetaintrules', 'v1/resourceclaims']);
});

const rule: RawObject = {
	metadata: {name: 'recall', uid: 'uid-recall'},
	spec: {deviceSelector: {driver}, taint: broken},
};
const {taints: nothing, ...bare} = {name: 'gpu-0', taints: []};
const old: RawObject = {
	...slice,
	spec: {...Object(slice['spec']), devices: [{name: bare.name, basic: {taints: [broken]}}]},
};

test.for([
	{
		release: 'v1.37, which has rules in v1',
		api: {v1: ['resourceslices', 'resourceclaims', 'devicetaintrules']},
		of: slice,
		want: ['v1/resourceslices', 'v1/devicetaintrules', 'v1/resourceclaims'],
	},
	{
		release: 'v1.33, whose devices are one level deeper',
		api: {v1beta1: ['resourceslices', 'resourceclaims'], v1alpha3: ['devicetaintrules']},
		of: old,
		want: ['v1beta1/resourceslices', 'v1alpha3/devicetaintrules', 'v1beta1/resourceclaims'],
	},
	{
		release: 'one that is newer than all that is known',
		api: {v2: ['resourceslices'], v1: ['resourceslices', 'resourceclaims'], v1beta2: ['devicetaintrules']},
		of: slice,
		want: ['v1/resourceslices', 'v1beta2/devicetaintrules', 'v1/resourceclaims'],
	},
] as const)('devices are read in the versions that are served: $release', async ({api, of, want}) => {
	server.deviceApi = api;
	server.apply('resourceslices', of);
	server.apply('resourceclaims', claim);
	server.apply('devicetaintrules', rule);
	const {deviceObjects, problems} = await snapshot();
	expect(problems).toEqual([]);
	expect(listedOfDevices()).toEqual(want);
	const taint = {key: 'broken', value: '', effect: 'NoExecute', timeAdded: Date.UTC(2026, 0, 1)};
	const named = {kind: 'DeviceTaintRule', name: 'recall', uid: 'uid-recall'};
	expect(deviceObjects).toEqual([decoded[0], {...named, selector: {driver}, taint}, decoded[1]]);
});

test('a rule that selects by a class counts for no device, and that is said', async () => {
	server.apply('resourceslices', slice);
	const deviceSelector = {driver, deviceClassName: 'big'};
	server.apply('devicetaintrules', {...rule, spec: {...Object(rule['spec']), deviceSelector}});
	const {deviceObjects = [], problems} = await snapshot();
	expect(deviceObjects.find((object) => object.kind === 'DeviceTaintRule')?.selector).toBeUndefined();
	expect(problems).toMatchObject([{message: expect.stringContaining('selects by a class')}]);
});

test('whoever may not ask which versions there are still reads slices and claims', async () => {
	server.apply('resourceslices', slice);
	server.apply('resourceclaims', claim);
	server.refuse(403, 'forbidden', ({url}) => url.pathname === '/apis/resource.k8s.io');
	const {deviceObjects, problems} = await snapshot();
	expect([deviceObjects, problems]).toEqual([decoded, []]);
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

/** Watches until an observation matches; returns the observations of devices, and the problems so far. */
async function watched(
	kubernetesVersion: string,
	isDone: (told: ReadonlyMap<string, DeviceObject>) => boolean,
) {
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const end = new AbortController();
	const told = new Map<string, DeviceObject>();
	let problems: readonly Problem[] = [];
	const done = Promise.withResolvers<void>();
	const run = cluster.watch(
		{pods: {type: 'all'}, kubernetesVersion},
		{
			push: (entry) => {
				if (entry.type === 'problems') problems = entry.problems;
				for (const one of entry.type === 'batch' ? entry.observations : [])
					if (one.type === 'deviceObjectApplied') told.set(one.object.kind, one.object);
				if (isDone(told)) done.resolve();
			},
		},
		end.signal,
	);
	await done.promise;
	end.abort();
	await run;
	await cluster.close();
	return {told, problems};
}

test.for(['v1.33.0', 'v1.36.3'])(
	'a watch of %s tells of devices, and of the taint of one',
	async (version) => {
		const {taints: _, ...well} = {name: 'gpu-0', taints: []};
		server.apply('resourceslices', {...slice, spec: {...Object(slice['spec']), devices: [well]}});
		server.apply('resourceclaims', claim);
		void server.nextWatch('resourceslices').then(() => server.apply('resourceslices', slice));
		const {told} = await watched(version, (all) => {
			const of = all.get('ResourceSlice');
			return of?.kind === 'ResourceSlice' && of.devices[0]?.taints.length === 1 && all.has('ResourceClaim');
		});
		expect([told.get('ResourceSlice'), told.get('ResourceClaim')]).toEqual(decoded);
	},
);

test('of a release that does not evict for devices, a watch does not say what may not be read', async () => {
	server.apply('resourceslices', slice);
	server.forbid('resourceclaims');
	const {problems} = await watched('v1.35.0', (told) => told.has('ResourceSlice'));
	expect(problems).toEqual([]);
});
