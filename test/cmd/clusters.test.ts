import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {createServer as createHttpServer, request} from 'node:http';
import {type AddressInfo, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parse} from 'yaml';
import {run as runLine} from '../../cmd/run.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {type Demo, startDemo} from '../../src/demo/demo.ts';
import {ManualTimers} from '../demo/manualTimers.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedBy, printedFor} from './printed.ts';

const {path: folder} = testFolder();
const kubeconfig = join(folder, 'config');
const demos = new Map<string, Demo>();
/** A server that accepts connections and never answers, and one that no command requests. */
const [silent, unasked] = [createServer(), createServer()];
let connections = 0;
unasked.on('connection', () => {
	connections += 1;
});

/** A server that returns everything except the owners of pods. */
const ownerless = createHttpServer((asked, answer) => {
	if (asked.url?.startsWith('/apis/apps/')) return;
	const there = request(`${demos.get('lost')?.url}${asked.url}`, {headers: asked.headers}, (told) => {
		answer.writeHead(told.statusCode ?? 500, told.headers);
		told.pipe(answer);
	});
	there.end();
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A world that stops after some time. Its clock is days before ours. */
async function startAt(name: string, scenario: string, passed: number): Promise<void> {
	const found = demoScenario(scenario);
	const timers = new ManualTimers();
	const start = Date.UTC(2026, 0, 31, 14, 0, 0);
	const demo = await startDemo(found, {port: 0, clock: () => start + timers.now, timers, seed: 1});
	timers.advance(passed);
	demos.set(name, demo);
}

beforeAll(async () => {
	for (const server of [silent, unasked, ownerless]) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	}
	await startAt('lost', 'node-dies', 90 * second);
	await startAt('stopped', 'partial-small-zone', 2 * minute);
	await startAt('well', 'node-dies', second);
	const servers = new Map([...demos].map(([name, {url}]) => [name, url]));
	servers.set('dead', urlOf(silent)).set('unasked', urlOf(unasked)).set('ownerless', urlOf(ownerless));
	// Nothing listens on this port.
	servers.set('closed', 'http://127.0.0.1:1');
	const entries = [...servers];
	writeFileSync(
		kubeconfig,
		JSON.stringify({
			'current-context': 'lost',
			clusters: entries.map(([name, server]) => ({name, cluster: {server}})),
			contexts: entries.map(([name]) => ({name, context: {cluster: name, user: ''}})),
		}),
	);
});
afterAll(async () => {
	for (const demo of demos.values()) await demo.close();
	silent.close();
	unasked.close();
	ownerless.close();
});

/** @param limit the silence timeout; long if all servers answer, because this machine may be busy */
async function run(line: string, limit = line.includes('dead') || line.includes('unasked') ? '5s' : '20s') {
	const words = `${line} --kubeconfig ${kubeconfig} --request-timeout=${limit}`.split(' ');
	return printedBy((terminal) => runLine(words, terminal));
}

const jsonOf = async (line: string) => JSON.parse((await run(`${line} -o json`)).out);

type Item = {readonly metadata: {readonly name: string}; readonly [field: string]: unknown};

test('each cluster is summed up as its own commands tell it, also by another clock than ours', async () => {
	const {items, metadata} = await jsonOf('clusters --contexts lost,stopped --contexts well');
	const reasons = metadata.problems.map(({reason}: {reason: string}) => reason);
	expect(reasons).toEqual(['ClockSkew', 'ClockSkew', 'ClockSkew']);
	// The cluster that loses pods first comes first.
	expect(items.map((one: Item) => one.metadata.name).at(-1)).toBe('well');
	for (const item of items) {
		const {name, observedAt} = item.metadata;
		const pods = await jsonOf(`pods -A --context ${name}`);
		const nodes = await jsonOf(`nodes --context ${name}`);
		const zones = await jsonOf(`zones --context ${name}`);
		const going = pods.items.filter((pod: Item) =>
			['Scheduled', 'Expected', 'Overdue'].includes(String(pod['verdict'])),
		);
		const medians = going.map((pod: {eviction: {expected: string}}) => Date.parse(pod.eviction.expected));
		const until = Date.parse(observedAt) + 5 * minute;
		expect(Math.abs(Date.parse(observedAt) - Date.parse(pods.metadata.observedAt))).toBeLessThan(2 * second);
		expect(item).toMatchObject({
			status: 'Reachable',
			server: `${demos.get(name)?.url}/`,
			kubernetesVersion: 'v1.36.3',
			nodes: {
				all: nodes.items.length,
				ready: nodes.items.filter(({ready}: Item) => ready === 'True').length,
				// Between two looks at a busy demo a node may be late for a moment: the nets compare that in virtual time.
				silent: nodes.items.filter(({verdict}: Item) => verdict === 'Silent').length,
			},
			zones: {
				all: zones.items.length,
				stopped: zones.items.filter(({rate}: Item) => rate === 0).map(({zone}: Item) => zone),
			},
			evictions: {all: going.length, within5Minutes: medians.filter((at: number) => at <= until).length},
		});
	}
});

test('silent nodes are told beside the ready ones, as zones tells them', async () => {
	await startAt('silent', 'rack-dies', 50 * second);
	const server = demos.get('silent')?.url;
	const {out} = await printedFor('clusters', '-s', String(server));
	expect(out).toMatch(/13\/13, but 2 silent +0\/4/);
});

test('a node that died shows what it costs, and when', async () => {
	const {items} = await jsonOf('clusters');
	const [{evictions, workloads, nodes}] = items;
	expect(items).toHaveLength(1);
	expect(nodes).toMatchObject({all: 13, ready: 12, silent: 0});
	expect(evictions.all).toBeGreaterThan(1);
	expect(Date.parse(evictions.first.expected)).toBeLessThan(Date.parse(evictions.last.expected));
	const names = workloads.toZero.map(({kind, name}: {kind: string; name: string}) => `${kind}/${name}`);
	expect(names).toContain('Pod/import-prices');
	expect(workloads.unknown).toBe(0);
});

// These wait for servers that never answer, so they run concurrently.
test.concurrent('one that says nothing, and one that nobody listens at, are named; the others are told as ever', async () => {
	const {exitCode, out, err} = await run('clusters --contexts dead,lost,closed');
	expect(exitCode).toBe(0);
	const rows = out
		.trimEnd()
		.split('\n')
		.map((row) => row.split(/ {3,}/));
	expect(rows[0]).toEqual('CONTEXT STATUS READY STOPPED-ZONES WITHIN-5M TO-ZERO FIRST LAST'.split(' '));
	expect(rows.slice(1).map(([name, status]) => [name, status])).toEqual([
		['lost', 'Reachable'],
		['closed', 'Unreachable'],
		['dead', 'Unreachable'],
	]);
	expect(rows[2]?.slice(2)).toEqual(Array(6).fill('-'));
	const {host} = new URL(urlOf(silent));
	// The request's own timeout may be first.
	expect(err).toMatch(new RegExp(`dead: the server ${host} did not answer (in time|within 5s)`));
	expect(err).toContain('closed: nothing listens at 127.0.0.1:1');
});

test.concurrent('where none answers, it fails as any command does', async () => {
	expect((await run('clusters --contexts closed')).exitCode).toBe(1);
});

// A world that stands still grows silent while other tests delay the answer, so these run alone.
test.for([
	['--contexts well,lost', 2],
	['--contexts well', 0],
] as const)('--exit-code with %s', async ([contexts, expected]) => {
	const {exitCode, out, err} = await run(`clusters ${contexts} --exit-code`);
	expect(exitCode, out + err).toBe(expected);
});

test.concurrent.for([
	['--contexts well,dead', 1],
	['--contexts dead,lost', 2],
] as const)('--exit-code with %s', async ([contexts, expected]) => {
	const {exitCode, out, err} = await run(`clusters ${contexts} --exit-code`);
	expect(exitCode, out + err).toBe(expected);
});

test.concurrent('where owners are not told, what is foreseen is, with a problem', async () => {
	const {exitCode, out, err} = await run('clusters --contexts ownerless --exit-code', '3s');
	expect(err).toMatch(/ownerless: what owns the pods in trouble is not known: .* did not answer/);
	expect(out).toMatch(/^ownerless +Reachable +12\/13/m);
	expect(exitCode).toBe(2);
});

test('no context is contacted that was not asked for', async () => {
	await run('clusters --contexts lost,well');
	expect(connections).toBe(0);
});

test.concurrent('one that is asked for is contacted', async () => {
	await run('clusters --contexts unasked');
	expect(connections).toBeGreaterThan(0);
});

test.concurrent('all contexts are all that there are', async () => {
	const {items} = JSON.parse((await run('clusters --all-contexts -o json', '3s')).out);
	expect(items.map((one: Item) => one.metadata.name).toSorted()).toEqual([
		'closed',
		'dead',
		'lost',
		'ownerless',
		'stopped',
		'unasked',
		'well',
	]);
});

test('what is printed in one form is printed in each', async () => {
	const line = 'clusters --contexts lost,stopped,well,closed';
	const json = await jsonOf(line);
	expect(flawsOf(json)).toEqual([]);
	// The worlds stand still while our clock advances, so their order may change.
	const names = (list: {items: readonly Item[]}) => list.items.map(({metadata}) => metadata.name).toSorted();
	expect(names(parse((await run(`${line} -o yaml`)).out))).toEqual(names(json));
	expect(names(parse((await run(`${line} -o kyaml`)).out))).toEqual(names(json));
	expect((await run(`${line} -o name`)).out.trim().split('\n').toSorted()).toEqual(
		names(json).map((name) => `cluster/${name}`),
	);
	expect((await run(`${line} -o jsonpath={.items[*].status}`)).out).toBe(
		'Reachable Reachable Unreachable Reachable',
	);
	const columns = (await run(`${line} -o custom-columns=N:.metadata.name --no-headers`)).out;
	expect(columns.trim().split('\n').toSorted()).toEqual(names(json));
	const wide = (await run(`${line} -o wide --sort-by .metadata.name`)).out.split('\n');
	expect(wide[0]).toMatch(/LAST +SERVER +VERSION +HEARD +PROBLEMS$/);
	expect(wide.slice(1, 5).map((row) => row.split(' ')[0])).toEqual(['closed', 'lost', 'stopped', 'well']);
});

test.for([
	['clusters lost', 'clusters takes no arguments'],
	['clusters --contexts lots', 'context "lots" does not exist in the kubeconfig'],
	['clusters --contexts lost --all-contexts', 'cannot be used together'],
	['clusters --contexts lost --context well', '--contexts cannot be used with --context'],
	['clusters --all-contexts -s http://127.0.0.1:1', '--all-contexts cannot be used with --server'],
] as const)('%s: %s', async ([line, message]) => {
	await expect(run(line)).rejects.toThrow(message);
});
