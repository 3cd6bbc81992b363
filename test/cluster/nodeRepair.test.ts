import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {answerJson, answerStatus, FakeApiServer, type RawObject} from '../support/fakeApiServer.ts';
import {Follower} from '../support/follower.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

/** The served collections by version; a group's first version is its preferred one. */
type Served = Readonly<Record<string, readonly string[]>>;

const usual: Served = {
	'apps/v1': ['deployments'],
	'karpenter.sh/v1': ['nodepools', 'nodeclaims', 'nodeclaims/status'],
	'cluster.x-k8s.io/v1beta2': ['clusters', 'machines', 'machinehealthchecks'],
};

/** The versions of OpenShift 4.12 and later. */
const openShift: Served = {
	'machine.openshift.io/v1': ['controlplanemachinesets', 'controlplanemachinesets/status'],
	'machine.openshift.io/v1beta1': ['machines', 'machinesets', 'machinehealthchecks'],
};

function groupsOf(served: Served): readonly object[] {
	const byName = Map.groupBy(Object.keys(served), (version) => version.split('/')[0]);
	return [...byName].map(([name, versions]) => {
		const entries = versions.map((groupVersion) => ({groupVersion, version: groupVersion.split('/')[1]}));
		return {name, versions: entries, preferredVersion: entries[0]};
	});
}

const claim = {
	metadata: {name: 'default-x7', labels: {'karpenter.sh/nodepool': 'default'}},
	spec: {nodeClassRef: {group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default'}},
	status: {nodeName: 'n1', providerID: 'aws:///eu-west-1a/i-1'},
};

/** In v1beta2. */
const check = {
	metadata: {name: 'workers', namespace: 'clusters'},
	spec: {
		clusterName: 'ours',
		selector: {matchLabels: {role: 'worker'}, matchExpressions: [{key: 'a', operator: 'Exists'}]},
		checks: {unhealthyNodeConditions: [{type: 'Ready', status: 'Unknown', timeoutSeconds: 300}]},
		remediation: {triggerIf: {unhealthyLessThanOrEqualTo: '40%'}},
	},
};

const ready = {type: 'Ready', status: 'True'};

const aNode = (status: string) => ({
	metadata: {name: 'n1', uid: 'n1'},
	status: {conditions: [{...ready, status}]},
});

/** A server with a node and these API groups; `refused` is a forbidden path, `missing` one that is not served after all. */
async function serving(
	node: RawObject,
	{served = usual, refused, missing}: {served?: Served; refused?: string; missing?: string} = {},
): Promise<FakeApiServer> {
	const server = await FakeApiServer.start();
	server.apply('nodes', node);
	server.intercept(({url}, response) => {
		const {pathname} = url;
		const [, version = '', collection = ''] = /^\/apis\/([^/]+\/[^/]+)\/?(.*)$/.exec(pathname) ?? [];
		if (pathname === refused) answerStatus(response, 403, `${pathname} is forbidden`);
		else if (pathname === missing) answerStatus(response, 404, `${pathname} is not found`);
		else if (pathname === '/apis') answerJson(response, {kind: 'APIGroupList', groups: groupsOf(served)});
		else if (Object.hasOwn(served, version)) {
			const names = served[version] ?? [];
			if (collection === '') {
				const resources = names.map((name) => ({name}));
				answerJson(response, {kind: 'APIResourceList', groupVersion: version, resources});
				return true;
			}
			if (!names.includes(collection)) {
				answerStatus(response, 404, 'the server could not find the requested resource');
				return true;
			}
			if (url.searchParams.has('watch')) {
				response.writeHead(200, {'content-type': 'application/json'}).flushHeaders();
				return true;
			}
			const items =
				collection === 'nodeclaims' ? [claim] : collection === 'machinehealthchecks' ? [check] : [];
			answerJson(response, {kind: 'List', metadata: {resourceVersion: '5'}, items});
		} else return false;
		return true;
	});
	return server;
}

const repairPaths = (server: FakeApiServer): readonly string[] =>
	server.asked
		.map(({url}) => url.pathname)
		.filter((path) => path === '/apis' || /karpenter|cluster\.x-k8s|medik8s|openshift/.test(path))
		.toSorted();

async function lookAt(server: FakeApiServer) {
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const snapshot = await cluster.snapshot({pods: {type: 'all'}});
	await cluster.close();
	return snapshot;
}

test('where a node is not ready, who repairs nodes is read, of the API groups that are there', async () => {
	await using server = await serving(aNode('Unknown'));
	const {repair, problems} = await lookAt(server);
	expect(repairPaths(server)).toEqual([
		'/apis',
		'/apis/cluster.x-k8s.io/v1beta2',
		'/apis/cluster.x-k8s.io/v1beta2/machinehealthchecks',
		'/apis/cluster.x-k8s.io/v1beta2/machines',
		'/apis/karpenter.sh/v1',
		'/apis/karpenter.sh/v1/nodeclaims',
	]);
	expect(problems).toEqual([]);
	expect(repair).toEqual([
		{
			...{kind: 'NodeClaim', name: 'default-x7', nodeName: 'n1', pool: 'default'},
			providerId: 'aws:///eu-west-1a/i-1',
			provider: 'karpenter.k8s.aws',
		},
		{
			...{kind: 'MachineHealthCheck', group: 'cluster.x-k8s.io', namespace: 'clusters', name: 'workers'},
			cluster: 'ours',
			selector: {
				matchLabels: {role: 'worker'},
				matchExpressions: [{key: 'a', operator: 'Exists', values: []}],
			},
			conditions: [{type: 'Ready', status: 'Unknown', timeout: 5 * minute}],
			...{maxUnhealthy: '40%', isExternal: false, isPaused: false},
		},
	]);
});

test('while all nodes are well, nothing of it is asked', async () => {
	await using server = await serving(aNode('True'));
	expect((await lookAt(server)).repair).toBeUndefined();
	expect(repairPaths(server)).toEqual([]);
});

test.each([
	[
		'a condition that is not as it should be',
		{status: {conditions: [ready, {type: 'KernelDeadlock', status: 'True'}]}},
	],
	[
		'a taint of somebody who is about to delete it',
		{spec: {taints: [{key: 'karpenter.sh/disrupted', effect: 'NoSchedule'}]}, status: {conditions: [ready]}},
	],
])('a Ready node with %s counts as one that may need repair', async (_, rest) => {
	await using server = await serving({metadata: {name: 'n1', uid: 'n1'}, ...rest});
	expect((await lookAt(server)).repair).toHaveLength(2);
});

test('conditions that are well by what they are called ask for nothing', async () => {
	const well = [
		{type: 'KernelReady', status: 'True'},
		{type: 'DiskPressure', status: 'False'},
	];
	await using server = await serving({
		metadata: {name: 'n1', uid: 'n1'},
		status: {conditions: [ready, ...well]},
	});
	expect((await lookAt(server)).repair).toBeUndefined();
});

test('where a node is not ready and nobody repairs nodes, that is one request', async () => {
	await using server = await serving(aNode('Unknown'), {served: {}});
	const {repair, problems} = await lookAt(server);
	expect(repairPaths(server)).toEqual(['/apis']);
	expect([repair, problems]).toEqual([undefined, []]);
});

test('a node that has not renewed its lease for a while counts as one that may need repair', async () => {
	await using server = await serving(aNode('True'));
	const renewTime = new Date(Date.now() - 30 * second).toISOString();
	server.apply('leases', {metadata: {name: 'n1', namespace: 'kube-node-lease'}, spec: {renewTime}});
	expect((await lookAt(server)).repair).toHaveLength(2);
});

test('what may not be read of it is a problem that says what that costs', async () => {
	await using server = await serving(aNode('Unknown'), {refused: '/apis/karpenter.sh/v1/nodeclaims'});
	const {repair, problems} = await lookAt(server);
	expect(repair).toHaveLength(1);
	expect(problems.map(({reason}) => reason)).toEqual(['NodeRepairForbidden']);
	expect(problems[0]?.message).toContain('pods may go earlier');
});

test('of OpenShift, Machines are read in the version that has them, which is not the preferred one', async () => {
	await using server = await serving(aNode('Unknown'), {served: openShift});
	const {repair, problems} = await lookAt(server);
	expect(problems).toEqual([]);
	expect(repairPaths(server)).toEqual([
		'/apis',
		'/apis/machine.openshift.io/v1',
		'/apis/machine.openshift.io/v1beta1',
		'/apis/machine.openshift.io/v1beta1/machinehealthchecks',
		'/apis/machine.openshift.io/v1beta1/machines',
	]);
	expect(repair).toMatchObject([{kind: 'MachineHealthCheck', group: 'machine.openshift.io'}]);
});

test('a kind that a group does not serve is none, and no problem', async () => {
	await using server = await serving(aNode('Unknown'), {
		served: {'cluster.x-k8s.io/v1beta1': ['machinehealthchecks']},
	});
	const {repair, problems} = await lookAt(server);
	expect(problems).toEqual([]);
	expect(repair).toHaveLength(1);
});

test('a collection that is gone since it was found is none, and no problem', async () => {
	await using server = await serving(aNode('Unknown'), {missing: '/apis/karpenter.sh/v1/nodeclaims'});
	const {repair, problems} = await lookAt(server);
	expect(problems).toEqual([]);
	expect(repair).toHaveLength(1);
});

test('in a watch, a collection that is gone since it was found is no problem', async () => {
	const missing = '/apis/karpenter.sh/v1/nodeclaims';
	await using server = await serving(aNode('Unknown'), {missing});
	await using follower = await Follower.of(server.url);
	const asked = () => server.asked.filter(({url}) => url.pathname === missing).length;
	await follower.until(() => follower.received.some((one) => one.startsWith('repairApplied')));
	// By the third request the first answers have been processed.
	while (asked() < 3) await setImmediate();
	expect(follower.problems).toEqual([]);
});

test('a watch follows it, and tells of it once the first state is there', async () => {
	await using server = await serving(aNode('Unknown'));
	await using follower = await Follower.of(server.url);
	await follower.until(() => follower.received.filter((one) => one.startsWith('repairApplied')).length === 2);
	expect(follower.received.slice(-2).toSorted()).toEqual([
		'repairApplied MachineHealthCheck.cluster.x-k8s.io clusters/workers',
		'repairApplied NodeClaim default-x7',
	]);
});

test.each([
	['minutes where it is refused', 403, 5 * minute],
	['seconds where the server is in trouble', 503, 5 * second],
])('which APIs there are is asked again after %s', async (_, status, pause) => {
	await using server = await serving(aNode('Unknown'));
	server.refuse(status, '/apis is not told', ({url}) => url.pathname === '/apis');
	const timing = instantTiming();
	await using _follower = await Follower.of(server.url, timing);
	const asked = () => server.asked.filter(({url}) => url.pathname === '/apis').length;
	while (asked() < 4) await setImmediate();
	expect(timing.waits.filter((wait) => wait === pause).length).toBeGreaterThanOrEqual(3);
	expect(timing.waits).not.toContain(status === 403 ? 5 * second : 5 * minute);
});

test.each([
	['is told and asked for again where it may not be read', 403, 'ResourceSlicesForbidden'],
	['is not followed where the server has no such API', 404, undefined],
])('what evicts for devices %s', async (_, status, problem) => {
	await using server = await FakeApiServer.start();
	server.apply('resourceslices', {metadata: {name: 'n1-gpus'}});
	server.refuse(status, 'slices are not told', ({url}) => url.pathname.endsWith('/resourceslices'));
	server.apply('nodes', aNode('True'));
	await using follower = await Follower.of(server.url);
	const asked = () => server.asked.filter(({url}) => url.pathname.endsWith('/resourceslices')).length;
	while (asked() === 0) await setImmediate();
	if (problem) await follower.until(() => follower.problems.some(({reason}) => reason === problem));
	else expect(follower.problems).toEqual([]);
});
