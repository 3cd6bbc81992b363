import {mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {constants} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {startDemo} from '../../../src/demo/demo.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = builtProgram;
const calm = {...demoScenario('node-dies'), steps: []};
const env = {
	...{
		PATH: barePath,
		HOME: folder,
		TERM: 'xterm-256color',
		LANG: 'C.UTF-8',
	},
	...{KUBECONFIG: join(folder, 'none'), PS1: 'prompt> '},
};

/** Runs the program, and prints the terminal's modes before and after it. */
const between = (args: string, more: Readonly<Record<string, string>> = {}) =>
	new PtyProgram('/bin/sh', ['-c', `stty -g; ${program} ${args}; echo "code $?"; stty -g`], {
		...env,
		...more,
	});

function expectRestored({written}: PtyProgram): void {
	const modes = written.match(/^[\da-f]+(:[\da-f]+){5,}/gm) ?? [];
	expect(modes).toHaveLength(2);
	expect(modes[1]).toBe(modes[0]);
	expect(written.split('\x1b[?1049h').length).toBe(written.split('\x1b[?1049l').length);
	expect(written.lastIndexOf('\x1b[?25h')).toBeGreaterThan(written.lastIndexOf('\x1b[?25l'));
	expect(written.split('\x1b[?2026h').length).toBe(written.split('\x1b[?2026l').length);
}

describe.skipIf(process.platform === 'win32')('on a terminal', () => {
	test('the demo has a menu, views, help and a way back, and leaves the terminal as it was', async () => {
		const run = between('demo --speed 30');
		expect(await run.shows(/choose an outage/)).toContain('▸ node-dies');
		run.type('j');
		run.type('\x1b[B');
		await run.shows(/▸ zone-dies/);
		run.type('\r');
		expect(await run.shows(/NEXT EVICTIONS/)).toMatch(/demo: zone-dies {2}● live/);
		run.type('3');
		await run.shows(/NODES 13/);
		run.type('?');
		await run.shows(/HELP/);
		run.type('\x1b');
		await run.shows(/NODES 13/);
		run.type(':po');
		await run.shows(/:pods/);
		run.type('\r');
		await run.shows(/PODS \d+/);
		run.type('/cart-1\r');
		// The pod appears once its node's problem is detected.
		await run.shows(/▸[^\n]*cart-1[\s\S]*filter cart-1/);
		run.type('\r');
		await run.shows(/What you can do:/);
		run.type('\r');
		await run.shows(/WHY/);
		run.type('m');
		await run.shows(/choose an outage/);
		run.type('q');
		await run.exited;
		expect(run.written).toContain('code 0');
		expectRestored(run);
	});

	test('the theme suits the background, and a key that is typed before the first frame is kept', async () => {
		const [light, dark] = [between('demo node-dies'), between('demo node-dies')];
		light.background = 'rgb:ffff/ffff/ffff';
		for (const [run, color] of [
			[light, 24],
			[dark, 110],
		] as const) {
			await run.writes(/:\w+\r?\n/);
			run.type('3');
			await run.shows(/NODES \d+/);
			// A terminal may answer after the first frame, which is drawn anew then.
			await run.writes(new RegExp(`\\[38;5;${color}m NODE`));
			run.type('q');
			await run.exited;
			expectRestored(run);
			// The answer is read, and not drawn.
			expect(run.written).not.toContain('^[]11');
		}
		expect(dark.written).not.toContain('[38;5;24m NODE');
	});

	test('it follows the size of the terminal', async () => {
		const run = between('demo node-dies');
		await run.shows(/NEXT 10 MIN/);
		run.resize(60, 15);
		const small = await run.shows(/^(?![\s\S]*NEXT 10 MIN)[\s\S]*: view {2}\? help/);
		expect(small.split('\n').every((line) => line.length <= 60)).toBe(true);
		run.resize(200, 50);
		await run.shows(/NEXT 10 MIN[\s\S]*each column 5s/);
		run.type('\x03');
		await run.exited;
		expect(run.written).toContain('code 0');
		expectRestored(run);
	});

	test.for([
		{signal: 'SIGTERM', code: 143},
		{signal: 'SIGHUP', code: 129},
		{signal: 'SIGQUIT', code: 131},
		{signal: 'SIGUSR2', code: 128 + constants.signals.SIGUSR2},
		{signal: 'SIGINT', code: 130},
	] as const)('$signal gives the terminal back, and is the exit code', async ({signal, code}) => {
		const line = `${program} demo node-dies & echo "pid $!"; fg %1 >/dev/null; echo "code $?"`;
		const run = new PtyProgram('/bin/bash', ['--norc', '-c', `set -m; stty -g; ${line}; stty -g`], env);
		await run.shows(/NEXT 10 MIN/);
		const [, pid] = /pid (\d+)/.exec(run.written) ?? [];
		process.kill(Number(pid), signal);
		await run.writes(new RegExp(`code ${code}`));
		await run.exited;
		expectRestored(run);
	});

	test('ctrl-z gives the terminal to the shell, and fg brings the screen back', async () => {
		const run = new PtyProgram('/bin/bash', ['--norc', '-i'], env);
		await run.shows(/prompt>/);
		run.type(`stty -g; ${program} demo node-dies; stty -g\r`);
		await run.shows(/NEXT 10 MIN/);
		run.type('\x1a');
		await run.writes(/Stopped/);
		await run.shows(/prompt>$/m);
		run.type('echo still $((40 + 2))\r');
		await run.shows(/still 42/);
		run.type('fg\r');
		await run.shows(/NEXT 10 MIN/);
		run.type('q');
		await run.shows(/still 42[\s\S]*prompt>$/m);
		run.type('exit\r');
		await run.exited;
		expect(run.written.split('\x1b[?1049h').length).toBe(run.written.split('\x1b[?1049l').length);
	});

	test('without a command it is the dashboard of a cluster', async () => {
		const server = await startDemo(calm, {port: 0, clock: Date.now, seed: 1});
		const run = between(`-s ${server.url}`);
		try {
			expect(await run.shows(/All 13 nodes are well|all 13 nodes are well/)).toContain('● live');
			await server.close();
			await run.shows(/disconnected for[\s\S]*Data from/);
			run.type('q');
			await run.exited;
			expectRestored(run);
		} finally {
			await server.close();
		}
	});

	test('a cluster that cannot be read is an error on the terminal as it was', async () => {
		const run = between('-s http://127.0.0.1:1');
		await run.exited;
		expect(run.written).toMatch(/error: .*127\.0\.0\.1:1/);
		expect(run.written).toContain('code 1');
		expect(run.written).not.toContain('\x1b[?1049h');
	});

	test.for([
		{name: 'a terminal whose cursor cannot be moved', args: '', more: {TERM: 'dumb'}},
		{name: 'a pipe', args: '| cat', more: {}},
		{name: 'an input that is no terminal', args: '</dev/null', more: {}},
		{name: 'an output format', args: '-o wide', more: {}},
	])('$name gets a table, once', async ({args, more}) => {
		const server = await startDemo(calm, {port: 0, clock: Date.now, seed: 1});
		try {
			const run = between(`-s ${server.url} ${args}`, more);
			await run.exited;
			expect(run.written).toContain('No evictions expected; memory and disk of 13 nodes were not queried.');
			expect(run.written).toContain('code 0');
			expect(run.written).not.toContain('\x1b[?');
		} finally {
			await server.close();
		}
	});

	test('colours and signs are what the terminal can show', async () => {
		const run = between('demo node-dies', {NO_COLOR: '1', LANG: 'C'});
		const text = await run.shows(/NEXT 10 MIN/);
		run.type('q');
		await run.exited;
		expect(text).toContain('* live');
		expect(run.written).not.toMatch(/[\u0080-\uffff]/);
		expect(run.written).not.toMatch(/\[(3[0-8]|4[0-8]|9\d)(;\d+)*m/);
	});

	test('--no-alt-screen leaves its last picture', async () => {
		const run = between('demo node-dies --no-alt-screen');
		await run.shows(/NEXT 10 MIN/);
		run.type('q');
		await run.exited;
		expect(run.written).not.toContain('\x1b[?1049h');
		expect(run.text()).toContain('NEXT 10 MIN');
	});

	test('a configuration chooses a time zone; of a wrong one it is warned, and it is left out', async () => {
		const home = mkdtempSync(join(folder, 'home-'));
		mkdirSync(join(home, 'evictwatch'));
		const file = join(home, 'evictwatch', 'config.yaml');
		writeFileSync(file, 'timeZone: Asia/Kolkata\n');
		const run = between('demo node-dies', {XDG_CONFIG_HOME: home});
		await run.shows(/Asia\/Kolkata[\s\S]*NEXT 10 MIN/);
		run.type('q');
		await run.exited;
		expect(run.written).toContain('code 0');
		writeFileSync(file, 'theme: pink\n');
		const wrong = between('demo node-dies', {XDG_CONFIG_HOME: home});
		await wrong.shows(/NEXT 10 MIN[\s\S]*\? help/);
		wrong.type('q');
		await wrong.exited;
		expect(wrong.written).toMatch(
			/Warning: no configuration loaded from .*config\.yaml: theme: unknown theme "pink"/,
		);
		expect(wrong.written).toContain('code 0');
	});
});
