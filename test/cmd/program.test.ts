import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {build} from '../../scripts/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-program-'));
const program = join(folder, 'dist', 'kubectl-evictwatch');

beforeAll(() => build(dirname(program)));
afterAll(() => rmSync(folder, {recursive: true}));

type Result = {code: number | null; out: string; err: string};

/** Runs the built program in an empty folder, with nothing of the user's around it. */
function run(args: readonly string[], {file = program, path = dirname(process.execPath)} = {}) {
	const env = {PATH: `${path}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: join(folder, 'no-config')};
	return new Promise<Result>((resolve) => {
		const child = execFile(file, args, {env, cwd: folder}, (_, out, err) =>
			resolve({code: child.exitCode, out, err}),
		);
	});
}

test('--help explains the plugin as a part of kubectl', async () => {
	const {code, out, err} = await run(['--help']);
	expect({code, err}).toEqual({code: 0, err: ''});
	expect(out).toMatch(/^Predict which pods an outage evicts next, when, and why\.\n/);
	expect(out).toContain('\n\nExamples:\n  # Show the pods');
	expect(out).toContain("    -n, --namespace='':\n\tThe namespace scope for this request.\n");
	expect(out).toMatch(/\n\nUsage:\n {2}kubectl evictwatch \[COMMAND\] \[NAME\.\.\.\] \[flags\]\n$/);
});

test('help of a command has its usage', async () => {
	const [long, word] = [await run(['pods', '--help']), await run(['help', 'po'])];
	expect(long.out).toMatch(/^Show which pods go next, when, and why\.\n\nExamples:\n/);
	expect(word).toEqual(long);
});

test('--version', async () => {
	expect(await run(['--version'])).toEqual({code: 0, out: 'Client Version: v0.1.0\n', err: ''});
});

test.for([
	{args: ['--foo'], err: "error: unknown flag: --foo\nSee 'kubectl evictwatch --help' for usage.\n"},
	{
		args: ['pdos'],
		err: 'error: unknown command "pdos"; did you mean "pods"?\nSee \'kubectl evictwatch --help\' for usage.\n',
	},
])('$args is an error on stderr, and the exit code 1', async ({args, err}) => {
	expect(await run(args)).toEqual({code: 1, out: '', err});
});

test('a reader that goes away is no failure', async () => {
	const child = spawn(program, ['--help'], {env: {PATH: `${dirname(process.execPath)}:/usr/bin:/bin`}});
	child.stdout.destroy();
	expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
});

test('it is found through symlinks, relative ones too', async () => {
	symlinkSync('dist/kubectl-evictwatch', join(folder, 'relative'));
	symlinkSync(join(folder, 'relative'), join(folder, 'absolute'));
	expect(await run(['--version'], {file: join(folder, 'absolute')})).toMatchObject({code: 0});
});

test.for([
	{name: 'an old Node.js', script: '#!/bin/sh\necho v20.20.2\n'},
	{name: 'something else of that name', script: '#!/bin/sh\necho node of an overlay network\n'},
])('with $name alone, one line says what is needed', async ({script}) => {
	const path = mkdtempSync(join(folder, 'old-'));
	writeFileSync(join(path, 'node'), script, {mode: 0o755});
	expect(await run(['--version'], {path})).toEqual({
		code: 1,
		out: '',
		err: 'error: kubectl evictwatch needs Node.js 22.19 or newer, and found none on PATH\n',
	});
});

test('demo --serve serves a cluster on loopback until it is told to stop', async () => {
	const child = spawn(program, ['demo', 'rack-dies', '--serve', '0'], {
		env: {PATH: `${dirname(process.execPath)}:/usr/bin:/bin`},
	});
	const [greeting] = await once(child.stdout, 'data');
	expect(String(greeting)).toMatch(
		/^rack-dies: .*\nServing on http:\/\/127\.0\.0\.1:\d+; in another shell:\n/,
	);
	const [, url = ''] = /Serving on (\S+);/.exec(String(greeting)) ?? [];
	expect(await (await fetch(`${url}/version`)).json()).toMatchObject({gitVersion: 'v1.36.3'});
	child.kill('SIGINT');
	expect(await once(child, 'close')).toEqual([0, null]);
});

test.for([
	{
		args: ['demo', 'node-deis', '--serve'],
		err: /^error: unknown scenario "node-deis"; did you mean "node-dies"\?\nchoose one of: node-dies, rack-dies, .*\n$/,
	},
	{
		args: ['demo', '--serve=x'],
		err: /^error: invalid argument "x" for "--serve" flag: want a port, 0 to 65535\n/,
	},
	{args: ['demo', 'a', 'b', '--serve'], err: /^error: demo plays one scenario, not 2\n/},
])('$args is refused', async ({args, err}) => {
	const result = await run(args);
	expect({code: result.code, out: result.out}).toEqual({code: 1, out: ''});
	expect(result.err).toMatch(err);
});
