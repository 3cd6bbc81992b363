import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {gzipSync} from 'node:zlib';
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire';
import {expect, test} from 'vitest';
import {peakMegabytesOf} from '../../lab/bench/scale/program.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {answerJson, FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareHome} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

// Servers, kubelets and files without an end. The program says so, and stays small.

const onLinux = test.skipIf(process.platform !== 'linux');
const mostMegabytes = 300;
const {path: home} = testFolder();

/** Runs the program to its end, or until `isEnough` of what it said. */
async function run(args: readonly string[], isEnough: (said: string) => boolean = () => false, fed = '') {
	const child = spawn(builtProgram, args, {env: bareHome(home), stdio: ['pipe', 'pipe', 'pipe']});
	// It does not read to the end.
	child.stdin.on('error', () => undefined);
	if (fed === '') child.stdin.end();
	else pipeline(Readable.from(forEver(fed)), child.stdin).catch(() => undefined);
	const ended = once(child, 'exit');
	let [peak, said] = [0, ''];
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
		said += chunk;
		if (isEnough(said)) child.kill('SIGINT');
	});
	const out = text(child.stdout);
	const look = setInterval(() => {
		try {
			// A process that has just ended has no figure.
			peak = Math.max(peak, peakMegabytesOf(child.pid ?? 0) || 0);
		} catch {
			// It is gone.
		}
	}, 10);
	const [code] = await ended;
	clearInterval(look);
	return {code: code as number | null, out: await out, err: said, peak};
}

function* forEver(chunk: string) {
	for (;;) yield chunk;
}

/** Writes the same, or what a function makes, for as long as somebody reads. */
function writeForEver(
	response: ServerResponse,
	begin: string,
	chunk: string | Buffer | (() => string),
): void {
	response.write(begin);
	const more = () => {
		while (!response.destroyed && response.write(typeof chunk === 'function' ? chunk() : chunk));
	};
	response.on('drain', more);
	more();
}

async function startServer() {
	const server = await FakeApiServer.start();
	server.apply('nodes', {
		...rawNode('n1'),
		status: {
			conditions: [
				{type: 'MemoryPressure', status: 'True'},
				{type: 'Ready', status: 'True'},
			],
		},
	});
	server.apply('nodes', rawNode('n2'));
	for (const name of ['n1', 'n2'])
		server.apply('leases', rawLease('kube-node-lease', name, new Date().toISOString().replace('Z', '000Z')));
	server.apply('pods', rawPod('shop', 'cart', 'n1'));
	return server;
}

const head = {'content-type': 'application/json'};
const page = (next: string) =>
	`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"${next}"},"items":[`;
const megabyte = 'x'.repeat(2 ** 20);
/** A list of two million pods of twelve bytes each. */
const tinyPods = () => {
	const pod = Buffer.from([0x12, 10, 0x0a, 8, 0x0a, 1, 0x61, 0x1a, 3, 0x62, 0x62, 0x62]);
	const items = Buffer.concat(Array<Buffer>(2_000_000).fill(pod));
	const part = (number: number, bytes: Uint8Array) =>
		new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
	return Buffer.concat([Buffer.from('k8s\0'), part(1, part(2, Buffer.from('PodList'))), part(2, items)]);
};
const bomb = gzipSync(Buffer.alloc(1500 * 2 ** 20, ' '));

onLinux.for([
	{
		name: 'a page without an end',
		answer: (response: ServerResponse) =>
			writeForEver(response.writeHead(200, head), `${page('')}{"a":"`, megabyte),
		message: /too large: it has more than 32 MiB/,
	},
	{
		name: 'a page that is small until it is inflated',
		answer: (response: ServerResponse) =>
			response.writeHead(200, {...head, 'content-encoding': 'gzip'}).end(bomb),
		message: /too large: it has more than 32 MiB/,
	},
	{
		name: 'a page of more objects than memory holds',
		answer: (response: ServerResponse) =>
			response.writeHead(200, head).end(`${page('')}${'{},'.repeat(10_000_000)}{}]}`),
		message: /too large: it has more than 32 MiB, or as many values/,
	},
	{
		name: 'a page of more objects than memory holds, in protobuf',
		answer: (response: ServerResponse) =>
			response.writeHead(200, {'content-type': 'application/vnd.kubernetes.protobuf'}).end(tinyPods()),
		message: /too large: a page has more than 100000 objects/,
	},
	{
		name: 'a refusal without an end',
		answer: (response: ServerResponse) => writeForEver(response.writeHead(500, head), '', megabyte),
		message: /500/,
	},
	{
		name: 'page after page',
		answer: (response: ServerResponse, url: URL) => {
			const number = Number(url.searchParams.get('continue')) + 1;
			response
				.writeHead(200, head)
				.end(`${page(String(number))}${JSON.stringify(rawPod('shop', `p${number}`, 'n1'))}]}`);
		},
		message: /has no end: page follows page/,
	},
])('$name ends with what is wrong, in little memory', async ({answer, message}) => {
	await using server = await startServer();
	server.intercept(({url, resource}, response) => {
		if (resource !== 'pods' || url.searchParams.has('fieldSelector')) return false;
		answer(response, url);
		return true;
	});
	const {err, out, peak} = await run(['pods', '-A', '-s', server.url]);
	expect(`${err}${out}`).toMatch(message);
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux.for([
	{
		name: 'bombs',
		answer: (response: ServerResponse) =>
			response.writeHead(200, {...head, 'content-encoding': 'gzip'}).end(bomb),
	},
	{
		name: 'pages without an end',
		answer: (response: ServerResponse) => writeForEver(response.writeHead(200, head), page(''), megabyte),
	},
])('where all answers are $name, little memory is taken, too', async ({answer}) => {
	await using server = await startServer();
	server.intercept((_, response) => {
		answer(response);
		return true;
	});
	for (const line of [['status'], ['workloads', '-A'], ['what-if', '--node-down', 'n1']]) {
		const {err, peak} = await run([...line, '-s', server.url]);
		expect(err).toMatch(/^error: the answer of .* is too large: /);
		expect(peak).toBeLessThan(mostMegabytes);
	}
});

onLinux("a kubelet's bomb stays that node's, in little memory", async () => {
	await using server = await startServer();
	server.intercept(({url}, response) => {
		if (!url.pathname.includes('/proxy/')) return false;
		if (url.pathname.includes('/n1/'))
			response.writeHead(200, {...head, 'content-encoding': 'gzip'}).end(bomb);
		else if (url.pathname.endsWith('configz')) answerJson(response, {kubeletconfig: {}});
		else answerJson(response, {node: {memory: {availableBytes: 1000, workingSetBytes: 7}}, pods: []});
		return true;
	});
	const {code, err, out, peak} = await run(['pressure', 'n1', 'n2', '-o', 'json', '-s', server.url]);
	expect(code).toBe(0);
	expect(`${err}${out}`).toMatch(/too large: it has more than 8 MiB/);
	expect(out).toContain('"n2"');
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux('a line of a watch without an end is given up, in little memory', async () => {
	await using server = await startServer();
	let watches = 0;
	const again = Promise.withResolvers<void>();
	server.intercept(({url, resource}, response) => {
		if (resource !== 'nodes' || !url.searchParams.has('watch')) return false;
		if (++watches === 3) again.resolve();
		writeForEver(response.writeHead(200, head), '{"type":"', megabyte);
		return true;
	});
	const running = run(['nodes', '-w', '-v=6', '-s', server.url], () => watches >= 3);
	await again.promise;
	expect((await running).peak).toBeLessThan(mostMegabytes);
});

/** Follows nodes of which a watch brings ever more, until the program says why it gives up. */
function watchEndless(server: FakeApiServer, next: () => string, said: string) {
	server.intercept(({url, resource}, response) => {
		if (resource !== 'nodes' || !url.searchParams.has('watch')) return false;
		writeForEver(response.writeHead(200, head), next(), next);
		return true;
	});
	return run(['nodes', '-w', '-o', 'name', '-s', server.url], (text) => text.includes(said));
}

onLinux('a watch of ever new nodes is an error, in little memory', async () => {
	await using server = await startServer();
	let count = 0;
	const newNodes = () =>
		Array.from(
			{length: 100},
			() => `${JSON.stringify({type: 'ADDED', object: rawNode(`new-${++count}`)})}\n`,
		).join('');
	const {err, peak} = await watchEndless(server, newNodes, 'has no end');
	expect(err).toContain('NodesUnreadable: the watch at /api/v1/nodes has no end');
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux.for([
	{name: 'new nodes of 3.5 MB', each: 3_500_000},
	{name: 'new nodes of 200 KB', each: 200_000},
])('a watch of $name is an error, in little memory', async ({each}) => {
	await using server = await startServer();
	let count = 0;
	const newNode = () => {
		const node = rawNode(`new-${++count}`);
		const labels = Object.fromEntries(
			Array.from({length: 1000}, (_, index) => [`l${index}`, String(count).padEnd(each / 1000, 'x')]),
		);
		return `${JSON.stringify({type: 'ADDED', object: {...node, metadata: {...node.metadata, labels}}})}\n`;
	};
	const {err, peak} = await watchEndless(server, newNode, 'is too large');
	expect(err).toContain('NodesUnreadable: the watch at /api/v1/nodes is too large: its objects exceed');
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux('a device without an end is no dump', async () => {
	const {code, err, peak} = await run(['pods', '-f', '/dev/zero']);
	expect(code).toBe(1);
	expect(err).toContain('/dev/zero is neither JSON nor YAML, but binary');
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux('what is written for ever is no dump', async () => {
	const {code, err, peak} = await run(['nodes', '-f', '-'], () => false, 'y\n'.repeat(2 ** 15));
	expect(code).toBe(1);
	expect(err).toContain('standard input is no dump');
	expect(peak).toBeLessThan(mostMegabytes);
});

onLinux("a kubelet with millions of pods stays that node's, in little memory", async () => {
	await using server = await startServer();
	server.intercept(({url}, response) => {
		if (!url.pathname.includes('/proxy/stats')) return false;
		response.writeHead(200, head).end(`{"node":{},"pods":[${'{},'.repeat(2_500_000)}{}]}`);
		return true;
	});
	const {code, err, out, peak} = await run(['pressure', 'n1', '-o', 'json', '-s', server.url]);
	expect(code).toBe(0);
	expect(`${err}${out}`).toMatch(/too large: it has more than 8 MiB, or as many values/);
	expect(peak).toBeLessThan(mostMegabytes);
});
