import {readFileSync} from 'node:fs';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {parse} from 'yaml';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {isControllerManagerLease} from '../../src/core/model/lease.ts';
import {FakeApiServer} from '../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

let server: FakeApiServer;
let cluster: Cluster;
beforeEach(async () => {
	server = await FakeApiServer.start();
	cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	server.apply('nodes', rawNode('n1'));
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
	const record = {holderIdentity: 'cp1', leaseDurationSeconds: 15, acquireTime: '2026-01-31T14:00:00Z'};
	const annotations = {'control-plane.alpha.kubernetes.io/leader': JSON.stringify(record)};
	server.apply('endpoints', {
		metadata: {name: 'kube-controller-manager', namespace: 'kube-system', annotations},
	});
});
afterEach(async () => {
	await cluster.close();
	await server[Symbol.asyncDispose]();
});

const askedForEndpoints = () => server.asked.some(({url}) => url.pathname.endsWith('/kube-system/endpoints'));

test.for([
	{version: 'v1.16.15', holder: 'cp1', asks: true},
	{version: 'v1.17.17', holder: undefined, asks: false},
	{version: 'v1.36.3', holder: undefined, asks: false},
])('in $version Endpoints are asked for the leader: $asks', async ({version, holder, asks}) => {
	server.gitVersion = version;
	const {leaderLease, leases} = await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
	expect(leaderLease?.holderIdentity).toBe(holder);
	expect(leases?.some(isControllerManagerLease)).toBe(asks);
	expect(askedForEndpoints()).toBe(asks);
});

test('a watch of v1.16 follows it there', async () => {
	const stop = new AbortController();
	const holders: (string | undefined)[] = [];
	const selection = {pods: {type: 'nodes', nodes: []}, kubernetesVersion: 'v1.16.15'} as const;
	const watching = cluster.watch(
		selection,
		{
			push: (entry) => {
				for (const one of entry.type === 'batch' ? entry.observations : [])
					if (one.type === 'leaseApplied' && isControllerManagerLease(one.lease)) {
						holders.push(one.lease.holderIdentity);
						stop.abort();
					}
			},
		},
		stop.signal,
	);
	await watching;
	expect(holders).toEqual(['cp1']);
});

test('where they may not be read, it is said with what to apply, and all else is read', async () => {
	server.gitVersion = 'v1.16.15';
	server.forbid('endpoints');
	const {nodes, problems, leaderLease} = await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
	expect(problems).toEqual([
		{
			reason: 'LeaderEndpointsForbidden',
			message: expect.stringContaining('deploy/leader-in-endpoints.yaml allows it'),
		},
	]);
	expect([nodes?.length, leaderLease]).toEqual([1, undefined]);
});

test('what that role allows is what is asked for', async () => {
	const role = parse(readFileSync('deploy/leader-in-endpoints.yaml', 'utf8'));
	expect([role.kind, role.metadata.namespace]).toEqual(['Role', 'kube-system']);
	expect(role.rules).toEqual([
		{
			apiGroups: [''],
			resources: ['endpoints'],
			resourceNames: ['kube-controller-manager'],
			verbs: ['list', 'watch'],
		},
	]);
	server.gitVersion = 'v1.16.15';
	await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
	const asked = server.asked.filter(({url}) => url.pathname.endsWith('/endpoints'));
	// A role with a resource name allows only lists of that name.
	expect(asked.map(({url}) => [url.pathname, url.searchParams.get('fieldSelector')])).toEqual([
		['/api/v1/namespaces/kube-system/endpoints', 'metadata.name=kube-controller-manager'],
	]);
});
