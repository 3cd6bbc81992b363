import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {build} from '../../../scripts/build.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {answerJson, FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../../support/rawObjects.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

// The built program, while another cluster replaces the one that it watches, at the same address.

const {path: folder} = testFolder();
const program = join(folder, 'kubectl-evictwatch');
const env = {
	...{PATH: barePath, HOME: folder, TERM: 'xterm-256color'},
	...{LANG: 'C.UTF-8', XDG_CACHE_HOME: join(folder, 'cache'), KUBECONFIG: join(folder, 'none')},
};
const running = new Set<ReturnType<typeof spawn>>();
let server: FakeApiServer;
let uid: string;
/** The nodes whose kubelets renew their leases. */
let alive: readonly string[];
let renewing: ReturnType<typeof setInterval>;

beforeAll(() => build(folder), 60_000);
beforeEach(async () => {
	server = await FakeApiServer.start();
	uid = 'uid-one';
	server.intercept(({url}, response) => {
		if (!url.pathname.endsWith('/namespaces/kube-system')) return false;
		answerJson(response, {kind: 'Namespace', metadata: {name: 'kube-system', uid}});
		return true;
	});
	alive = [];
	for (const name of ['old-1', 'old-2']) addNode(name);
	renewing = setInterval(() => alive.forEach(renew), 2000);
});
afterEach(async () => {
	clearInterval(renewing);
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	await server[Symbol.asyncDispose]();
});

function addNode(name: string): void {
	const now = new Date().toISOString();
	const condition = {type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now};
	server.apply('nodes', rawNode(name, {status: {conditions: [condition]}}));
	alive = [...alive, name];
	renew(name);
}

const renew = (name: string) =>
	server.apply('leases', rawLease('kube-node-lease', name, new Date().toISOString().replace('Z', '000Z')));

/** Replaces the cluster by another one, and closes all connections to it. */
function replace(): void {
	uid = 'uid-two';
	alive = [];
	for (const name of ['old-1', 'old-2']) {
		server.cutOff('nodes', name);
		server.cutOff('leases', `kube-node-lease/${name}`);
	}
	server.compact();
	for (const name of ['new-1', 'new-2', 'new-3']) addNode(name);
	server.cutWatches();
}

function start(...args: readonly string[]) {
	const child = spawn(program, [...args, '-s', server.url], {env, stdio: ['ignore', 'pipe', 'pipe']});
	running.add(child);
	const output = {out: '', err: ''};
	child.stdout.on('data', (chunk) => (output.out += String(chunk)));
	child.stderr.on('data', (chunk) => (output.err += String(chunk)));
	const shows = (text: RegExp, where: 'out' | 'err') =>
		expect.poll(() => output[where], {timeout: 100_000}).toMatch(text);
	return {child, output, shows};
}

const notice =
	/AnotherCluster: another cluster answers at 127\.0\.0\.1:\d+: .*uid-two, and was uid-one; evictwatch started over at/;

test('a watch says so, and begins again with the nodes of the other', async () => {
	const {output, shows} = start('nodes', '-w');
	await shows(/old-2/, 'out');
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(1);
	const before = output.out.length;
	replace();
	await shows(notice, 'err');
	await shows(/new-3/, 'out');
	// A new table, which does not mention the old nodes: this cluster has not lost them.
	expect(output.out.slice(before)).toMatch(/^TIME +NAME +VERDICT/);
	expect(output.out.slice(before)).not.toContain('old-');
});

test('a shadow says so, and follows the other', async () => {
	const {shows} = start('shadow');
	await shows(/Following 2 nodes/, 'err');
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(1);
	replace();
	await shows(notice, 'err');
	await shows(/Following 3 nodes/, 'err');
});

test('a recording ends with a line that says so, and the other has one of its own', async () => {
	const file = join(folder, 'r.jsonl');
	const {child, shows} = start('record', file);
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(1);
	replace();
	await shows(notice, 'err');
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(1);
	const ended = once(child, 'exit');
	child.kill('SIGINT');
	await ended;
	const [first, second] = ['r.jsonl', 'r-2.jsonl'].map((name) => readFileSync(join(folder, name), 'utf8'));
	expect(first).toMatch(/"kind":"Problems".*"AnotherCluster"/);
	expect(first).toContain('old-1');
	expect(first).not.toContain('new-1');
	expect(second).toContain('new-3');
	expect(second).not.toContain('old-1');
});

test.skipIf(process.platform === 'win32')('the dashboard shows the other, and says so', async () => {
	const dashboard = new PtyProgram(program, ['-s', server.url], env);
	await dashboard.shows(/all 2 nodes are well/i);
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(1);
	replace();
	expect(await dashboard.shows(/all 3 nodes are well/i)).toMatch(/AnotherCluster: another cluster answers/);
	dashboard.type('q');
	await dashboard.exited;
});
