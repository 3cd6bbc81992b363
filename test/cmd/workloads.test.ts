import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {run as runProgram} from '../../cmd/run.ts';
import {isThere} from '../../cmd/sources/named.ts';
import {aPod as aModelPod} from '../support/builders.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedBy, printedFor} from './printed.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const {path: folder} = testFolder();
const at = '2026-01-31T14:00:00Z';
const lost = '2026-01-31T13:59:00Z';

function aNode(name: string, isLost: boolean) {
	const key = 'node.kubernetes.io/unreachable';
	const condition = {type: 'Ready', status: isLost ? 'Unknown' : 'True', lastTransitionTime: lost};
	const taints = isLost ? [{key, effect: 'NoExecute', timeAdded: lost}] : [];
	const metadata = {name, uid: name, labels: {'topology.kubernetes.io/zone': 'a'}};
	return {apiVersion: 'v1', kind: 'Node', metadata, spec: {taints}, status: {conditions: [condition]}};
}

function aPod(name: string, nodeName: string) {
	const owner = name.replace(/-\d$/, '');
	const ownerReferences = [{kind: 'StatefulSet', name: owner, uid: owner, controller: true}];
	const tolerations = [
		{key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300},
	];
	const conditions = [{type: 'Ready', status: 'True'}];
	const metadata = {name, namespace: 'shop', uid: name, ownerReferences};
	return {
		...{apiVersion: 'v1', kind: 'Pod', metadata, spec: {nodeName, tolerations}},
		status: {phase: 'Running', conditions},
	};
}

const file = join(folder, 'dump.json');
const nodes = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8'].map((name, index) => aNode(name, index < 3));
const pods = [aPod('web-0', 'n1'), aPod('web-1', 'n2'), aPod('web-2', 'n3'), aPod('cart-0', 'n2')];
const {ownerReferences: _, ...metadata} = aPod('alone', 'n8').metadata;
const items = [...nodes, ...pods, aPod('calm-0', 'n8'), {...aPod('alone', 'n8'), metadata}];
writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items}));

const run = (line: string) =>
	printedBy((terminal) => runProgram([...line.split(' '), '-f', file, '--at', at], terminal));

type Impact = {readonly name: string; readonly losses: readonly {readonly kind: string}[]};
const lossesOf = (impacts: readonly Impact[]) =>
	impacts.map(({name, losses}) => `${name} ${losses.filter(({kind}) => kind === 'Evicted').length}`);

test.for([
	['workloads', ['cart 1', 'web 3']],
	['workloads node/n1', ['web 3']],
	['workloads node/n2', ['cart 1', 'web 3']],
	['workloads pod/web-1', ['web 3']],
	['workloads sts/web', ['web 3']],
	['workloads web', ['web 3']],
	['workloads web cart', ['cart 1', 'web 3']],
	['workloads --field-selector spec.nodeName=n1', ['web 3']],
	['workloads node/n8', []],
	['get sts', ['cart 1', 'web 3']],
	['get sts web', ['web 3']],
	['workloads deploy,sts', ['cart 1', 'web 3']],
	['get deploy', []],
] as const)('%s tells all that a workload loses: %o', async ([line, want]) => {
	const {out} = await run(`${line} -o json`);
	expect(lossesOf(JSON.parse(out).items).toSorted()).toEqual(want);
});

test('where no pod is seen because pods may not be read, that is said, and the code is 1', async () => {
	const terminal = recordingTerminal();
	const nodesAlone = join(folder, 'nodes.json');
	writeFileSync(nodesAlone, JSON.stringify({apiVersion: 'v1', kind: 'List', items: nodes}));
	expect(await runProgram(['workloads', '-A', '-f', nodesAlone, '--at', at], terminal)).toBe(1);
	expect(terminal.texts().err).toContain('Nothing is known of workloads: not all may be read.\n');
});

test('where no workload of a kind loses pods, that kind is named', async () => {
	const {out, err} = await run('get deploy');
	expect(out).toBe('');
	expect(err).toContain('No Deployment loses pods.\n');
	expect((await run('get deploy,ds')).err).toContain('No Deployment or DaemonSet loses pods.\n');
});

test('while a node is late, no all-clear is given', async () => {
	const lease = (name: string, renewTime: string) => ({
		...{apiVersion: 'coordination.k8s.io/v1', kind: 'Lease'},
		...{metadata: {name, namespace: 'kube-node-lease'}, spec: {leaseDurationSeconds: 40, renewTime}},
	});
	const leases = [lease('n1', '2026-01-31T13:59:47.000000Z'), lease('n2', '2026-01-31T13:59:58.000000Z')];
	const late = join(folder, 'late.json');
	const seen = [aNode('n1', false), aNode('n2', false), ...leases, aPod('calm-0', 'n2')];
	writeFileSync(late, JSON.stringify({apiVersion: 'v1', kind: 'List', items: seen}));
	const {err} = await printedFor('workloads', '-A', '-f', late, '--at', at);
	expect(err).toContain('No eviction is certain, but some are possible: n1 is late.\n');
});

test('where a namespace has none that loses pods, it is said what happens in others', async () => {
	const {out, err} = await run('workloads -n bank');
	expect(out).toBe('');
	expect(err).toContain(
		'No workload loses pods in bank namespace.\nPods in other namespaces: 4 will be evicted; see them with -A.\n',
	);
	expect((await run('workloads -A')).out).toMatch(/^shop +statefulset\/web /m);
});

test.for(['workloads', 'status', 'rescue', 'explain', 'what-if --node-down n8'])(
	'%s: where a selector matches nothing, that is said, and no all-clear is given',
	async (command) => {
		const {out, err, exitCode} = await run(`${command} -l app=nope`);
		expect({out, exitCode}).toEqual({out: '', exitCode: 0});
		expect(err).toContain('No resources found.\n');
		expect(err).not.toMatch(/No workload|expected|so none|nothing to prevent|no additional pod/);
		expect((await run(`${command} -l app=nope -n bank`)).err).toContain(
			'No resources found in bank namespace.\n',
		);
	},
);

test('a workload of another namespace is looked for there', async () => {
	const found = run('workloads sts/web -n bank');
	await expect(found).rejects.toMatchObject({
		message: 'statefulset "web" not found in namespace bank; there is one in shop',
		hint: 'choose its namespace with -n shop',
	});
});

test('a workload of another kind that has the name is named', async () => {
	for (const namespace of ['shop', 'bank']) {
		await expect(run(`workloads deploy/web -n ${namespace}`)).rejects.toMatchObject({
			message: `deployment "web" not found in namespace ${namespace}; there is a statefulset of this name in shop`,
			hint: 'try statefulset/web -n shop',
		});
	}
});

test.for(['rescue web-0 -n bank', 'rescue pod/web-0 -n bank'])(
	'%s: a pod of another namespace is looked for there',
	async (line) => {
		await expect(run(line)).rejects.toMatchObject({
			message: 'pod "web-0" not found in namespace bank; there is one in shop',
			hint: 'choose its namespace with -n shop',
		});
	},
);

test.for([
	['workloads wep', 'no pod of workload "wep" is on a node in trouble, and there may be no such workload'],
	['workloads pod/typo', 'pod "typo" not found'],
	['workloads pod/web-0 -n bank', 'pod "web-0" not found in namespace bank'],
	['workloads node/typo', 'node "typo" not found'],
	['workloads zone/typo', 'zone "typo" not found'],
	['status shop', 'status takes no arguments'],
	['what-if --node-down n4 n5', 'pod "n5" not found'],
	['rescue node/typo', 'node "typo" not found'],
	['pods node/typo', 'node "typo" not found'],
] as const)('%s names what is not there, and is refused', async ([line, message]) => {
	await expect(run(line)).rejects.toThrow(message);
});

test('a node that is gone may be named as long as it has pods', () => {
	const scene = {nodes: [], pods: [aModelPod('web', {nodeName: 'n1'})], problems: [], namespace: undefined};
	expect(['n1', 'n2'].map((name) => isThere({kind: 'nodes', name}, scene))).toEqual([true, false]);
});

test('status says what one more dead node would do to pods and workloads', async () => {
	const {out} = await run('status');
	expect(out.replaceAll(/\n {15}/g, ' ')).toMatch(
		/\nOne more node: if n8 of zone <none>\/a fails \(it has the last ready pods of shop\/[^ ,]+, shop\/[^ ,]+\): - 2 more pods will be evicted in .* - reach zero because of this: shop\/alone \(in .*\); which reach zero: not known of 1 more workload - no zone/,
	);
	const {out: json} = await run('status -o json');
	expect(JSON.parse(json).oneMoreNode).toMatchObject({
		node: 'n8',
		impact: {pods: {evicted: 2, unsure: 0, held: 0}, reachZero: [{name: 'alone'}]},
	});
	const {out: other} = await run('status -n other');
	expect(other.replaceAll(/\n {15}/g, ' ')).toMatch(
		/n4 of zone <none>\/a fails \(.*\): - no additional pod will be evicted - no other/,
	);
});
