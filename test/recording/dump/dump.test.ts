import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {zoneSummary} from '../../../src/forecast/explain/summary.ts';
import {moreLosses} from '../../../src/impact/moreLosses.ts';
import {nextLoss} from '../../../src/impact/nextLoss.ts';
import {nodesText} from '../../../src/print/status/causes.ts';
import {nextLossLines} from '../../../src/print/status/nextLoss.ts';
import {Table} from '../../../src/print/tables/table.ts';
import {zones as zoneKind} from '../../../src/print/tables/zoneKind.ts';
import {type DumpOptions, readDump} from '../../../src/recording/dump/dump.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {rawEvent, rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const item = (kind: string, apiVersion: string, object: object) => ({apiVersion, kind, ...object});
const node = item('Node', 'v1', rawNode('n1'));
const pod = item('Pod', 'v1', rawPod('shop', 'cart-0', 'n1'));
const lease = item('Lease', 'coordination.k8s.io/v1', rawLease('kube-node-lease', 'n1'));
const leader = item('Lease', 'coordination.k8s.io/v1', rawLease('kube-system', 'kube-controller-manager'));
const other = item('Lease', 'coordination.k8s.io/v1', rawLease('kube-system', 'kube-scheduler'));
const list = (...items: object[]) => ({
	apiVersion: 'v1',
	kind: 'List',
	metadata: {resourceVersion: ''},
	items,
});
const dump = list(node, pod, lease, leader, other);

async function read(content: unknown, options?: DumpOptions) {
	using folder = new TemporaryFolder();
	return await readDump([folder.write('dump', content)], options);
}

const event = item('Event', 'v1', rawEvent('n1', 'NodeNotReady'));

test('events of either API are read, those of others are not', async () => {
	const {source, firstTimestamp, involvedObject, ...newer} = rawEvent('n2', 'RegisteredNode');
	const moved = {
		...newer,
		...{deprecatedSource: source, deprecatedFirstTimestamp: firstTimestamp, regarding: involvedObject},
		reportingController: 'node-controller',
	};
	const other = item('Event', 'v1', rawEvent('n1', 'NodeNotReady', 'kubelet'));
	const {events} = await read(list(node, event, item('Event', 'events.k8s.io/v1', moved), other));
	expect(events?.map(({reason, about}) => `${reason} ${about}`)).toEqual(
		['RegisteredNode n2', 'NodeNotReady n1'].toReversed(),
	);
	expect((await read(dump)).events).toEqual([]);
});

test('volumes say where pods may run', async () => {
	const spec = {hostPath: {path: '/data'}, accessModes: ['ReadWriteOnce']};
	const {related} = await read(list(node, item('PersistentVolume', 'v1', {metadata: {name: 'data'}, spec})));
	expect(related?.volumes).toEqual([{name: 'data', isPlain: true}]);
});

const whole = {nodes: ['n1'], pods: ['cart-0'], leases: ['n1', 'kube-controller-manager']};

test.for([
	{name: 'JSON', content: JSON.stringify(dump)},
	{name: 'YAML', content: stringify(dump)},
	{
		name: 'YAML documents of one object each',
		content: [node, pod, lease, leader].map((object) => stringify(object)).join('---\n'),
	},
	{
		name: 'JSON documents between lines of ---',
		content: [list(node), list(pod, lease, leader)].map((object) => JSON.stringify(object)).join('\n---\n'),
	},
	{
		name: "lists of one kind, whose items do not say what they are, as the API server's",
		content: [
			{kind: 'NodeList', apiVersion: 'v1', items: [rawNode('n1')]},
			{kind: 'PodList', apiVersion: 'v1', items: [rawPod('shop', 'cart-0', 'n1')]},
			{
				kind: 'LeaseList',
				apiVersion: 'coordination.k8s.io/v1',
				items: [rawLease('kube-node-lease', 'n1'), rawLease('kube-system', 'kube-controller-manager')],
			},
		]
			.map((object) => stringify(object))
			.join('---\n'),
	},
	{name: 'the items of a list alone, as jq writes them', content: JSON.stringify(dump.items)},
	{
		name: 'several lists in one, as jq -s writes them',
		content: JSON.stringify([list(node), [pod, lease], list(leader)]),
	},
	{
		name: 'code in Markdown, as an issue has it',
		content: [node, pod, lease, leader]
			.map(
				(object) =>
					`### And here it is\n\n- \`n1\` died\n- note: see: x\n\nof kubectl:\n\n\`\`\`yaml\n${stringify(object)}\`\`\`\nas said.\n`,
			)
			.join(''),
	},
	{name: 'JSON with a byte order mark', content: `\ufeff${JSON.stringify(dump)}`},
])('a dump is read as $name', async ({content}) => {
	const {nodes, pods, leases, source, problems} = await read(content);
	expect({
		nodes: nodes.map(({name}) => name),
		pods: pods.map(({name}) => name),
		leases: leases?.map(({name}) => name),
	}).toEqual(whole);
	expect([source, problems]).toEqual(['file', []]);
});

test("PowerShell's UTF-16 is understood", async () => {
	const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(JSON.stringify(dump), 'utf16le')]);
	const {nodes} = await readDump(['-'], {stdin: Readable.from([bytes])});
	expect(nodes).toHaveLength(1);
});

test('a dash is standard input', async () => {
	const {pods} = await readDump(['-'], {stdin: Readable.from([JSON.stringify(dump)])});
	expect(pods).toHaveLength(1);
});

test('kinds of the same name in other API groups, and other kinds, are passed over', async () => {
	const foreign = [item('Node', 'vendor.test/v1', {metadata: {name: 'x'}}), item('Service', 'v1', {})];
	const {nodes, problems} = await read(list(node, pod, lease, ...foreign));
	expect([nodes.length, problems]).toEqual([1, []]);
});

test.for([
	{
		name: 'null in a list',
		content: {kind: 'List', items: [node, pod, lease, null]},
		flaw: 'list item that is no object (1)',
	},
	{
		name: 'numbers and texts',
		content: {kind: 'List', items: [7, node, 'x', pod, lease]},
		flaw: 'list item that is no object (2)',
	},
	{
		name: 'an item without a kind',
		content: {kind: 'List', items: [{}, node, pod, lease]},
		flaw: 'list item without a kind (1)',
	},
	{
		name: 'a list whose items are none',
		content: [...[node, pod, lease].map((one) => stringify(one)), 'kind: List\nitems: x\n'].join('---\n'),
		flaw: 'list without items (1)',
	},
])('what is no object is counted: $name', async ({content, flaw}) => {
	const {nodes, problems} = await read(content);
	expect(nodes).toHaveLength(1);
	expect(problems).toEqual([{reason: 'ObjectsUnreadable', message: `not understood, left out: ${flaw}`}]);
});

test('an empty document at the end of a file is none', async () => {
	const {problems} = await read(`${[node, pod, lease].map((one) => stringify(one)).join('---\n')}---\n`);
	expect(problems).toEqual([]);
});

test('a packed dump is unpacked, whatever its name', async () => {
	const packed = gzipSync(JSON.stringify(dump));
	const {nodes, problems} = await readDump(['-'], {stdin: Readable.from([packed])});
	expect([nodes.length, problems]).toEqual([1, []]);
});

test('a packed dump that was cut off is an error with a way out', async () => {
	const packed = gzipSync(JSON.stringify(dump));
	const reading = readDump(['-'], {stdin: Readable.from([packed.subarray(0, packed.length - 20)])});
	await expect(reading).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(/^standard input cannot be uncompressed: unexpected end of file/),
		hint: expect.stringMatching(/cut off/),
	});
});

test('an object that appears twice is taken from the later document', async () => {
	const newer = item('Node', 'v1', rawNode('n1', {spec: {unschedulable: true}}));
	const {nodes} = await read(list(node, newer, pod, lease));
	expect(nodes.map(({unschedulable}) => unschedulable)).toEqual([true]);
});

test('what is missing from a dump is a problem; missing leases are undefined, not empty', async () => {
	const {leases, problems} = await read(list(node));
	expect(leases).toBeUndefined();
	expect(problems.map(({reason}) => reason)).toEqual(['LeasesMissing', 'PodsMissing']);
});

const staticPod = (version: string, ...command: readonly string[]) => {
	const name = 'kube-controller-manager-cp1';
	const annotations = {'kubernetes.io/config.mirror': 'x'};
	const image = `registry.k8s.io/kube-controller-manager:${version}`;
	return item('Pod', 'v1', {
		metadata: {...rawPod('kube-system', name, 'cp1')['metadata'], annotations},
		spec: {nodeName: 'cp1', containers: [{name: 'kube-controller-manager', image, command}]},
	});
};
const withKubelet = (name: string, kubeletVersion: string) =>
	item('Node', 'v1', {...rawNode(name), status: {nodeInfo: {kubeletVersion}}});

test('what a vendor shows of flags is read, unless a static pod shows them', async () => {
	const graceIn = async (...objects: readonly object[]) => {
		const {controlPlane} = await read(list(withKubelet('n1', 'v1.33.4'), ...objects));
		const look = controlPlane?.controllerManager;
		return look && 'flags' in look ? look.flags.get('node-monitor-grace-period') : undefined;
	};
	const spec = {workerLatencyProfile: 'MediumUpdateAverageReaction'};
	const config = {apiVersion: 'config.openshift.io/v1', kind: 'Node', metadata: {name: 'cluster'}, spec};
	expect(await graceIn(config)).toBe('2m');
	const extendedArguments = {'node-monitor-grace-period': ['40s']};
	const operator = {
		...{apiVersion: 'operator.openshift.io/v1', kind: 'KubeControllerManager', metadata: {name: 'cluster'}},
		spec: {observedConfig: {extendedArguments}},
	};
	expect(await graceIn(config, operator)).toBe('40s');
	const pod = staticPod('v1.33.4', 'kube-controller-manager', '--node-monitor-grace-period=3m');
	expect(await graceIn(config, operator, pod)).toBe('3m');
});

test('flags and release are those of the static pod in the file, as of a cluster', async () => {
	const pod = staticPod('v1.24.3', 'kube-controller-manager', '--node-monitor-grace-period=3m');
	const {kubernetesVersion, isLeastVersion, controlPlane} = await read(
		list(withKubelet('n1', 'v1.24.9'), pod, lease),
	);
	expect(controlPlane?.controllerManager).toEqual({
		...{seenIn: 'pod kube-system/kube-controller-manager-cp1', version: 'v1.24.3'},
		flags: new Map([['node-monitor-grace-period', '3m']]),
	});
	expect([kubernetesVersion, isLeastVersion]).toEqual(['v1.24.3', undefined]);
});

test('what a file shows of kubelets under pressure is read as of a cluster', async () => {
	const conditions = [{type: 'MemoryPressure', status: 'True'}];
	const pressed = item('Node', 'v1', {...rawNode('n1'), status: {conditions}});
	const evicted = item('Event', 'events.k8s.io/v1', {
		...{
			metadata: {namespace: 'shop', name: 'old.1'},
			reason: 'Evicted',
			note: 'The node was low on resource: memory.',
		},
		regarding: {kind: 'Pod', namespace: 'shop', name: 'old', uid: 'uid-old'},
		...{
			deprecatedSource: {component: 'kubelet', host: 'n1'},
			deprecatedLastTimestamp: '2026-01-01T00:00:00Z',
		},
	});
	const {pressure = []} = await read(list(pressed, withKubelet('n2', 'v1.36.0'), pod, lease, evicted));
	expect(pressure.map(({type}) => type)).toEqual(['chosen', 'looked', 'reported']);
	expect(pressure).toMatchObject([
		{nodes: ['n1']},
		{look: {node: 'n1', pods: [{name: 'cart-0'}]}},
		{reports: [{node: 'n1', reason: 'Evicted', pod: 'shop/old', uid: 'uid-old'}]},
	]);
});

const elsewhere = item('Pod', 'v1', rawPod('shop', 'web-0', 'n2'));
const leaseOf = (name: string) => item('Lease', 'coordination.k8s.io/v1', rawLease('kube-node-lease', name));
const removal = item('Event', 'v1', {
	...rawEvent('n2', 'RemovingNode'),
	message: 'Removing Node n2 from Controller',
});

test.for([
	{name: 'no leases', objects: [], unseen: ['n2']},
	{name: 'a lease without its node', objects: [lease, leaseOf('n2'), leaseOf('n3')], unseen: ['n2', 'n3']},
	{name: 'leases of all nodes but it', objects: [lease], unseen: undefined},
	{name: 'an event of its removal', objects: [removal], unseen: undefined},
])(
	'a node that is not in the file is unseen, unless it is shown to be gone: $name',
	async ({objects, unseen}) => {
		const snapshot = await read(list(node, pod, elsewhere, leader, ...objects));
		expect(snapshot.unseenNodes?.toSorted()).toEqual(unseen);
		const isSaid = snapshot.problems.some(({reason}) => reason === 'NodesMissing');
		expect(isSaid).toBe(unseen !== undefined);
		const forecaster = aForecaster({}, snapshot);
		const {pods} = forecaster.forecast(snapshot.observedAt);
		const verdict = pods.find(({name}) => name === 'web-0')?.verdict;
		expect(verdict === 'Unsure').toBe(unseen !== undefined);
	},
);

test('where only some nodes are seen, the taint of one that is down is open', async () => {
	const ready = {type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:00Z'};
	const down = item('Node', 'v1', {...rawNode('n1'), status: {conditions: [ready]}});
	const snapshot = await read(list(down, pod, elsewhere, leader));
	const forecaster = aForecaster({}, snapshot);
	const {pods, zones} = forecaster.forecast(snapshot.observedAt);
	expect(pods.find(({name}) => name === 'cart-0')).toMatchObject({verdict: 'Unsure', held: null});
	// Nor is it known whether the zone has more nodes.
	expect(zones).toMatchObject([{isStateAssumed: true, areThresholdsAssumed: true}]);
	expect(new Table(zoneKind, {isWide: false, showHeaders: true}).rows(zones, snapshot.observedAt)).toContain(
		'Disruption? ',
	);
});

const itemOf = (name: string, status: string) => {
	const ready = {type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z'};
	return item('Node', 'v1', {...rawNode(name), status: {conditions: [ready]}});
};
const mostDown = [...[1, 2, 3, 4].map((index) => itemOf(`n${index}`, 'Unknown')), itemOf('n5', 'True')];
const onUnseen = item('Pod', 'v1', rawPod('shop', 'web-0', 'm1'));

test.for([
	{
		name: 'by its state',
		seconds: 5,
		settings: {},
		isInDoubt: true,
		pace: /depends on nodes that are not seen/,
	},
	{
		...{name: 'without a controller manager', seconds: 300, settings: {}},
		...{isInDoubt: undefined, pace: /no further node gets a taint/},
	},
	{
		...{name: 'by its rate', seconds: 5, settings: {nodeEvictionRate: 0}},
		...{isInDoubt: undefined, pace: /no further node gets a taint/},
	},
])(
	'where nodes are not seen, a stop is in doubt as far as they decide: $name',
	async ({seconds, settings, isInDoubt, pace}) => {
		const {observedAt, ...snapshot} = await read(list(...mostDown, onUnseen, leader));
		const at = observedAt + seconds * second;
		const forecaster = aForecaster(settings, {...snapshot, observedAt: at});
		const [zone] = forecaster.forecast(at).zones;
		expect(zone?.stopped?.isInDoubt).toBe(isInDoubt);
		expect(zone && zoneSummary(zone)).toMatch(pace);
	},
);

test('where nodes are not seen, no state of a zone is told for sure, nor what the loss of another node brings', async () => {
	const leases = ['n1', 'n2', 'n3', 'n4', 'n5', 'm1'].map(leaseOf);
	const {observedAt, ...snapshot} = await read(list(...mostDown, ...leases, pod, onUnseen, leader));
	const at = observedAt + 5 * second;
	const forecaster = aForecaster({}, {...snapshot, observedAt: at});
	const forecast = forecaster.forecast(at);
	const [zone] = forecast.zones;
	const down = zone?.toNextState.find(({nodesDown}) => nodesDown === 1);
	expect(down).toMatchObject({state: 'FullDisruption', rate: 0.1, isAssumed: true});
	expect(zone && zoneSummary(zone)).toContain(' may be PartialDisruption: ');
	expect(nodesText(forecast)).toContain(' may be in PartialDisruption, ');
	// The nodes that are not seen may be ready, in other zones.
	const losses = moreLosses(forecast, defaultSettings);
	expect(losses.zones[0]?.steps).toMatchObject([{nodes: 1, rate: 0.1, isAssumed: true}]);
	const text = nextLossLines(nextLoss(losses, forecast), at).join();
	expect(text).toContain('its pods may be evicted');
	expect(text).toContain('evictions in zone <none> may resume');
	const {pods, zones} = forecaster.whatIf([{type: 'nodeDown', node: 'n5', at}], at);
	const then = pods.find(({before}) => before.name === 'cart-0');
	expect([then?.before.verdict, then?.after.verdict]).toEqual(['Unsure', 'Unsure']);
	expect(zones.map(({after}) => after.isSure)).not.toContain(true);
});

test('beside a node that was asked for by its name there may be others, which a list would show', async () => {
	const documents = [node, pod].map((object) => JSON.stringify(object)).join('\n');
	const reasonsOf = async (content: unknown) => (await read(content)).problems.map(({reason}) => reason);
	expect(await reasonsOf(documents)).toContain('NodesMissing');
	// Its pods are a list, not it.
	const listed = JSON.stringify({...list(pod), kind: 'PodList'});
	expect(await reasonsOf(`${JSON.stringify(node)}\n${listed}`)).toContain('NodesMissing');
	for (const whole of [list(node, pod), [node, pod], `${documents}\n${JSON.stringify(lease)}`])
		expect(await reasonsOf(whole)).not.toContain('NodesMissing');
});

test('without one the release is at least that of the newest kubelet', async () => {
	const nodes = ['v1.9.1', 'v1.31.0', 'v1.30.4'].map((version, index) => withKubelet(`n${index}`, version));
	expect(await read(list(...nodes, lease))).toMatchObject({
		...{kubernetesVersion: 'v1.31.0', isLeastVersion: true},
		controlPlane: {controllerManager: {unknown: 'no static pod of kube-controller-manager is in the file'}},
	});
});

const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const seconds = (at: number) => (at - Date.UTC(2026, 0, 1)) / 1000;

test.for([
	{
		name: 'a heartbeat',
		newest: {
			...node,
			status: {conditions: [{type: 'Ready', lastHeartbeatTime: time(90), lastTransitionTime: time(9)}]},
		},
		want: 90,
	},
	{
		name: "a transition of a pod's condition",
		newest: {...pod, status: {conditions: [{type: 'Ready', status: 'False', lastTransitionTime: time(80)}]}},
		want: 80,
	},
	{
		name: 'a taint',
		newest: {...node, spec: {taints: [{key: 'k', effect: 'NoExecute', timeAdded: time(70)}]}},
		want: 70,
	},
	{
		name: 'a renewal, to the microsecond',
		newest: item(
			'Lease',
			'coordination.k8s.io/v1',
			rawLease('kube-node-lease', 'n1', '2026-01-01T00:01:00.000500Z'),
		),
		want: 60.0005,
	},
	{
		name: 'a creation',
		newest: {...pod, metadata: {namespace: 'shop', name: 'new', creationTimestamp: time(50)}},
		want: 50,
	},
	{
		name: 'never a deletion, which lies ahead',
		newest: {...pod, metadata: {namespace: 'shop', name: 'old', deletionTimestamp: time(900)}},
		want: 1,
	},
])('the instant of a dump is the newest time in it: $name', async ({newest, want}) => {
	const {observedAt} = await read(list(node, pod, lease, newest));
	expect(seconds(observedAt)).toBeCloseTo(want, 6);
});

test('a later instant may be asked for', async () => {
	const at = Date.UTC(2026, 0, 1, 0, 10);
	expect((await read(dump, {at})).observedAt).toBe(at);
});

test('the newest time itself, printed to the millisecond, is not too early', async () => {
	const precise = item(
		'Lease',
		'coordination.k8s.io/v1',
		rawLease('kube-node-lease', 'n1', '2026-01-01T00:01:00.000500Z'),
	);
	const {observedAt} = await read(list(node, pod, precise), {at: Date.UTC(2026, 0, 1, 0, 1)});
	expect(seconds(observedAt)).toBeCloseTo(60.0005, 6);
});

test.for<{name: string; content: string; options?: DumpOptions; message: RegExp; hint: RegExp}>([
	{name: 'an empty file', content: ' \n', message: /dump is empty$/, hint: /kubectl get nodes,pods,leases/},
	{
		name: 'JSON that was cut off',
		content: '{"kind": "List", "items": [',
		message: /not valid JSON/,
		hint: /cut off/,
	},
	{name: 'broken YAML', content: 'a: b: c', message: /not valid YAML/, hint: /as JSON/},
	{
		name: 'YAML whose aliases explode',
		content: `a: &a [x, x]\n${[...'bcdefghijk'].map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]},`.repeat(9)}]\n`).join('')}`,
		message: /not valid YAML/,
		hint: /as JSON/,
	},
	{
		name: 'a program',
		content: '\u007fELF\u0002\u0001\0\0',
		message: /^.* is neither JSON nor YAML, but binary$/,
		hint: /kubectl get/,
	},
	{
		name: 'broken YAML',
		content: 'items:\n  - a: [',
		message: /^.* is not valid YAML: [^;]* at line \d+, column \d+$/,
		hint: /kubectl get/,
	},
	{
		name: 'a table',
		content:
			'$ kubectl get nodes\nNAME   STATUS     ROLES    AGE   VERSION\nn1     NotReady   <none>   9d    v1.33.4\n',
		message: /^.* has no objects, but what kubectl prints for people/,
		hint: /-o yaml/,
	},
	{
		name: 'a description',
		content: 'Name:         web-1\nNamespace:    shop\nConditions:\n  Type    Status\n  Ready   False\n',
		message: /^.* has no objects, but what kubectl prints for people/,
		hint: /-o yaml/,
	},
	{
		name: 'an error of kubectl',
		content: '$ kubectl get nodes -o json\nError from server (Forbidden): nodes is forbidden\n',
		message:
			/^.* has no objects, but an error of kubectl: Error from server \(Forbidden\): nodes is forbidden$/,
		hint: /kubectl get/,
	},
	{
		name: 'a refusal of the API server',
		content: '{"kind": "Status", "apiVersion": "v1", "message": "nodes is forbidden"}',
		message: /^there are no nodes in .*, but Status: nodes is forbidden \(1\)$/,
		hint: /^write it/,
	},
	{
		name: 'objects without their kinds',
		content: '{"metadata": {"name": "n1"}}\n{"metadata": {"name": "n2"}}\n',
		message: /^there are no nodes in .*, but objects without a kind \(2\)$/,
		hint: /^write it/,
	},
	{name: 'text', content: 'hello', message: /there are no nodes in/, hint: /kubectl get/},
	{
		name: 'many empty lines',
		content: `# a${'\n'.repeat(500_000)}# b`,
		message: /there are no nodes in/,
		hint: /kubectl get/,
	},
	{
		name: 'a list without nodes',
		content: JSON.stringify(list(pod, lease, pod)),
		message: /^there are no nodes in .*, but Pod \(2\), Lease \(1\)$/,
		hint: /^add a second -f that has them, or write it with: kubectl get/,
	},
	{
		name: 'a list without any time',
		content: JSON.stringify(list(item('Node', 'v1', {metadata: {name: 'n1'}}))),
		message: /^.* does not say when it was written$/,
		hint: /--at/,
	},
])('$name is an error with a way out', async ({content, options, message, hint}) => {
	await expect(read(content, options)).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(message),
		hint: expect.stringMatching(hint),
	});
});

test('a file that does not exist is named', async () => {
	await expect(readDump(['/nonexistent/dump.json'])).rejects.toThrow(
		/^cannot read \/nonexistent\/dump.json: no such file or directory$/,
	);
});

test.for([['old', 'new'] as const, ['new', 'old'] as const])(
	'of the Endpoints of two dumps, %s before %s, the newer ones tell who leads',
	async (order) => {
		const elected = (holder: string) =>
			item('Endpoints', 'v1', {
				metadata: {
					...{name: 'kube-controller-manager', namespace: 'kube-system'},
					resourceVersion: holder === 'new' ? '9' : '8',
					annotations: {
						'control-plane.alpha.kubernetes.io/leader': JSON.stringify({
							...{holderIdentity: holder, renewTime: '2026-01-31T14:07:31Z', leaseDurationSeconds: 15},
						}),
					},
				},
			});
		const {leases} = await read(list(node, pod, lease, ...order.map(elected)));
		expect(leases?.filter(({namespace}) => namespace === 'kube-system')).toMatchObject([
			{holderIdentity: 'new'},
		]);
	},
);
