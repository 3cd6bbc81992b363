import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

const hour = 60 * minute;

type Page = {
	readonly status?: number;
	/** How far its Date header is ahead of virtual time. */
	readonly ahead?: number;
	readonly headers?: Readonly<Record<string, string>>;
};

/** The header that kube-apiserver sets on every response since v1.21. */
const marked = {'audit-id': '2d3fb1a0-9d2c-4f0e-8f6b-6d1f6a1c0b11'};
const right: Page = {headers: marked};
const off: Page = {headers: marked, ahead: 72 * hour};

/** The correction of the cluster's clock after these responses, one per second. */
async function movedBy(
	pages: readonly Page[],
	ask: (cluster: Cluster) => Promise<unknown> = (cluster) => cluster.version(),
): Promise<number> {
	let now = Date.UTC(2026, 0, 1);
	const left = [...pages];
	const server = createServer((_, response) => answer(response, now, left.shift() ?? {}));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cluster = await connect({server: url}, bareEnvironment(), instantTiming({now: () => now}));
	for (const _ of pages) {
		await ask(cluster).catch(() => undefined);
		now += second;
	}
	const moved = cluster.now() - now;
	await cluster.close();
	await new Promise((resolve) => server.close(resolve));
	expect(left).toEqual([]);
	return moved;
}

function answer(response: ServerResponse, now: number, {status = 200, ahead = 0, headers}: Page): void {
	const date = new Date(now + ahead).toUTCString();
	response.writeHead(status, {'content-type': 'application/json', date, ...headers});
	response.end('{"gitVersion":"v1.36.3"}');
}

const page = {'content-type': 'text/html'};
const flowSchema = {'x-kubernetes-pf-flowschema-uid': '7c1f6a0e-55a8-4a40-8d3e-0c6c5e7d5b21'};
const protobuf = {'content-type': 'application/vnd.kubernetes.protobuf'};

test.for<{name: string; pages: readonly Page[]; moved: boolean}>([
	{name: '503 pages of a proxy', pages: Array(4).fill({...off, status: 503, headers: page}), moved: false},
	{name: 'log-in pages', pages: Array(4).fill({...off, headers: page}), moved: false},
	{
		name: 'refusals of a load balancer',
		pages: Array(4).fill({...off, status: 403, headers: page}),
		moved: false,
	},
	{name: 'server errors, even marked', pages: Array(4).fill({...off, status: 503}), moved: false},
	{name: 'one first answer', pages: [off], moved: false},
	{name: 'one answer among others', pages: [right, right, off, right, right], moved: false},
	{
		name: 'answers that differ from each other',
		pages: [right, right, off, {...off, ahead: -hour}],
		moved: false,
	},
	{name: 'two that agree, from the start', pages: [off, off], moved: true},
	{name: 'two that agree, later', pages: [right, right, right, off, off], moved: true},
	{name: 'refusals of the API server', pages: Array(2).fill({...off, status: 403}), moved: true},
	{name: 'answers of v1.20', pages: Array(2).fill({...off, headers: flowSchema}), moved: true},
	{name: 'answers of v1.16', pages: Array(2).fill({...off, headers: protobuf}), moved: true},
])('whether the clock is moved by $name: $moved', async ({pages, moved}) => {
	const by = await movedBy(pages);
	expect(Math.abs(by - (moved ? 72 * hour : 0))).toBeLessThanOrEqual(second);
});

test('a kubelet whose clock is wrong moves nothing: the API server hands on its headers', async () => {
	const pages = Array<Page>(4).fill(off);
	expect(await movedBy(pages, (cluster) => cluster.kubeletConfig('n1'))).toBe(0);
});
