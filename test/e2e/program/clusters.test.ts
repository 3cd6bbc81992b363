import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {builtProgram} from '../../support/builtProgram.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

// Three clusters, each served by its own process, and an address that accepts connections and never answers.

const {path: folder} = testFolder();
const env = {PATH: barePath, HOME: folder, KUBECONFIG: join(folder, 'config')};
const scenarios = {a: 'node-dies', b: 'partial-small-zone', c: 'zone-dies'} as const;
const demos = new Map<string, ChildProcess>();
const silent = createServer();

const start = (args: readonly string[]) =>
	spawn(builtProgram, args, {env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});

/** The lines of a program as they arrive. */
const linesOf = (child: ChildProcess) => {
	const lines: string[] = [];
	let wake = Promise.withResolvers<void>();
	for (const stream of [child.stdout, child.stderr]) {
		if (!stream) continue;
		createInterface({input: stream}).on('line', (line) => {
			lines.push(line);
			wake.resolve();
			wake = Promise.withResolvers();
		});
	}
	return {
		lines,
		until: async (pattern: RegExp): Promise<string> => {
			for (let next = 0; ; next++) {
				while (next >= lines.length) await wake.promise;
				const line = lines[next] ?? '';
				if (pattern.test(line)) return line;
			}
		},
	};
};

beforeAll(async () => {
	silent.listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const servers = new Map([['dead', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`]]);
	for (const [name, scenario] of Object.entries(scenarios)) {
		const demo = start(['demo', scenario, '--serve', '0']);
		demos.set(name, demo);
		const line = await linesOf(demo).until(/^Serving on http/);
		servers.set(name, /http:[^;]+/.exec(line)?.[0] ?? '');
	}
	const clusters = [...servers].map(([name, server]) => ({name, cluster: {server}}));
	const contexts = [...servers.keys()].map((name) => ({name, context: {cluster: name, user: ''}}));
	writeFileSync(join(folder, 'config'), JSON.stringify({clusters, contexts}));
}, 60_000);
afterAll(() => {
	for (const demo of demos.values()) demo.kill('SIGKILL');
	silent.close();
});

/** Prints clusters once: the output, and the duration in milliseconds. */
async function look(...which: readonly string[]) {
	const begun = performance.now();
	const child = start(['clusters', ...which]);
	const {lines} = linesOf(child);
	const [code] = await once(child, 'close');
	expect(code).toBe(0);
	return {lines, took: performance.now() - begun};
}

/** The timeout for a cluster that does not answer, in milliseconds. */
const patience = 1200;

// Retried for busy machines.
test('three clusters and a dead one are one frame within 2 s', {retry: 4}, async () => {
	const alive = await look('--contexts', 'a,b,c');
	const {lines, took} = await look('--all-contexts');
	const rows = lines.map((line) => line.split(/ {3,}/));
	expect(rows[0]?.slice(0, 3)).toEqual(['CONTEXT', 'STATUS', 'READY']);
	const status = new Map(rows.slice(1, 5).map(([name = '', text]) => [name, text]));
	expect(Object.fromEntries(status)).toEqual({
		...{a: 'Reachable', b: 'Reachable', c: 'Reachable'},
		dead: 'Unreachable',
	});
	expect(lines.join('\n')).toMatch(
		/Warning: .*dead: the server 127\.0\.0\.1:\d+ did not answer within 1\.2s/,
	);
	// On a busy machine the healthy clusters take longer as well.
	expect(took).toBeLessThan(Math.max(2000, patience + 1.5 * alive.took));
});

test('a watch goes on with the others while one falls silent, says since when, and ctrl-c ends it', async () => {
	const child = start(['clusters', '--contexts', 'a,b', '-w']);
	const {until} = linesOf(child);
	await until(/ a +Reachable /);
	demos.get('b')?.kill('SIGKILL');
	await until(/ b +Unreachable since \d\d:\d\d:\d\d/);
	const exit = once(child, 'exit');
	child.kill('SIGINT');
	expect(await exit).toEqual([null, 'SIGINT']);
});
