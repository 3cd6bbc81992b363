import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Demo, startDemo} from '../../../src/demo/demo.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const env = {
	...{PATH: barePath, HOME: folder, TERM: 'xterm-256color'},
	...{LANG: 'C.UTF-8', KUBECONFIG: join(folder, 'config')},
};
const demos: Demo[] = [];
const silent = createServer();
let connections = 0;
silent.on('connection', () => {
	connections += 1;
});

beforeAll(async () => {
	silent.listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const servers = new Map([['gone', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`]]);
	for (const [name, scenario] of [
		['first', 'node-dies'],
		['second', 'zone-dies'],
	] as const) {
		const demo = await startDemo(demoScenario(scenario), {port: 0, clock: Date.now, seed: 1});
		demos.push(demo);
		servers.set(name, demo.url);
	}
	const clusters = [...servers].map(([name, server]) => ({name, cluster: {server}}));
	const contexts = [...servers.keys()].map((name) => ({name, context: {cluster: name, user: ''}}));
	writeFileSync(env.KUBECONFIG, JSON.stringify({'current-context': 'first', clusters, contexts}));
});
afterAll(async () => {
	for (const demo of demos) await demo.close();
	silent.close();
});

/** Matches a screen that shows a cluster without the menu. A key right after esc would be read as one with Alt. */
const isOpen = (name: string) => new RegExp(`^(?![\\s\\S]*choose a cluster)[\\s\\S]*${name} {2}● live`);

/** Opens a cluster from the menu. Its rows do not move while it is open. */
async function choose(run: PtyProgram, name: string): Promise<void> {
	run.type(':ctx\r');
	const menu = await run.shows(/choose a cluster[\s\S]*▸ +\w[\s\S]*q quit/);
	const rows = menu.split('\n');
	const steps =
		rows.findIndex((row) => row.slice(2).startsWith(`${name} `)) -
		rows.findIndex((row) => row.startsWith('▸ '));
	if (steps !== 0) run.type((steps > 0 ? 'j' : 'k').repeat(Math.abs(steps)));
	await run.shows(new RegExp(`^▸ +${name} `, 'm'));
	run.type('\r');
}

test('enter switches from one cluster to another, which keep their namespaces, and none is contacted unasked', async () => {
	const run = new PtyProgram(builtProgram, ['--contexts', 'first,second'], env, 150, 40);
	try {
		await run.shows(/first {2}● live/);
		run.type(':ctx\r');
		await run.shows(/choose a cluster[\s\S]*STATUS +READY/);
		// The cluster on the screen and the other watched one have numbers.
		await run.shows(/ first +Reachable +\d+\/13/);
		await run.shows(/ second +Reachable +\d+\/13/);
		await run.shows(/ gone +not queried/);
		expect(connections).toBe(0);
		run.type('\x1b');
		await run.shows(isOpen('first'));
		await choose(run, 'second');
		// Its pods are listed once problems of nodes are detected.
		await run.shows(/second {2}● live[\s\S]* shop\//);
		run.type('nshop\r');
		await run.shows(/namespace shop/);
		await choose(run, 'first');
		const again = await run.shows(/first {2}● live/);
		expect(again).not.toMatch(/namespace shop/);
		await choose(run, 'second');
		await run.shows(/second {2}● live[\s\S]*namespace shop/);
		// A cluster that does not answer is reported, and another can be chosen.
		await choose(run, 'gone');
		await run.shows(/gone: the server 127\.0\.0\.1:\d+ did not answer within 5s/);
		expect(connections).toBeGreaterThan(0);
		run.type('\x1b');
		await run.shows(isOpen('second'));
		run.type('q');
		expect(await run.exited).toMatchObject({exitCode: 0});
	} finally {
		run.kill('SIGKILL');
	}
});
