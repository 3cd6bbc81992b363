import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {type DumpOptions, readDump} from '../../../src/recording/dump/dump.ts';
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
		name: 'a list in a list',
		content: {kind: 'List', items: [[node], node, pod, lease]},
		flaw: 'list item that is no object (1)',
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
	{
		name: 'a document that is none',
		content: [...[node, pod, lease].map((one) => stringify(one)), 'hello\n'].join('---\n'),
		flaw: 'document that is no object (1)',
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
	{name: 'text', content: 'hello', message: /there are no nodes in/, hint: /kubectl get/},
	{
		name: 'a list without nodes',
		content: JSON.stringify(list(pod)),
		message: /there are no nodes in/,
		hint: /kubectl get/,
	},
	{
		name: 'a list without any time',
		content: JSON.stringify(list(item('Node', 'v1', {metadata: {name: 'n1'}}))),
		message: /^.* does not say when it was written$/,
		hint: /--at/,
	},
	{
		name: 'an instant before the newest time',
		content: JSON.stringify(dump),
		options: {at: Date.UTC(2025, 0, 1)},
		message: /^--at 2025-01-01T00:00:00.000Z is before the newest time in .*, 2026-01-01T00:00:01.000Z$/,
		hint: /leave --at out/,
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
