import {execFile, spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {devNull, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {promisify} from 'node:util';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import type {ApiServer} from '../../../src/demo/apiserver/apiServer.ts';
import {encodeDemoNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodeDemoLease, encodeNamespace} from '../../../src/demo/encode/encodeOthers.ts';
import {eventLog} from '../../../src/demo/world/eventLog.ts';
import {type ObjectStore, objectStore} from '../../../src/demo/world/objectStore.ts';
import {aLease, aNode, aPodObject, now, serve} from '../../demo/fixtures.ts';

const program = 'kubectl';
const isInstalled = spawnSync(program, ['version', '--client']).status === 0;

beforeEach((context) => {
	context.skip(!isInstalled, 'kubectl is not installed');
});

function demoStore(): ObjectStore {
	const store = objectStore();
	store.put('namespaces', encodeNamespace('shop', now - 3_600_000));
	const taint = {
		key: 'node.kubernetes.io/unreachable',
		value: '',
		effect: 'NoExecute',
		timeAdded: now,
	} as const;
	store.put('nodes', encodeDemoNode(aNode('a1', {taints: [taint]})));
	store.put('leases', encodeDemoLease(aLease('a1'), now));
	store.put('pods', aPodObject('cart-0'));
	store.put('pods', aPodObject('finished', {phase: 'Succeeded'}));
	eventLog(store).post({reason: 'NodeNotReady', about: 'a1', recordedAt: now}, now);
	return store;
}

/** Runs kubectl with the demo as its only cluster, and leaves nothing behind. */
function kubectlFor({url}: ApiServer) {
	const cache = mkdtempSync(join(tmpdir(), 'evictwatch-kubectl-'));
	onTestFinished(() => rmSync(cache, {recursive: true, force: true}));
	const command = (args: readonly string[]) => ['--cache-dir', cache, '-s', url, ...args];
	const options = {env: {...process.env, KUBECONFIG: devNull, HOME: cache}};
	return {
		run: (...args: string[]) => promisify(execFile)(program, command(args), options),
		start: (...args: string[]) => spawn(program, command(args), options),
	};
}

test('kubectl prints nodes, pods and leases', async () => {
	const kubectl = kubectlFor(await serve(demoStore()));
	expect((await kubectl.run('get', 'nodes')).stdout).toBe(
		'NAME   STATUS   ROLES    AGE   VERSION\na1     Ready    <none>   3d    v1.36.3\n',
	);
	expect((await kubectl.run('get', 'pods', '-A')).stdout).toBe(
		[
			'NAMESPACE   NAME       READY   STATUS      RESTARTS   AGE',
			'shop        cart-0     1/1     Running     0          15m',
			'shop        finished   1/1     Completed   0          15m',
			'',
		].join('\n'),
	);
	const leases = await kubectl.run('get', 'leases', '-A', '-o', 'json');
	expect(JSON.parse(leases.stdout)).toMatchObject({items: [{kind: 'Lease', metadata: {name: 'a1'}}]});
});

test('kubectl dumps the whole of it into a folder', async () => {
	const kubectl = kubectlFor(await serve(demoStore()));
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-dump-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	await kubectl.run('cluster-info', 'dump', '-A', '--output-directory', folder);
	const pods = JSON.parse(readFileSync(join(folder, 'shop', 'pods.json'), 'utf8'));
	expect(pods).toMatchObject({items: [{metadata: {name: 'cart-0'}}, {metadata: {name: 'finished'}}]});
});

test('kubectl describes a node with its lease, taint, pods and events', async () => {
	const {stdout} = await kubectlFor(await serve(demoStore())).run('describe', 'node', 'a1');
	expect(stdout).toMatch(/^Taints: +node.kubernetes.io\/unreachable:NoExecute$/m);
	expect(stdout).toMatch(/HolderIdentity: +a1/);
	expect(stdout).toMatch(/Non-terminated Pods: +\(1 in total\)/);
	expect(stdout).toContain('kubelet is posting ready status');
	expect(stdout).toContain('Node a1 status is now: NodeNotReady');
});

test('kubectl knows the version and the resources', async () => {
	const kubectl = kubectlFor(await serve(demoStore(), {gitVersion: 'v1.35.2'}));
	expect((await kubectl.run('version')).stdout).toContain('Server Version: v1.35.2');
	expect((await kubectl.run('api-resources', '--no-headers')).stdout).toMatch(
		/^leases +coordination.k8s.io\/v1 +true +Lease$/m,
	);
	expect((await kubectl.run('get', '--raw', '/readyz')).stdout).toBe('ok');
});

test('kubectl is told what it may do', async () => {
	const {run} = kubectlFor(await serve(demoStore()));
	expect((await run('auth', 'can-i', 'list', 'pods')).stdout).toBe('yes\n');
	await expect(run('auth', 'can-i', 'delete', 'pods')).rejects.toMatchObject({
		stdout: 'no - the demo is read-only\n',
	});
	expect((await run('auth', 'can-i', '--list', '--no-headers')).stdout).toMatch(
		/^\*\.\* +\[\] +\[\] +\[get list watch\]$/m,
	);
});

test('kubectl is refused when it writes', async () => {
	const {run} = kubectlFor(await serve(demoStore()));
	await expect(run('delete', 'pod', 'cart-0', '-n', 'shop')).rejects.toThrow('the demo is read-only: DELETE');
	await expect(run('label', 'node', 'a1', 'zone=a')).rejects.toThrow('the demo is read-only: PATCH');
});

test('kubectl get -w prints changes as they come', async () => {
	const store = demoStore();
	const child = kubectlFor(await serve(store)).start('get', 'pods', '-n', 'shop', '-w', '--no-headers');
	onTestFinished(() => {
		child.kill();
	});
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	expect((await lines.next()).value).toMatch(/^cart-0 +1\/1 +Running/);
	expect((await lines.next()).value).toMatch(/^finished/);
	store.put('pods', aPodObject('cart-0', {deletionTimestamp: now + 30_000}));
	expect((await lines.next()).value).toMatch(/^cart-0 +1\/1 +Terminating/);
});
