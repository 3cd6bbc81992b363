import {randomBytes} from 'node:crypto';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parse, stringify} from 'yaml';
import {readDump} from '../../../src/recording/dump/dump.ts';
import {parseLargeJson, readYaml, splitJson} from '../../../src/recording/dump/dumpDocuments.ts';
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

test('a folder shows every kind that a file shows', async () => {
	const object = (kind: string, apiVersion: string, name: string) => ({
		...{kind, apiVersion, metadata: {namespace: 'shop', name, uid: `uid-${name}`}},
		...{spec: {}, status: {}},
	});
	const objects = [
		object('MachineHealthCheck', 'machine.openshift.io/v1beta1', 'workers'),
		object('PodDisruptionBudget', 'policy/v1', 'cart'),
		object('StatefulSet', 'apps/v1', 'cart'),
		object('ResourceSlice', 'resource.k8s.io/v1', 'gpus'),
	];
	using folder = new TemporaryFolder();
	const file = folder.write('all/all.json', {
		kind: 'List',
		items: [{kind: 'Node', apiVersion: 'v1', ...rawNode('n1')}, ...objects],
	});
	folder.write('parts/nodes.json', listOf('Node', 'v1', rawNode('n1')));
	for (const one of objects) folder.write(`parts/x/${one.kind}.yaml`, stringify(one));
	expect(await readDump([join(folder.path, 'parts')])).toEqual(await readDump([file]));
});

test('workloads of the group extensions, of which kubectl asked until v1.15, are read as those of apps', async () => {
	const of = (group: string) => {
		const object = (kind: string, own: object = {}) => ({
			...{kind, apiVersion: `${group}/v1beta1`, spec: {replicas: 2}, status: {}},
			metadata: {namespace: 'shop', name: 'cart', uid: `uid-${kind}`, ...own},
		});
		const owner = [{kind: 'Deployment', name: 'cart', uid: 'uid-Deployment', controller: true}];
		return [object('Deployment'), object('ReplicaSet', {ownerReferences: owner}), object('DaemonSet')];
	};
	using folder = new TemporaryFolder();
	const related = async (group: string) => {
		const items = [{kind: 'Node', apiVersion: 'v1', ...rawNode('n1')}, ...of(group)];
		return (await readDump([folder.write(`${group}.json`, {kind: 'List', items})])).related;
	};
	expect(await related('extensions')).toEqual(await related('apps'));
	expect((await related('extensions'))?.controllers.size).toBe(3);
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

test('what is said of a file that is no JSON quotes nothing of it, as a secret would be cut', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('odd.json', '{"kind": "Pod", "note": hushHushHushHushHush}');
	await expect(read(file)).rejects.toThrow(/odd\.json is not valid JSON: (?!.*hush)/i);
});

test('links in a folder are not followed, neither to files nor to folders', async () => {
	using folder = new TemporaryFolder();
	for (const [name, list] of Object.entries({nodes, pods, leases})) folder.write(`dump/${name}.json`, list);
	folder.write('other/nodes.json', listOf('Node', 'v1', rawNode('other')));
	const dump = join(folder.path, 'dump');
	mkdirSync(join(dump, 'below'));
	symlinkSync(join(folder.path, 'other'), join(dump, 'below', 'other'));
	symlinkSync(join(folder.path, 'other', 'nodes.json'), join(dump, 'linked.json'));
	symlinkSync(dump, join(dump, 'itself'));
	expect(await read(dump)).toEqual(whole);
});

test('a folder without JSON or YAML is an error', async () => {
	using folder = new TemporaryFolder();
	folder.write('notes.txt', 'nothing');
	await expect(read(folder.path)).rejects.toThrow(`there is no JSON or YAML in the folder ${folder.path}`);
});

test('objects one after another are read, as of several commands, with logs between them', async () => {
	using folder = new TemporaryFolder();
	const parts = [nodes, pods, leases].map((part) => JSON.stringify(part, null, 4));
	const text = parts.join(
		'\n==== START logs for container web ====\n[INFO] up\n{id} GET /{id} 200 "\n==== END logs ====\n',
	);
	expect(await read(folder.write('dump.json', text))).toEqual(whole);
	const cut = folder.write('cut.json', text.slice(0, -30));
	await expect(read(cut)).rejects.toThrow(/cut\.json is not valid JSON from line \d{2,} on: /);
});

test('text around documents is skipped, as the warnings of kubectl and the words of a shell', async () => {
	using folder = new TemporaryFolder();
	const yaml = [nodes, pods, leases].map(
		(part) => `apiVersion: ${part.apiVersion}\n${stringify({...part, apiVersion: undefined})}`,
	);
	const json = [nodes, pods, leases].map((part) => JSON.stringify(part));
	const around = (texts: readonly string[]) =>
		texts
			.flatMap((text) => ['Warning: v1 Endpoints is deprecated: use v1: EndpointSlice', text.trimEnd()])
			.join('\n');
	for (const text of [around(yaml), around(json)])
		expect(
			await read(folder.write('dump', `$ kubectl get -A\n${text}\nerror: no leases: forbidden\n`)),
		).toEqual(whole);
	const inside = folder.write(
		'inside',
		around(yaml).replace(/^items:$/m, 'items:\nI0301 throttled: GET:https://x'),
	);
	await expect(read(inside)).rejects.toThrow(/inside is not valid YAML: .* at line 7, /);
});

test.for(['    ', '> ', '>   '])('code that Markdown indents or quotes by "%s" is read', async (margin) => {
	using folder = new TemporaryFolder();
	const parts = [nodes, pods, leases];
	const inYaml = parts.map((part) => `\`\`\`\n${stringify(part)}\`\`\``);
	for (const text of [inYaml, parts.map((part) => JSON.stringify(part, null, 1))]) {
		const lines = text.join('\n').split('\n');
		const quoted = lines.map((line) => (line === '' ? margin.trimEnd() : margin + line)).join('\n');
		expect(await read(folder.write('issue.md', `What happened:\n\n${quoted}\n\nWhy?\n`))).toEqual(whole);
	}
});

test('of what kubectl tells while it watches the last counts, and nothing that is gone', async () => {
	using folder = new TemporaryFolder();
	const gone = pod('gone', '4');
	const told = [
		...[nodes, pods, leases].flatMap(({kind, apiVersion, items}) =>
			items.map((item) => ({
				type: 'ADDED',
				object: {kind: kind.slice(0, -'List'.length), apiVersion, ...item},
			})),
		),
		{type: 'ADDED', object: gone},
		{type: 'DELETED', object: {...gone, metadata: {...gone.metadata, resourceVersion: '5'}}},
	];
	expect(await read(folder.write('watch.json', told.map((one) => JSON.stringify(one)).join('\n')))).toEqual(
		whole,
	);
});

const scalars = fc.oneof(
	fc.string({unit: 'grapheme'}),
	fc.string({unit: fc.constantFrom(...'ab:# -\'"{}[],&*!|>%@`\n\t=0.')}),
	fc.constantFrom(
		'true',
		'no',
		'0x1f',
		'1e3',
		'~',
		'.inf',
		'007',
		'-1',
		' x',
		'a\n\n b\n',
		'---',
		'k:{"a":1}',
	),
	fc.double({noNaN: true}),
	fc.boolean(),
	fc.constant(null),
);
const {tree} = fc.letrec((tie) => ({
	tree: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		scalars,
		fc.array(tie('tree'), {maxLength: 4}),
		fc.dictionary(
			fc.oneof(fc.string(), fc.constantFrom('f:spec', 'a.b/c-d', 'k:{"type":"Ready"}')),
			tie('tree'),
			{maxKeys: 4},
		),
	),
}));

test('YAML is read as the parser of all YAML reads it', () => {
	const styles = fc.record({
		indentSeq: fc.boolean(),
		singleQuote: fc.boolean(),
		lineWidth: fc.constantFrom(0, 30, 80),
	});
	fc.assert(
		fc.property(fc.dictionary(fc.string(), tree), styles, (document, style) => {
			const text = stringify(document, style);
			expect(readYaml(text)).toEqual([parse(text)]);
		}),
		{numRuns: 2000},
	);
});

test('JSON objects one after another are taken apart where each ends', () => {
	const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), {minLength: 1});
	fc.assert(
		fc.property(objects, fc.constantFrom(undefined, 2), (values, indent) => {
			const text = values.map((value) => JSON.stringify(value, null, indent)).join('\n');
			expect([...splitJson(text)].map(({part}) => JSON.parse(part))).toEqual(
				JSON.parse(JSON.stringify(values)),
			);
		}),
	);
});

test('JSON that is too long for one string is read item by item, and is the same', () => {
	const items = fc.array(fc.dictionary(fc.string(), fc.jsonValue()));
	const list = fc.record({
		apiVersion: fc.string(),
		items,
		metadata: fc.dictionary(fc.string(), fc.jsonValue()),
	});
	fc.assert(
		fc.property(
			fc.array(list, {minLength: 1, maxLength: 3}),
			fc.constantFrom(undefined, 2),
			(values, indent) => {
				const bytes = Buffer.from(values.map((value) => JSON.stringify(value, null, indent)).join('\n'));
				expect(JSON.parse(JSON.stringify(parseLargeJson(bytes, 'dump.json')))).toEqual(
					JSON.parse(JSON.stringify(values)),
				);
				const cut = bytes.subarray(0, -1);
				expect(() => parseLargeJson(cut, 'dump.json')).toThrow('dump.json is not valid JSON');
			},
		),
		{numRuns: 30},
	);
});

test.for(['', '{'])(
	'standard input that is no text after "%s" is refused where that is seen',
	async (begin) => {
		const endless = Readable.from([Buffer.from(begin), Buffer.alloc(10), Buffer.alloc(10)]);
		await expect(readDump(['-'], {stdin: endless})).rejects.toThrow(
			'standard input is neither JSON nor YAML',
		);
		expect(endless.destroyed).toBe(true);
	},
);

test.for([
	{name: 'words', begin: Buffer.from(''), chunk: Buffer.from('y\n'.repeat(2 ** 19))},
	{
		...{
			name: 'a list that is never closed',
			begin: Buffer.from('{"kind":"NodeList","metadata":{},"items":['),
		},
		chunk: Buffer.from('{},'.repeat(2 ** 18)),
	},
	{name: 'what cannot be uncompressed', begin: Buffer.from([0x1f, 0x8b]), chunk: Buffer.alloc(2 ** 20, 7)},
])('standard input of $name without an end is refused early', async ({begin, chunk}) => {
	let chunks = 0;
	function* forEver() {
		for (yield begin; ; chunks += 1) yield chunk;
	}
	const stdin = Readable.from(forEver());
	await expect(readDump(['-'], {stdin})).rejects.toThrow('standard input is no dump');
	expect(stdin.destroyed).toBe(true);
	expect(chunks).toBeLessThan(50);
});

test('a dump of millions of empty objects is refused before it is parsed', async () => {
	const text = `{"kind":"NodeList","metadata":{},"items":[${'{},'.repeat(1_500_000)}{}]}`;
	await expect(readDump(['-'], {stdin: Readable.from([text]), at: 1})).rejects.toThrow(
		'it has more than 1000000 values, and next to nothing in them',
	);
});

test('a large dump may be compressed, and may name its kinds late', async () => {
	const node = JSON.stringify({apiVersion: 'v1', kind: 'Node', metadata: {name: 'n1'}});
	const noise = randomBytes(28 * 2 ** 20).toString('base64');
	for (const text of [`${node}\n${noise.slice(0, 2 ** 24)}`, `${noise.slice(0, 2 ** 24)}\n${node}`]) {
		const {nodes} = await readDump(['-'], {stdin: Readable.from([text]), at: 1});
		expect(nodes.map(({name}) => name)).toEqual(['n1']);
	}
	const parts = [noise.slice(0, 2 ** 24), noise.slice(2 ** 24)];
	const packed = gzipSync(parts.map((part) => `${node}\n${part}\n`).join(''), {level: 1});
	expect(packed.length).toBeGreaterThan(2 ** 25 - 2 ** 23);
	const {nodes} = await readDump(['-'], {stdin: Readable.from([packed]), at: 1});
	expect(nodes).toHaveLength(1);
});

test.for([
	{name: 'deep.json', sign: '['},
	{name: 'deep.json', sign: '{"a":'},
	{name: 'deep.json', sign: '{"a":[\n'},
	{name: 'deep.yaml', sign: '- '},
	{name: 'deep.yaml', sign: '{a: '},
])('megabytes of $sign are refused, by their line', async ({name, sign}) => {
	using folder = new TemporaryFolder();
	const file = folder.write(name, `\n${sign.repeat(2_000_000)}`);
	const [before, cpu] = [process.memoryUsage.rss(), process.cpuUsage()];
	await expect(readDump([file])).rejects.toThrow(
		/deep\.\w+ is not valid .*: it is nested deeper than any object of Kubernetes, at line \d+$/,
	);
	expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
	expect(process.cpuUsage(cpu).user / 1000).toBeLessThan(3000);
});

test.for([
	{name: 'zeros', fill: '\0', message: /bomb\.json\.gz is neither JSON nor YAML, but binary$/},
	{
		name: 'blanks',
		fill: ' ',
		message: /bomb\.json\.gz is too large: it has more than 32 MiB, uncompressed$/,
	},
])(
	'a file that unpacks to a thousand times as many $name is refused before it fills the memory',
	async ({fill, message}) => {
		using folder = new TemporaryFolder();
		const file = join(folder.path, 'bomb.json.gz');
		const bytes = Buffer.concat([Buffer.from('{"kind":"List","items":['), Buffer.alloc(100 * 2 ** 20, fill)]);
		writeFileSync(file, gzipSync(bytes, {level: 9}));
		const before = process.memoryUsage.rss();
		await expect(readDump([file])).rejects.toMatchObject({
			name: 'UserError',
			message: expect.stringMatching(message),
		});
		expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
	},
);

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
