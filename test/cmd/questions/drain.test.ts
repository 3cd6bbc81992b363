import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {flawsOf} from '../../support/schemaCheck.ts';
import {testFolder} from '../../support/testFolder.ts';
import {printedFor} from '../printed.ts';

const {path: folder} = testFolder();
const at = '2026-01-31T14:00:00Z';
const long = '2026-01-31T10:00:00Z';

const node = (name: string, silence = 2) => [
	{
		...{apiVersion: 'v1', kind: 'Node', metadata: {name, uid: name, creationTimestamp: long}},
		status: {
			allocatable: {cpu: '4', memory: '8Gi', pods: '110'},
			conditions: [{type: 'Ready', status: 'True', lastHeartbeatTime: long, lastTransitionTime: long}],
		},
	},
	{
		...{apiVersion: 'coordination.k8s.io/v1', kind: 'Lease'},
		metadata: {name, namespace: 'kube-node-lease'},
		spec: {
			holderIdentity: name,
			renewTime: `2026-01-31T13:59:${60 - silence}.000000Z`,
		},
	},
];

type DeployedPod = {node: string; isReady?: boolean; deletionTimestamp?: string};

/** The pods of a Deployment, the first of them on n1, and its objects. */
function deployment(name: string, pods: readonly DeployedPod[], spec: object = {}) {
	const of = {namespace: 'shop', labels: {app: name}};
	const kept = pods.filter(({deletionTimestamp}) => deletionTimestamp === undefined);
	const ready = kept.filter(({isReady = true}) => isReady).length;
	const controller = {
		spec: {
			replicas: kept.length,
			selector: {matchLabels: {app: name}},
			template: {metadata: of, spec: {containers: [], ...spec}},
		},
		status: {replicas: kept.length, readyReplicas: ready},
	};
	const ownedBy = (kind: string, owner: string) => [
		{kind, name: owner, uid: owner, apiVersion: 'apps/v1', controller: true},
	];
	return [
		{apiVersion: 'apps/v1', kind: 'Deployment', metadata: {...of, name, uid: name}, ...controller},
		{
			...{apiVersion: 'apps/v1', kind: 'ReplicaSet', ...controller},
			metadata: {...of, name: `${name}-1`, uid: `${name}-1`, ownerReferences: ownedBy('Deployment', name)},
		},
		...pods.map(({node, isReady = true, deletionTimestamp}, index) => ({
			...{apiVersion: 'v1', kind: 'Pod'},
			metadata: {
				...{...of, name: `${name}-1-${index}`, uid: `${name}-1-${index}`, creationTimestamp: long},
				deletionTimestamp,
				ownerReferences: ownedBy('ReplicaSet', `${name}-1`),
			},
			spec: {nodeName: node, containers: [], ...spec},
			status: {
				phase: 'Running',
				conditions: [
					{type: 'Ready', status: isReady ? 'True' : 'False', reason: 'X', lastTransitionTime: long},
				],
			},
		})),
	];
}

const budget = (
	name: string,
	app: string,
	spec: object,
	[currentHealthy, desiredHealthy, expectedPods]: number[],
) => ({
	...{apiVersion: 'policy/v1', kind: 'PodDisruptionBudget'},
	metadata: {name, namespace: 'shop', uid: name, generation: 1},
	spec: {selector: {matchLabels: {app}}, ...spec},
	status: {
		...{observedGeneration: 1, currentHealthy, desiredHealthy, expectedPods},
		disruptionsAllowed: Math.max(0, (currentHealthy ?? 0) - (desiredHealthy ?? 0)),
	},
});

async function ask(line: string, ...objects: readonly object[]) {
	const file = join(folder, 'dump.json');
	const items = [...node('n1'), ...node('n2'), ...node('n3', 35), ...objects];
	writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items}));
	const {out} = await printedFor('what-if', ...line.split(' '), '-f', file, '--at', at);
	return out.replaceAll(/\n {15,}/g, ' ');
}

test('what needs a flag is refused, and the rest is told with these flags', async () => {
	const emptyDir = {volumes: [{name: 'cache', emptyDir: {}}]};
	const bare = {
		...{
			apiVersion: 'v1',
			kind: 'Pod',
			metadata: {namespace: 'shop', name: 'bare', uid: 'bare', creationTimestamp: long},
		},
		spec: {nodeName: 'n1', containers: []},
		status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True', lastTransitionTime: long}]},
	};
	const out = await ask('--drain n1', ...deployment('cache', [{node: 'n1'}], emptyDir), bare);
	expect(out).toContain('If node n1 is drained now (kubectl drain n1 --ignore-daemonsets):');
	expect(out).toMatch(
		/Refused: +1 pod without --delete-emptydir-data: shop\/cache-1-0 1 pod without --force: shop\/bare kubectl evicts none/,
	);
	expect(out).toMatch(/At once: +2 pods: shop\/cache-1-0, shop\/bare/);
	expect(out).toMatch(/No new pod: +1 pod that nothing makes again: shop\/bare/);
	expect(out).toMatch(/Ends: +within about 30s/);
	expect(out).toMatch(/Reach zero: +shop\/bare, shop\/deployment\/cache \(now\)/);
	expect(out).toContain('kubectl drain n1 --ignore-daemonsets --delete-emptydir-data --force\n');
});

test('a budget lets some go at once, and the others once replacements are ready', async () => {
	const pods = deployment('web', [{node: 'n1'}, {node: 'n1'}, {node: 'n2'}]);
	const out = await ask('--drain n1', ...pods, budget('web', 'web', {minAvailable: 2}, [3, 2, 3]));
	expect(out).toMatch(
		/Waits: +budget shop\/web lets 1 of 2 pods go at once; each other once a replacement is ready/,
	);
	expect(out).toMatch(/Ends: +not before 5s/);
	expect(out).not.toContain('To go on');
	expect(out).toMatch(/shop +web-1-0 +n1 +SomeAtOnce +- +web +30s +Replaced/);
});

test('a budget that allows none for ever is named, with the ways to go on', async () => {
	const pods = deployment('db', [{node: 'n1'}, {node: 'n2'}]);
	const strict = budget('db', 'db', {maxUnavailable: 0}, [2, 2, 2]);
	const out = await ask('--drain n1,n2', ...pods, strict);
	expect(out).toMatch(
		/Waits: +for ever: budget shop\/db lets 0 of 1 pod go at once; it wants 2 of 2 healthy, and never allows any/,
	);
	expect(out).toMatch(/Ends: +never, unless somebody acts/);
	expect(out).toMatch(/n2\n.*Ends: +not begun: n1 comes first, and never ends/s);
	expect(out).toContain('kubectl rollout restart deployment/db -n shop\n');
	expect(out).toContain(`kubectl patch pdb db -n shop --type=merge -p '{"spec":{"maxUnavailable":1}}'\n`);
	const least = budget('db', 'db', {minAvailable: '100%'}, [2, 2, 2]);
	expect(await ask('--drain n1', ...pods, least)).toContain(`-p '{"spec":{"minAvailable":1}}'\n`);
});

test('drained nodes take no replacement, and a budget that waits for one waits for ever', async () => {
	const pods = deployment('web', [{node: 'n1'}, {node: 'n1'}, {node: 'n2'}]);
	const out = await ask('--drain n1,n2', ...pods, budget('web', 'web', {minAvailable: 2}, [3, 2, 3]));
	expect(out).toMatch(/No new pod: +2 pods whose replacement finds no node: shop\/web-1-0, shop\/web-1-1/);
	expect(out).toMatch(
		/for ever: budget shop\/web lets 1 of 2 pods go at once; those that go get no replacement/,
	);
	expect(out).toContain(`-p '{"spec":{"minAvailable":1}}'\n`);
});

/** A node that has turned Unknown, and its lease. */
function silentNode(name: string) {
	const [dead, lease] = node(name, 60);
	const conditions = [{type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-01-31T13:59:50Z'}];
	const taints = [
		{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-31T13:59:50Z'},
	];
	return [{...dead, spec: {taints}, status: {conditions}}, ...(lease ? [lease] : [])];
}

test('a budget waits for ever for pods that stay on a dead node, but not for those of a well one', async () => {
	const silent = silentNode('n4');
	const set = (unready: string) => {
		const [controller, ...rest] = deployment('db', [
			{node: 'n1'},
			{node: 'n2'},
			{node: unready, isReady: false},
		]);
		const pods = rest.slice(1).map((pod, index) => ({
			...pod,
			metadata: {
				...{...pod.metadata, name: `db-${index}`},
				ownerReferences: [
					{kind: 'StatefulSet', name: 'db', uid: 'db', apiVersion: 'apps/v1', controller: true},
				],
			},
		}));
		return [{...controller, kind: 'StatefulSet'}, ...pods, budget('db', 'db', {minAvailable: 2}, [2, 2, 3])];
	};
	const stuck = await ask('--drain n1', ...silent, ...set('n4'));
	expect(stuck).toMatch(/Waits: +for ever: .* only 2 of 3 are healthy now, and the others stay as they are/);
	expect(stuck).toContain('kubectl evictwatch rescue statefulset/db -n shop');
	const failing = await ask('--drain n1', ...silent, ...set('n3'));
	expect(failing).not.toContain('for ever');
	expect(failing).toContain('wait until the pods of statefulset/db are ready');
});

test('a budget waits for no pod of a dead node that is being deleted, and that another replaces', async () => {
	const ofNoNode = {nodeSelector: {pool: 'full'}};
	const others = [{node: 'n1'}, {node: 'n2'}];
	const percent = budget('web', 'web', {minAvailable: '60%'}, [2, 2, 3]);
	const old = {node: 'n4', isReady: false, deletionTimestamp: '2026-01-31T13:59:55Z'};
	const ask4 = (...pods: readonly DeployedPod[]) =>
		ask('--drain n1', ...silentNode('n4'), ...deployment('web', [...others, ...pods], ofNoNode), percent);
	const starting = await ask4({node: 'n2', isReady: false}, old);
	expect(starting).toMatch(
		/Waits: +budget shop\/web lets 0 of 1 pod go at once; only 2 of 3 are healthy now/,
	);
	expect(starting).toContain('wait until the pods of deployment/web are ready');
	expect(await ask4({node: 'n4', isReady: false})).toMatch(
		/Waits: +for ever: .* the others stay as they are/,
	);
	// A number of pods is compared with all that there are, those that are being deleted among them.
	const strict = (minAvailable: number | string, expected: number) =>
		ask(
			'--drain n1',
			...silentNode('n4'),
			...deployment('web', [...others, old]),
			budget('web', 'web', {minAvailable}, [2, 2, expected]),
		);
	const never = /Waits: +for ever: .* it wants 2 of 2 healthy, and never allows any/;
	expect(await strict(2, 3)).toMatch(never);
	expect(await strict('100%', 2)).toMatch(never);
});

test('pods that are not ready wait for AlwaysAllow, and those of two budgets fail', async () => {
	const pods = deployment('web', [{node: 'n1', isReady: false}, {node: 'n2'}, {node: 'n2', isReady: false}]);
	const waiting = budget('web', 'web', {minAvailable: 2}, [1, 2, 3]);
	const out = await ask('--drain n1', ...pods, waiting);
	expect(out).toMatch(/Waits: +budget shop\/web lets 0 of 1 pod go at once; only 1 of 3 are healthy now/);
	expect(out).toContain(`-p '{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}'\n`);
	const twice = await ask(
		'--drain n1',
		...pods,
		waiting,
		budget('other', 'web', {minAvailable: 1}, [1, 1, 3]),
	);
	expect(twice).toMatch(/Fails: +1 pod \(the Eviction API refuses pods of several budgets\): shop\/web-1-0/);
	expect(twice).toContain('kubectl delete pdb other -n shop\n');
});

test('pods of a silent node stay Terminating, and the JSON says the same', async () => {
	const pods = deployment('web', [{node: 'n3'}]);
	const out = await ask('--drain n3', ...pods);
	expect(out).toMatch(/Stay: +1 pod Terminating until the kubelet is back, .*: shop\/web-1-0/);
	expect(out).toMatch(/Ends: +never/);
	expect(out).toContain('kubectl drain n3 --ignore-daemonsets --skip-wait-for-delete-timeout=60\n');
	const json = JSON.parse(await ask('--drain n3 -o json', ...pods));
	expect(flawsOf(json)).toEqual([]);
	expect(json).toMatchObject({
		kind: 'Drain',
		nodes: [
			{
				node: 'n3',
				verdict: 'Never',
				refusedWithout: [],
				pods: [{eviction: 'AtOnce', metadata: {name: 'web-1-0'}}],
			},
		],
		// It has no ready pod anyway, once its node turns Unknown.
		toZero: [],
	});
});

test('a node that is only late may still end its pods', async () => {
	const pods = [...node('n4', 14), ...deployment('web', [{node: 'n4'}])];
	const out = await ask('--drain n4', ...pods);
	expect(out).not.toContain('Stay');
	expect(out).toMatch(
		/Ends: +if n4 renews its lease, which is overdue, within about 30s, the longest grace period; never if it stays silent/,
	);
	expect(out).toMatch(/shop +web-1-0 +n4 +AtOnce +- +- +30s +Replaced/);
	expect(JSON.parse(await ask('--drain n4 -o json', ...pods)).nodes).toMatchObject([
		{verdict: 'Unsure', pods: [{stays: null, after: {outcome: 'Replaced'}}]},
	]);
});

test('nodes are named, and exist', async () => {
	await expect(ask('--drain n9')).rejects.toThrow('--drain: node "n9" not found');
	await expect(ask('--drain n1 n2')).rejects.toThrow('separated by commas');
	await expect(ask('--drain n1 -n shop')).rejects.toThrow('neither -n nor selectors');
	await expect(ask('--drain n1 --node-down n2')).rejects.toThrow('cannot be combined');
});
