import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {build} from '../../../scripts/build.ts';

// The built program with a credential plugin that never answers, and ignores that it is asked to end.

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-hanging-'));
const program = join(folder, 'kubectl-evictwatch');
const env = {
	...{PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, TERM: 'xterm-256color'},
	...{LANG: 'C.UTF-8', XDG_CACHE_HOME: join(folder, 'cache'), KUBECONFIG: join(folder, 'config')},
};
const pidFile = join(folder, 'pid');
const plugin = `#!/bin/sh
trap '' TERM INT HUP
echo $$ >"${pidFile}"
while :; do sleep 0.1; done
`;

beforeAll(async () => {
	await build(folder);
	writeFileSync(join(folder, 'login'), plugin, {mode: 0o755});
	const exec = {
		apiVersion: 'client.authentication.k8s.io/v1',
		command: join(folder, 'login'),
		interactiveMode: 'IfAvailable',
	};
	writeFileSync(
		env.KUBECONFIG,
		JSON.stringify({
			'current-context': 'c',
			clusters: [{name: 'c', cluster: {server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true}}],
			users: [{name: 'u', user: {exec}}],
			contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
		}),
	);
}, 60_000);
afterAll(() => rmSync(folder, {recursive: true}));

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

describe.skipIf(process.platform === 'win32')('a credential plugin that hangs', {timeout: 240_000}, () => {
	test.for([
		{args: ['pods', '-w'], signal: 'SIGTERM'},
		{args: ['pods'], signal: 'SIGTERM'},
		{args: ['nodes', '-w'], signal: 'SIGINT'},
		{args: ['shadow'], signal: 'SIGTERM'},
		{args: ['record', join(folder, 'r.jsonl')], signal: 'SIGTERM'},
	] as const)('keeps $args from nothing: $signal ends both at once', async ({args, signal}) => {
		rmSync(pidFile, {force: true});
		const child = spawn(program, [...args], {env, stdio: 'ignore'});
		await expect
			.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8'), {timeout: 100_000})
			.toBeTruthy();
		const pid = Number(readFileSync(pidFile, 'utf8'));
		const [askedAt, ended] = [Date.now(), once(child, 'exit')];
		child.kill(signal);
		await ended;
		// Half a second is the plugin's, to end by itself.
		expect(Date.now() - askedAt).toBeLessThan(5000);
		await expect.poll(() => isRunning(pid), {timeout: 5000}).toBe(false);
	});
});
