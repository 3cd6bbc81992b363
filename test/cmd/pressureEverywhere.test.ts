import {afterEach, beforeEach, expect, test} from 'vitest';
import {run as runProgram} from '../../cmd/run.ts';
import {pressureLooks} from '../../cmd/sources/pressureLooks.ts';
import {connect} from '../../src/cluster/cluster.ts';
import {aNode} from '../support/builders.ts';
import {answerJson, answerStatus, FakeApiServer} from '../support/fakeApiServer.ts';
import {serveKubelet} from '../support/fakeKubelet.ts';
import {memoryLeft, memoryStats} from '../support/pressure.ts';
import {rawLease} from '../support/rawObjects.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {bareEnvironment} from '../support/testEnvironment.ts';
import {printedBy} from './printed.ts';

let server: FakeApiServer;
let started = 0;
const ago = (seconds: number) => new Date(started - seconds * 1000).toISOString();

beforeEach(async () => {
	server = await FakeApiServer.start();
	started = Date.now();
	for (const name of ['n1', 'n2']) {
		const condition = (type: string, status: string) => ({
			...{type, status, lastHeartbeatTime: ago(1), lastTransitionTime: ago(60)},
		});
		const conditions = [
			condition('Ready', 'True'),
			condition('MemoryPressure', name === 'n1' ? 'True' : 'False'),
		];
		server.apply('nodes', {
			metadata: {name, uid: `uid-${name}`, creationTimestamp: ago(9000)},
			spec: {},
			status: {conditions, capacity: {memory: '8Gi'}},
		});
		server.apply('leases', rawLease('kube-node-lease', name, ago(1).replace('Z', '000Z')));
	}
	server.apply('leases', rawLease('kube-system', 'kube-controller-manager', ago(1).replace('Z', '000Z')));
	applyPod('cart', '100Mi');
	applyPod('shop', '3Gi');
});
afterEach(() => server[Symbol.asyncDispose]());

function applyPod(name: string, memory: string, status: object = {phase: 'Running'}, nodeName = 'n1'): void {
	const containers = [{name: 'app', resources: {requests: {memory}}}];
	server.apply('pods', {
		metadata: {name, namespace: 'eu', uid: `uid-${name}`},
		spec: {nodeName, containers},
		status,
	});
}

const kubeletconfig = {evictionHard: {'memory.available': '500Mi'}, enforceNodeAllocatable: []};
const stats = [memoryStats('cart', '900Mi'), memoryStats('shop', '2Gi')];
const low = memoryLeft('300Mi', stats);

/** Serves the metrics API in the format of metrics-server. */
function serveMetrics(answers: Readonly<Record<string, unknown>>): void {
	server.intercept(({url}, response) => {
		const [, what] = url.pathname.split('/apis/metrics.k8s.io/v1beta1/');
		if (what === undefined) return false;
		const answer = answers[what];
		if (answer === undefined) answerStatus(response, 404, 'the server could not find the requested resource');
		else if (typeof answer === 'number') answerStatus(response, answer, 'metrics are forbidden');
		else answerJson(response, answer);
		return true;
	});
}

const podMetrics = (name: string, memory: string) => ({
	metadata: {namespace: 'eu', name},
	timestamp: ago(10),
	containers: [{name: 'app', usage: {cpu: '1m', memory}}],
});

const run = (line: string) =>
	printedBy((terminal) => runProgram([...line.split(' '), '-s', server.url], terminal));

test('pods tells whom a kubelet evicts, with a cause of its own', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {out, err} = await run('pods -A -o json');
	const list = JSON.parse(out);
	expect(flawsOf(list)).toEqual([]);
	expect(list.items).toMatchObject([
		{
			metadata: {name: 'cart'},
			verdict: 'Expected',
			cause: {kind: 'NodePressure', signals: ['memory.available']},
			held: null,
			because: [
				'memory.available is 300Mi, below the threshold of 500Mi',
				expect.stringContaining('place 1 of 2: it uses 900Mi of memory, over its request of 100Mi'),
				'its kubelet evicts it, short of memory (memory.available), with a termination grace period of 1s',
			],
		},
	]);
	expect(err).toBe('');
	const {exitCode} = await run('pods -A --exit-code');
	expect(exitCode).toBe(2);
});

test('rescue says when a kubelet evicts, or may, and gives no way to prevent it', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {out} = await run('rescue shop -n eu');
	expect(out.replaceAll('\n', ' ')).toContain('its kubelet may evict the pod, if memory.available (300Mi)');
	expect(out).toContain('\n  kubectl evictwatch pressure n1 -w');
	const {out: first} = await run('rescue cart -n eu');
	expect(first).toMatch(/cart +n1 .* no use: its own kubelet evicts it/);
	expect(first).toContain('\nEvicted: ');
	expect(out + first).not.toMatch(/kubectl (delete|cordon|rollout)|do one of these/);
});

test('explain of a workload tells of pods that a kubelet may evict, though no taint does', async () => {
	const summary = memoryLeft('300Mi', [...stats, memoryStats('web-0', '1Mi')]);
	serveKubelet(server, 'n1', {summary: () => summary, kubeletconfig}, Date.now);
	server.apply('pods', {
		metadata: {name: 'web-0', namespace: 'eu', uid: 'uid-web-0', ownerReferences: [owner]},
		spec: {nodeName: 'n1', containers: [{name: 'app'}]},
		status: {phase: 'Running'},
	});
	const {out, err} = await run('explain sts/web -n eu');
	expect(out).toMatch(
		/^pod\/web-0 in namespace eu: Safe, but an eviction is possible: its node has MemoryPressure\n/,
	);
	expect(out.replaceAll('\n', ' ')).toContain(
		'its kubelet may evict the pod, if memory.available (300Mi) falls',
	);
	expect(out).not.toContain('renewed its lease');
	expect(err).not.toContain('so none is evicted');
});

const owner = {apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'uid-web', controller: true};

test('a table of pods names the signal, and of nodes what is short and who goes next', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const pods = await run('pods -A');
	expect(pods.out).toMatch(
		/eu +cart +0s-1?\ds? +[\d:]+Z\/[\d:]+Z +Expected +n1 .*NodePressure \(memory\.available\)/,
	);
	const nodes = await run('nodes -o wide');
	expect(nodes.out).toMatch(/n1 +Healthy .*Memory: eu\/cart 0s-1?\ds/);
	const {items} = JSON.parse((await run('nodes -o json')).out);
	expect(items).toMatchObject([
		{metadata: {name: 'n1'}, pressure: {conditions: ['MemoryPressure'], next: {name: 'cart', certain: true}}},
		{metadata: {name: 'n2'}},
	]);
	expect(items[1].pressure).toBeUndefined();
});

test('only kubelets of nodes that run short are asked', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	await run('pods -A');
	const asked = server.asked.map(({url}) => url.pathname).filter((path) => path.includes('/proxy/'));
	expect(asked.toSorted()).toEqual([
		'/api/v1/nodes/n1/proxy/configz',
		'/api/v1/nodes/n1/proxy/stats/summary',
	]);
});

test('zones asks no kubelet, and nobody asks one whose node is silent', async () => {
	const proxied = () => server.asked.filter(({url}) => url.pathname.includes('/proxy/')).length;
	await run('zones');
	expect(proxied()).toBe(0);
	const conditions = ['Ready', 'MemoryPressure'].map((type) => ({
		...{type, status: type === 'Ready' ? 'Unknown' : 'True'},
		...{lastHeartbeatTime: ago(90), lastTransitionTime: ago(60)},
	}));
	const metadata = {name: 'n1', uid: 'uid-n1', creationTimestamp: ago(9000)};
	server.apply('nodes', {metadata, spec: {}, status: {conditions}});
	await run('pods -A');
	expect(proxied()).toBe(0);
});

test('kubelets that do not answer in time are told of, and not waited for', async () => {
	const end = new AbortController();
	server.intercept(({url}) => {
		if (!url.pathname.includes('/proxy/')) return false;
		end.abort();
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment());
	const look = pressureLooks(cluster);
	const {problems} = await look([aNode('n1'), aNode('n2')], end.signal);
	expect(problems.map(({reason}) => reason)).toContain('KubeletsSlow');
	await cluster.close();
});

test('explain covers this path: the signal, the place, the rule, and what keeps the other', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {out} = await run('explain pod/cart pod/shop node/n1 -n eu -o json');
	const list = JSON.parse(out);
	expect(flawsOf(list)).toEqual([]);
	const [cart, shop, node] = list.items;
	expect(cart).toMatchObject({
		verdict: 'Expected',
		summary: expect.stringContaining('Its kubelet evicts the pod'),
	});
	const words = (one: {steps: {what: string}[]}) => one.steps.map(({what}) => what).join('\n');
	expect(words(cart)).toContain('for memory.available it has place 1 of 2');
	expect(words(cart)).toContain('its kubelet evicts it, short of memory');
	expect(shop.verdict).toBe('Safe');
	expect(shop.whyNot.map(({reason}: {reason: string}) => reason)).toContain('OthersFirst');
	expect(node.summary).toContain('Pod eu/cart is evicted first');
	const text = await run('explain pod/cart -n eu');
	expect(text.out).toContain('pod/cart in namespace eu: Expected');
});

test('explain by a selector tells the pods that a kubelet evicts', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {out, err} = await run('explain --field-selector spec.nodeName=n1 -n eu');
	expect(out).toContain('pod/cart in namespace eu: Expected');
	expect(err).toBe('');
});

test('where kubelets may not be asked, metrics rank by usage over request, with a wider range that is said', async () => {
	serveKubelet(server, 'n1', {summary: () => 403, kubeletconfig: 403}, Date.now);
	serveMetrics({
		'nodes/n1': {timestamp: ago(10), usage: {cpu: '1', memory: '7900Mi'}},
		'namespaces/eu/pods': {items: [podMetrics('cart', '900Mi'), podMetrics('shop', '2Gi')]},
	});
	const {out, err} = await run('pressure n1 -o json');
	const list = JSON.parse(out);
	expect(flawsOf(list)).toEqual([]);
	expect(err).toBe('');
	expect(list.metadata.problems.map(({reason}: {reason: string}) => reason)).toEqual(['SummaryForbidden']);
	const [item] = list.items;
	expect(item.source).toBe('metrics');
	const gaps = item.gaps.map(({reason}: {reason: string}) => reason);
	expect(gaps).toEqual(expect.arrayContaining(['MetricsOnly', 'ThresholdGuessed']));
	// The kubelet observes its disk; only metrics do not contain it.
	expect(gaps).not.toContain('SignalNotObserved');
	expect(item.signals[0].victims.map(({name}: {name: string}) => name)).toEqual(['cart', 'shop']);
	expect(item.evictions[0]).toMatchObject({name: 'cart', certain: false, eviction: {latest: null}});
	const pods = JSON.parse((await run('pods -A -o json')).out);
	expect(pods.items[0]).toMatchObject({
		metadata: {name: 'cart'},
		verdict: 'Unsure',
		cause: {kind: 'NodePressure'},
	});
});

test('without metrics, too, conditions, evicted pods and events are left, and it is said once', async () => {
	for (const node of ['n1', 'n2']) {
		serveKubelet(server, node, {summary: () => 403, kubeletconfig: 403}, Date.now);
	}
	serveMetrics({'nodes/n1': 403, 'nodes/n2': 403});
	const finished = {terminated: {finishedAt: ago(20)}};
	applyPod('gone', '1Mi', {
		...{phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory. '},
		containerStatuses: [{name: 'app', state: finished}],
	});
	const event = (name: string, fields: object) => ({
		metadata: {name, namespace: 'default'},
		source: {component: 'kubelet', host: 'n1'},
		lastTimestamp: ago(25),
		type: 'Warning',
		...fields,
	});
	server.apply(
		'events',
		event('n1.1', {
			...{reason: 'EvictionThresholdMet', message: 'Attempting to reclaim memory'},
			involvedObject: {kind: 'Node', name: 'n1'},
		}),
	);
	server.apply(
		'events',
		event('n1.2', {
			...{reason: 'FreeDiskSpaceFailed', message: 'Failed to garbage collect required amount of images'},
			involvedObject: {kind: 'Node', name: 'n1'},
		}),
	);
	const {out, err} = await run('pressure n1 n2');
	expect(out).toContain('MemoryPressure has been True');
	expect(out).toMatch(/\d+s ago +Evicted +eu\/gone +The node was low on resource: memory\./);
	expect(out).toMatch(/\d+s ago +EvictionThresholdMet +Attempting to reclaim memory/);
	expect(out).toMatch(/\d+s ago +FreeDiskSpaceFailed/);
	expect(err.match(/Warning: SummaryForbidden/g)).toHaveLength(1);
	expect(err.match(/Warning: MetricsForbidden/g)).toHaveLength(1);
	const asked = server.asked.map(({url}) => url.pathname).filter((path) => path.includes('/proxy/'));
	expect(asked.filter((path) => path.includes('n2'))).toEqual([]);
	const askedAt = Date.now();
	const {items} = JSON.parse((await run('pressure n1 -o json')).out);
	expect(flawsOf(JSON.parse((await run('pressure n1 -o json')).out))).toEqual([]);
	// The kubelet may still be busy with its last eviction: a kill, and the cleanup after it.
	expect(Date.parse(items[0].nextPass.latest)).toBeGreaterThan(askedAt + 10_000);
});

test('of a pod that its kubelet evicts, its workload loses a ready pod', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	applyPod('cart', '100Mi', {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]});
	expect((await run('workloads -A')).out).toMatch(/\neu +pod\/cart +1\/1 +0 /);
});

test('a pod that its kubelet has evicted is not called safe', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const conditions = [
		{type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', lastTransitionTime: ago(9)},
	];
	const message = 'The node was low on resource: memory. ';
	applyPod('old', '1Gi', {phase: 'Failed', reason: 'Evicted', message, conditions});
	const explained = (await run('explain old -n eu')).out.replaceAll('\n', ' ');
	expect(explained).toMatch(
		/^pod\/old in namespace eu: Ended Its kubelet evicted it already; it is Failed, and its object stays until it is deleted\. Evicted at \S+Z: the node was low on resource: memory\. Seen/,
	);
	expect((await run('pods -n eu --all')).out).toMatch(/\nold +- +- +Ended +n1 +\S+ +NodePressure/);
	expect((await run('workloads -n eu')).out).toMatch(/\neu +pod\/old +0\/1 +0 +\w[\w ]* +- +0/);
	expect((await run('rescue old -n eu')).out).toContain('no rescue needed: its kubelet evicted it');
});

test('status and nodes name the condition of a node that runs short', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	expect((await run('status')).out.replaceAll(/\n */g, ' ')).toContain(
		'; MemoryPressure on n1 (its kubelet evicts pods by its own rules)',
	);
	expect((await run('nodes')).err).toBe('MemoryPressure on n1 (its kubelet evicts pods by its own rules).\n');
});

test('events tells of pods that their kubelets evicted', async () => {
	server.apply('events', {
		metadata: {name: 'old.1', namespace: 'eu', uid: 'event', creationTimestamp: ago(60)},
		involvedObject: {kind: 'Pod', namespace: 'eu', name: 'old', uid: 'uid-old'},
		...{type: 'Warning', reason: 'Evicted', message: 'The node was low on resource: memory. '},
		source: {component: 'kubelet', host: 'n1'},
		...{firstTimestamp: ago(60), lastTimestamp: ago(60), count: 1},
	});
	expect((await run('events -n eu')).out).toMatch(/Z +old +n1 +by its kubelet, before this command\n/);
});
