import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {readDump} from '../../../src/recording/dump/dump.ts';
import {splitJson} from '../../../src/recording/dump/dumpDocuments.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const listOf = (kind: string, apiVersion: string, ...items: object[]) => ({
	...{kind: `${kind}List`, apiVersion, metadata: {resourceVersion: '900'}},
	items,
});
const pod = (name: string, resourceVersion: string, nodeName = 'n1') => {
	const raw = rawPod('shop', name, nodeName);
	return {kind: 'Pod', apiVersion: 'v1', ...raw, metadata: {...raw.metadata, resourceVersion}};
};
const nodes = listOf('Node', 'v1', rawNode('n1'), rawNode('n2'));
const pods = listOf('Pod', 'v1', rawPod('shop', 'cart-0', 'n1'));
const leases = listOf('Lease', 'coordination.k8s.io/v1', rawLease('kube-node-lease', 'n1'));

async function read(...files: string[]) {
	const {nodes, pods, leases, problems} = await readDump(files);
	return {
		nodes: nodes.map(({name}) => name),
		pods: pods.map(({name, nodeName}) => `${name} on ${nodeName}`),
		leases: leases?.map(({name}) => name),
		problems: problems.map(({reason, message}) => `${reason}: ${message}`),
	};
}

const whole = {nodes: ['n1', 'n2'], pods: ['cart-0 on n1'], leases: ['n1'], problems: []};

test('several files are read as one, folders and packed ones among them', async () => {
	using folder = new TemporaryFolder();
	const [first, second] = [
		folder.write('nodes.json', nodes),
		folder.write('more/pods.yaml', stringify(pods)),
	];
	writeFileSync(join(folder.path, 'leases.json.gz'), gzipSync(JSON.stringify(leases)));
	expect(await read(first, second, join(folder.path, 'leases.json.gz'))).toEqual(whole);
	expect(await read(first, join(folder.path, 'more'), join(folder.path, 'leases.json.gz'))).toEqual(whole);
	expect(await read(folder.path)).toEqual(whole);
});

test('the folder of kubectl cluster-info dump has no leases, and logs that are passed over', async () => {
	using folder = new TemporaryFolder();
	folder.write('nodes.json', nodes);
	folder.write('shop/pods.json', pods);
	folder.write('shop/events.json', listOf('Event', 'v1'));
	folder.write('shop/deployments.json', listOf('Deployment', 'apps/v1', {metadata: {name: 'Pod'}}));
	folder.write('shop/cart-0/logs.txt', '{"kind": "Pod"\nnot JSON at all');
	const problems = [expect.stringMatching(/^LeasesMissing: /)];
	expect(await read(folder.path)).toEqual({...whole, leases: undefined, problems});
});

test('a must-gather shows a pod twice: the newer version counts, whichever is read first', async () => {
	using folder = new TemporaryFolder();
	const root = 'must-gather.local.1/quay-io-sha256-1';
	for (const name of ['n1', 'n2'])
		folder.write(
			`${root}/cluster-scoped-resources/core/nodes/${name}.yaml`,
			`---\n${stringify({apiVersion: 'v1', kind: 'Node', ...rawNode(name)})}`,
		);
	folder.write(
		`${root}/namespaces/shop/core/pods.yaml`,
		`---\n${stringify(listOf('Pod', 'v1', pod('cart-0', '99', 'n2'), pod('web-0', '1001', 'n2')))}`,
	);
	folder.write(`${root}/namespaces/shop/pods/cart-0/cart-0.yaml`, `---\n${stringify(pod('cart-0', '100'))}`);
	folder.write(`${root}/namespaces/shop/pods/web-0/web-0.yaml`, `---\n${stringify(pod('web-0', '1000'))}`);
	folder.write(
		`${root}/namespaces/kube-node-lease/coordination.k8s.io/leases.yaml`,
		`---\n${stringify(leases)}`,
	);
	folder.write(`${root}/namespaces/shop/core/configmaps.yaml`, 'kind: ConfigMapList\nitems: [broken');
	folder.write(`${root}/version`, 'openshift/must-gather\n4.20');
	expect(await read(folder.path)).toEqual({...whole, pods: ['cart-0 on n1', 'web-0 on n2']});
});

test('what only lies in a folder may be broken, and is counted; what is named may not', async () => {
	using folder = new TemporaryFolder();
	folder.write('all.json', {kind: 'List', items: []});
	folder.write('nodes.json', nodes);
	folder.write('pods.json', pods);
	folder.write('leases.json', leases);
	const broken = folder.write('broken.json', '{"kind": "Pod", ');
	const {problems, ...rest} = await read(folder.path);
	expect({...rest, problems: []}).toEqual(whole);
	expect(problems).toEqual(['ObjectsUnreadable: not understood, left out: file that cannot be read (1)']);
	await expect(read(folder.path, broken)).rejects.toThrow('broken.json is not valid JSON');
});

test('a folder without JSON or YAML is an error', async () => {
	using folder = new TemporaryFolder();
	folder.write('notes.txt', 'nothing');
	await expect(read(folder.path)).rejects.toThrow(`there is no JSON or YAML in the folder ${folder.path}`);
});

test('objects one after another are read, as of several commands, with logs between them', async () => {
	using folder = new TemporaryFolder();
	const parts = [nodes, pods, leases].map((part) => JSON.stringify(part, null, 4));
	const text = parts.join('\n==== START logs for container web ====\nGET /{id} 200 "\n==== END logs ====\n');
	expect(await read(folder.write('dump.json', text))).toEqual(whole);
	const cut = folder.write('cut.json', text.slice(0, -30));
	await expect(read(cut)).rejects.toThrow('cut.json is not valid JSON');
});

test('JSON objects one after another are taken apart where each ends', () => {
	const objects = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), {
		minLength: 1,
	});
	fc.assert(
		fc.property(objects, fc.constantFrom(undefined, 2), (values, indent) => {
			const text = values.map((value) => JSON.stringify(value, null, indent)).join('\n');
			expect(splitJson(text).map((part) => JSON.parse(part))).toEqual(JSON.parse(JSON.stringify(values)));
		}),
	);
});

test('a file that unpacks to a thousand times its size is refused before it fills the memory', async () => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'bomb.json.gz');
	writeFileSync(file, gzipSync(`{"kind":"List","items":[]}${' '.repeat(100 * 2 ** 20)}`, {level: 9}));
	const before = process.memoryUsage.rss();
	await expect(readDump([file])).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(
			/bomb\.json\.gz is too large when it is uncompressed: from \d+ bytes to more than \d+$/,
		),
	});
	expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
});

test.for(['"', '\\"', '\\\\', 'a\\'])(
	'a dump cut off inside a text of many %s is refused at once',
	async (sign) => {
		using folder = new TemporaryFolder();
		const file = folder.write('cut.json', `{"kind":"List","items":[{"a":"${sign.repeat(400_000)}`);
		const before = process.cpuUsage();
		await expect(readDump([file])).rejects.toThrow(/cut\.json is not valid JSON/);
		expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
	},
);
