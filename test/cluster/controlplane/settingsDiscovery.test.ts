import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import type {ControlPlane} from '../../../src/core/model/controlPlane.ts';
import {startDemo} from '../../../src/demo/demo.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {answerStatus, FakeApiServer, type RawObject} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
	server.apply('nodes', rawNode('cp1'));
	server.intercept(({url}, response) => {
		if (url.pathname !== '/api/v1/namespaces/kube-system') return false;
		response.end(JSON.stringify({kind: 'Namespace', metadata: {name: 'kube-system', uid: 'uid-cluster'}}));
		return true;
	});
});
afterEach(() => server[Symbol.asyncDispose]());

async function discover(url = server.url): Promise<ControlPlane> {
	const cluster = await connect({server: url}, bareEnvironment(), instantTiming());
	try {
		return await cluster.controlPlane();
	} finally {
		await cluster.close();
	}
}

type StaticPodParts = {component?: string; labels?: object; isMirror?: boolean; flags?: readonly string[]};

function staticPod(node: string, parts: StaticPodParts = {}): RawObject {
	const {component = 'kube-controller-manager', labels = {component}, isMirror = true, flags = []} = parts;
	const annotations = isMirror ? {'kubernetes.io/config.mirror': 'x'} : {};
	const name = `${component}-${node}`;
	return {
		metadata: {namespace: 'kube-system', name, labels, annotations},
		spec: {
			nodeName: node,
			containers: [
				{name: 'logs', args: ['--kube-api-qps=1']},
				{name: component, command: [component], args: flags},
			],
		},
	};
}

test('the flags of the controller manager and of the API server', async () => {
	server.apply('pods', staticPod('cp1', {flags: ['--node-monitor-grace-period=2m', '--root-ca-file=/ca']}));
	server.apply(
		'pods',
		staticPod('cp1', {
			component: 'kube-apiserver',
			flags: ['--default-unreachable-toleration-seconds=60', '--service-account-issuer=x'],
		}),
	);
	expect(await discover()).toMatchObject({
		controllerManager: {
			seenIn: 'pod kube-system/kube-controller-manager-cp1',
			flags: new Map([['node-monitor-grace-period', '2m']]),
		},
		apiServer: {flags: new Map([['default-unreachable-toleration-seconds', '60']])},
		problems: [],
	});
	const asked = server.asked.find(({resource}) => resource === 'pods');
	expect(asked?.url.searchParams.get('labelSelector')).toBe(
		'component in (kube-controller-manager,kube-apiserver)',
	);
});

test('static pods without labels are found by their names', async () => {
	server.apply('pods', staticPod('cp1', {labels: {}, flags: ['--kube-api-qps=50']}));
	expect(await discover()).toMatchObject({controllerManager: {flags: new Map([['kube-api-qps', '50']])}});
});

test('of several controller managers the leader counts, and where they differ that is said', async () => {
	for (const node of ['cp1', 'cp10', 'cp2']) {
		server.apply('pods', staticPod(node, {flags: node === 'cp2' ? [] : [`--kube-api-qps=${node.length}0`]}));
	}
	const lease = rawLease('kube-system', 'kube-controller-manager');
	server.apply('leases', {...lease, spec: {holderIdentity: 'cp10_5f3c'}});
	expect(await discover()).toMatchObject({
		controllerManager: {seenIn: 'pod kube-system/kube-controller-manager-cp10'},
		problems: [
			{
				reason: 'ControlPlaneDisagrees',
				message: expect.stringMatching(
					/cp1 and .*cp10 and .*cp2 have different flags .*: 30, 40, unset.*those of .*cp10, whose process leads, are used$/,
				),
			},
		],
	});
});

test.for([
	{holder: 'cp2_5f3c', nodes: ['cp1.dc1.example', 'cp2.dc1.example'], leader: 'cp2.dc1.example'},
	{holder: 'cp2.dc1.example_5f3c', nodes: ['cp1', 'cp2'], leader: 'cp2'},
	{holder: 'cp2_5f3c', nodes: ['cp2.dc1.example', 'cp2.dc2.example'], leader: undefined},
	{holder: 'other_5f3c', nodes: ['cp1', 'cp2'], leader: undefined},
])('the leader $holder of $nodes is $leader', async ({holder, nodes, leader}) => {
	for (const [index, node] of nodes.entries())
		server.apply('pods', staticPod(node, {flags: [`--kube-api-qps=${index}0`]}));
	const lease = rawLease('kube-system', 'kube-controller-manager');
	server.apply('leases', {...lease, spec: {holderIdentity: holder}});
	const {controllerManager, problems} = await discover();
	const isOpen = leader === undefined;
	expect(controllerManager).toMatchObject(
		isOpen
			? {others: [new Map([['kube-api-qps', '10']])]}
			: {
					seenIn: `pod kube-system/kube-controller-manager-${leader}`,
					flags: new Map([['kube-api-qps', '10']]),
				},
	);
	expect(problems[0]?.message).toContain(isOpen ? 'ranges allow for both' : 'whose process leads');
});

test('a pod that only bears the name is none of the control plane', async () => {
	server.apply('pods', staticPod('cp1', {isMirror: false, flags: ['--kube-api-qps=50']}));
	expect(await discover()).toMatchObject({
		controllerManager: {unknown: 'no static pod of kube-controller-manager is in kube-system'},
		apiServer: {unknown: 'no static pod of kube-apiserver is in kube-system'},
		problems: [],
	});
});

test('what cannot be read is said, too: defaults are assumed', async () => {
	server.intercept(({resource}, response) => {
		if (resource === 'pods') answerStatus(response, 500, 'broken');
		return resource === 'pods';
	});
	expect(await discover()).toMatchObject({
		controllerManager: {unknown: expect.stringMatching(/^the pods of kube-system cannot be read: .*broken/)},
		problems: [{reason: 'ControlPlaneUnreadable', message: expect.stringMatching(/defaults are assumed$/)}],
	});
});

test('what is forbidden is said, and the rest is read', async () => {
	server.forbid('pods');
	expect(await discover()).toMatchObject({
		controllerManager: {
			unknown: expect.stringMatching(/^the pods of kube-system may not be read: .*forbidden/),
		},
		problems: [{reason: 'ControlPlaneForbidden'}],
	});
});

test('a server without anything of this is no error', async () => {
	server.intercept((_, response) => {
		response.writeHead(404).end('{}');
		return true;
	});
	const {controllerManager} = await discover();
	expect(controllerManager).toMatchObject({
		unknown: expect.stringMatching(/^the pods of kube-system cannot be/),
	});
});

test('the flags of the demo', async () => {
	const scenario = demoScenario('node-dies');
	const settings = {nodeEvictionRate: 0.5, nodeMonitorGracePeriod: 30_000};
	const flags = ['--node-monitor-grace-period=30s', '--node-eviction-rate=0.5'];
	const demo = await startDemo({...scenario, settings, flags}, {port: 0, clock: Date.now, seed: 1});
	try {
		expect(await discover(demo.url)).toMatchObject({
			controllerManager: {
				seenIn: 'pod kube-system/kube-controller-manager-cp1',
				flags: new Map([
					['leader-elect', 'true'],
					['node-monitor-grace-period', '30s'],
					['node-eviction-rate', '0.5'],
				]),
			},
		});
	} finally {
		await demo.close();
	}
});
