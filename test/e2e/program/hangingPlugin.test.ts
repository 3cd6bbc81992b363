import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {build} from '../../../scripts/build.ts';
import {isRunning} from '../../support/isRunning.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

// The built program with a credential plugin that never answers and ignores SIGTERM.

const {path: folder} = testFolder();
const program = join(folder, 'kubectl-evictwatch');
const env = {
	...{PATH: barePath, HOME: folder, TERM: 'xterm-256color'},
	...{LANG: 'C.UTF-8', XDG_CACHE_HOME: join(folder, 'cache'), KUBECONFIG: join(folder, 'config')},
};
const pidFile = join(folder, 'pid');
const plugin = (firstAct: string) => `#!/bin/sh
trap '' TERM INT HUP
echo $$ >"${pidFile}"
${firstAct}
while :; do sleep 0.1; done
`;

beforeAll(async () => {
	await build(folder);
	writeFileSync(join(folder, 'login'), plugin(':'), {mode: 0o755});
	writeFileSync(join(folder, 'login-and-end'), plugin('kill -TERM $PPID'), {mode: 0o755});
	const user = (name: string, command: string) => {
		const [apiVersion, interactiveMode] = ['client.authentication.k8s.io/v1', 'IfAvailable'];
		return {name, user: {exec: {apiVersion, interactiveMode, command: join(folder, command)}}};
	};
	writeFileSync(
		env.KUBECONFIG,
		JSON.stringify({
			'current-context': 'c',
			clusters: [{name: 'c', cluster: {server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true}}],
			users: [user('u', 'login'), user('v', 'login-and-end')],
			contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
		}),
	);
}, 60_000);

function run(args: readonly string[], before: readonly string[] = []): ChildProcess {
	rmSync(pidFile, {force: true});
	const [command = program, ...rest] = [...before, program, ...args];
	return spawn(command, rest, {env, stdio: 'ignore'});
}

/** The first core that this process may run on. */
const firstCore = () =>
	/^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';

async function pluginPid(): Promise<number> {
	await expect
		.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8'), {timeout: 100_000})
		.toContain('\n');
	return Number(readFileSync(pidFile, 'utf8'));
}

describe.skipIf(process.platform === 'win32')('a credential plugin that hangs', () => {
	test.for([
		{args: ['pods', '-w'], signal: 'SIGTERM'},
		{args: ['pods'], signal: 'SIGTERM'},
		{args: ['nodes', '-w'], signal: 'SIGINT'},
		{args: ['shadow'], signal: 'SIGTERM'},
		{args: ['record', join(folder, 'r.jsonl')], signal: 'SIGTERM'},
	] as const)('keeps $args from nothing: $signal ends both at once', async ({args, signal}) => {
		const child = run(args);
		const pid = await pluginPid();
		const [askedAt, ended] = [Date.now(), once(child, 'exit')];
		child.kill(signal);
		await ended;
		// The plugin has half a second to end by itself.
		expect(Date.now() - askedAt).toBeLessThan(5000);
		await expect.poll(() => isRunning(pid), {timeout: 5000}).toBe(false);
	});

	// On one core, the plugin starts to run before the program runs again.
	const oneCore = process.platform === 'linux' ? ['taskset', '--cpu-list', firstCore()] : [];
	test.for([1, 2, 3, 4, 5])(
		'ends with a program that is ended while the plugin starts (run %i)',
		async () => {
			const child = run(['pods', '--user', 'v'], oneCore);
			const [, signal] = await once(child, 'exit');
			expect(signal).toBe('SIGTERM');
			const pid = await pluginPid();
			await expect.poll(() => isRunning(pid), {timeout: 5000}).toBe(false);
		},
	);
});
