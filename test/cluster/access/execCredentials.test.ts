import {chmodSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Timing} from '../../../src/async/timing.ts';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import {makeCredentials} from '../../../src/cluster/access/credentials.ts';
import type {Environment} from '../../../src/cluster/access/environment.ts';
import {readNames} from '../../../src/cluster/names.ts';
import {redact} from '../../../src/text/redact.ts';
import {isRunning} from '../../support/isRunning.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';

/** Of a certificate that nobody reads here. */
const authority = Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64');

const apiVersion = 'client.authentication.k8s.io/v1';

let folder: TemporaryFolder;
beforeEach(() => {
	folder = new TemporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** A plugin written in JavaScript, and what is around it; `runs` counts its runs. */
async function withPlugin(
	script: string,
	exec: object = {},
	{timing = {}, ...around}: Partial<Environment> & {readonly timing?: Partial<Timing>} = {},
) {
	const log = folder.write('runs', '');
	const plugin = folder.write(
		'plugin.mjs',
		`import {appendFileSync, readFileSync} from 'node:fs';
		appendFileSync(${JSON.stringify(log)}, 'x');
		const run = readFileSync(${JSON.stringify(log)}, 'utf8').length;
		const print = (status, version = ${JSON.stringify(apiVersion)}) =>
			console.log(JSON.stringify({apiVersion: version, kind: 'ExecCredential', status}));
		${script}`,
	);
	const user = {
		exec: {
			apiVersion,
			command: process.execPath,
			args: [plugin],
			installHint: 'get it here',
			interactiveMode: 'IfAvailable',
			...exec,
		},
	};
	const kubeconfig = folder.write('config', {
		'current-context': 'c',
		clusters: [{name: 'c', cluster: {server: 'https://api.test', 'certificate-authority-data': authority}}],
		users: [{name: 'u', user}],
		contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
	});
	const heard: string[] = [];
	const environment = bareEnvironment({showForeign: (text) => heard.push(text), ...around});
	const credentials = makeCredentials(
		await resolveAccess({kubeconfig}, environment),
		environment,
		instantTiming({now: () => 0, ...timing}),
	);
	return {kubeconfig, credentials, runs: () => readFileSync(log, 'utf8').length, heard};
}

test('requests at the same time share one run, later ones its result', async () => {
	const {credentials, runs} = await withPlugin(`print({token: 't' + run})`);
	const together = await Promise.all([credentials.current(), credentials.current(), credentials.current()]);
	expect([...together, await credentials.current()]).toEqual(Array(4).fill({authorization: 'Bearer t1'}));
	expect(runs()).toBe(1);
});

test('a credential is renewed a little before it expires', async () => {
	let now = Date.parse('2026-01-01T00:00:00Z');
	const script = `print({token: 't' + run, expirationTimestamp: '2026-01-01T00:01:00Z'})`;
	const {credentials} = await withPlugin(script, {}, {timing: {now: () => now}});
	await credentials.current();
	now += 49_000;
	expect(await credentials.current()).toEqual({authorization: 'Bearer t1'});
	now += 2000;
	expect(await credentials.current()).toEqual({authorization: 'Bearer t2'});
});

test('a credential that the server refuses is thrown away once', async () => {
	const {credentials, runs} = await withPlugin(`print({token: 't' + run})`);
	const refused = await credentials.current();
	credentials.discard(refused);
	expect(await credentials.current()).toEqual({authorization: 'Bearer t2'});
	credentials.discard(refused);
	await credentials.current();
	expect(runs()).toBe(2);
});

test('a plugin may hand out a client certificate', async () => {
	const script = `print({clientCertificateData: 'cert', clientKeyData: 'key'})`;
	const {credentials} = await withPlugin(script);
	expect(await credentials.current()).toEqual({certificate: {cert: 'cert', key: 'key'}});
});

test('the plugin is told its environment and the cluster, and v1beta1 is understood', async () => {
	const beta = 'client.authentication.k8s.io/v1beta1';
	const {credentials} = await withPlugin(
		`print({token: process.env.KUBERNETES_EXEC_INFO + process.env.REGION}, ${JSON.stringify(beta)})`,
		{apiVersion: beta, provideClusterInfo: true, env: [{name: 'REGION', value: 'eu'}]},
	);
	const {authorization} = await credentials.current();
	expect(authorization).toMatch(/eu$/);
	expect(JSON.parse(authorization?.slice('Bearer '.length, -2) ?? '')).toEqual({
		apiVersion: beta,
		kind: 'ExecCredential',
		spec: {
			interactive: false,
			cluster: {server: 'https://api.test', 'certificate-authority-data': authority},
		},
	});
});

test('what the plugin tells the user goes through', async () => {
	const {credentials, heard} = await withPlugin(`console.error('open the browser'); print({token: 't'})`);
	await credentials.current();
	expect(heard.join('')).toBe('open the browser\n');
});

test.for([
	{mode: 'Never', isInteractive: true, lent: 0, interactive: false},
	{mode: 'IfAvailable', isInteractive: true, lent: 1, interactive: true},
	{mode: 'IfAvailable', isInteractive: false, lent: 0, interactive: false},
	{mode: 'Always', isInteractive: true, lent: 1, interactive: true},
])(
	'with a terminal $isInteractive, a plugin of mode $mode borrows it $lent times',
	async ({mode, isInteractive, lent, interactive}) => {
		let loans = 0;
		const lendTerminal: Environment['lendTerminal'] = (use) => {
			loans++;
			return use();
		};
		const {credentials} = await withPlugin(
			`print({token: String(JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.interactive)})`,
			{interactiveMode: mode},
			{isInteractive, lendTerminal},
		);
		expect(await credentials.current()).toEqual({authorization: `Bearer ${interactive}`});
		expect(loans).toBe(lent);
	},
);

test.for([
	{
		name: 'one that fails, without its last words, which may hold a secret',
		script: `console.error('session expired\\nlog in'); process.exit(3)`,
		exec: {},
		message: /failed \(3\)$/,
	},
	{name: 'one that is killed', script: `process.kill(process.pid)`, exec: {}, message: /failed \(SIGTERM\)$/},
	{
		name: 'one that is not installed',
		script: '',
		exec: {command: 'no-such-plugin'},
		message: /no-such-plugin cannot be started: .*ENOENT/,
	},
	{name: 'one that prints no JSON', script: `console.log('hi')`, exec: {}, message: /did not print JSON/},
	{
		name: 'one that prints another version',
		script: `print({token: 't'}, 'client.authentication.k8s.io/v9')`,
		exec: {},
		message: /did not print an ExecCredential of client.authentication.k8s.io\/v1$/,
	},
	{name: 'one that prints no credential', script: `print({})`, exec: {}, message: /printed no credential/},
	{
		name: 'one of a version that nobody speaks',
		script: '',
		exec: {apiVersion: 'client.authentication.k8s.io/v1alpha1'},
		message: /speaks "client.authentication.k8s.io\/v1alpha1"/,
	},
	{
		name: 'one that must ask, where there is no terminal',
		script: '',
		exec: {interactiveMode: 'Always'},
		message: /there is no terminal/,
	},
])('a broken plugin is an error with its install hint: $name', async ({script, exec, message}) => {
	const {credentials} = await withPlugin(script, exec);
	await expect(credentials.current()).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(message),
		hint: 'get it here',
	});
});

test('a legacy auth provider is named, with what to use instead', async () => {
	const kubeconfig = folder.write('config', {
		users: [{name: 'u', user: {'auth-provider': {name: 'oidc'}}}],
		contexts: [{name: 'c', context: {user: 'u'}}],
	});
	const environment = bareEnvironment();
	const access = await resolveAccess({kubeconfig, context: 'c', server: 'https://api.test'}, environment);
	expect(() => makeCredentials(access, environment, instantTiming())).toThrow(
		expect.objectContaining({
			message: expect.stringContaining('the auth provider "oidc"'),
			hint: expect.stringContaining('oidc-login'),
		}),
	);
});

test('a credential that a plugin says before it hands it out is not shown, but what the user must do is', async () => {
	const {credentials, heard} = await withPlugin(
		`console.error('debug: got hush4711hush0815 at 2026-11-30T06:22:03Z');
		console.error('open https://login.test/device?flow=0123456789abcdef and enter the code ABCD-1234');
		print({token: 'hush4711hush0815'});`,
	);
	await credentials.current();
	expect(heard.join('')).toBe(
		'debug: got [removed] at 2026-11-30T06:22:03Z\n' +
			'open https://login.test/device?flow=0123456789abcdef and enter the code ABCD-1234\n',
	);
});

test('what a plugin says that hands out nothing is shown whole in the end', async () => {
	const {credentials, heard} = await withPlugin(
		`console.error('no such cluster: prod-eu-west-1b');
		process.exitCode = 1;`,
	);
	await expect(credentials.current()).rejects.toThrow(/failed \(1\)/);
	expect(heard.join('')).toBe('no such cluster: [removed]\nno such cluster: prod-eu-west-1b\n');
});

test('a plugin that prints a bare token does not show it either', async () => {
	const {credentials, heard} = await withPlugin(
		`console.error('debug: got hush0815hush4711');
		console.log('hush0815hush4711');`,
	);
	await expect(credentials.current()).rejects.toThrow('did not print JSON');
	expect(redact(heard.join(''))).not.toContain('hush0815');
});

const say = `console.error('debug: got hush4711hush0815');`;
const issue = `print({token: 'hush4711hush0815'});`;

test.for([
	{
		name: 'prints its credential and fails',
		script: `${say} ${issue} process.exitCode = 1;`,
		message: /\(1\)$/,
	},
	{
		name: 'prints something before',
		script: `${say} console.log('logged in'); ${issue}`,
		message: /not print JSON/,
	},
	{
		name: 'prints it in another version',
		script: `${say} print({token: 'hush4711hush0815'}, 'v9');`,
		message: /not print an ExecCredential/,
	},
	{
		name: 'prints more than it says',
		script: `${say} console.log('x-hush4711hush0815-x');`,
		message: /not print JSON/,
	},
	{name: 'is killed', script: `${say} process.kill(process.pid, 'SIGKILL');`, message: /\(SIGKILL\)$/},
])('a token that a plugin says which $name is not shown', async ({script, message}) => {
	const {credentials, heard} = await withPlugin(script);
	await expect(credentials.current()).rejects.toThrow(message);
	expect(heard.join('')).not.toContain('hush');
});

test('a token that a plugin printed before it failed is known when it only says it later', async () => {
	const script = `const token = 'late4711late0815';
		if (run === 1) print({token}); else console.error('cached: ' + token);
		process.exitCode = 1;`;
	const {credentials, heard} = await withPlugin(script);
	await expect(credentials.current()).rejects.toThrow('failed (1)');
	await expect(credentials.current()).rejects.toThrow('failed (1)');
	expect(redact(heard.join(''))).not.toContain('late4711');
});

/** A child of the plugin that holds its standard error open, as a browser does. */
const leaveChild = `
	const {spawn} = await import('node:child_process');
	const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 600_000)'],
		{stdio: ['ignore', 'ignore', 'inherit'], detached: true});
	child.unref();
	(await import('node:fs')).writeFileSync(import.meta.dirname + '/child', String(child.pid));`;

test.for([
	{
		name: 'prints a credential',
		script: `console.error('see the browser'); print({token: 't'})`,
		message: undefined,
	},
	{name: 'fails', script: `console.error('see the browser'); process.exitCode = 3`, message: /failed \(3\)$/},
])('a plugin that $name is done once it has exited, whatever it leaves behind', async ({script, message}) => {
	const {credentials, heard} = await withPlugin(`${leaveChild} ${script}`);
	const current = credentials.current();
	if (message) await expect(current).rejects.toThrow(message);
	else expect(await current).toEqual({authorization: 'Bearer t'});
	expect(heard.join('')).toBe('see the browser\n');
	const child = Number(readFileSync(`${folder.path}/child`, 'utf8'));
	expect(isRunning(child)).toBe(true);
	process.kill(child);
});

test('what a plugin says is passed on until it is too much, which is said once', async () => {
	const script = `
		const {writeSync} = await import('node:fs');
		const all = Buffer.from('log in\\n'.padEnd(30 * 2 ** 20, 'x\\n'));
		for (let at = 0; at < all.length; ) try { at += writeSync(2, all, at); } catch {}
		writeSync(2, '\\nlast words');
		print({token: 't'});`;
	const {credentials, heard} = await withPlugin(script);
	expect(await credentials.current()).toEqual({authorization: 'Bearer t'});
	const said = heard.join('');
	expect(said).toMatch(
		/^log in\n(?:x\n)+\(the credential plugin says more than 262144 characters: the rest is left out\)\n$/,
	);
	expect(said.length).toBeLessThan(2 ** 19);
});

test('a plugin that prints without an end is ended', async () => {
	const script = `process.stdout.on('error', () => undefined);
		setInterval(() => process.stdout.write('x'.repeat(100_000)), 0);`;
	const {credentials} = await withPlugin(script);
	await expect(credentials.current()).rejects.toThrow('printed more than 1048576 characters');
});

const kuberc = (fields: object, version = 'v1beta1') => ({
	...{apiVersion: `kubectl.config.k8s.io/${version}`, kind: 'Preference'},
	...fields,
});
const allowlist = (...commands: readonly string[]) =>
	kuberc({
		credentialPluginPolicy: 'Allowlist',
		credentialPluginAllowlist: commands.map((command) => ({command})),
	});

test.for([
	{name: 'all', preference: kuberc({credentialPluginPolicy: 'AllowAll'}), message: undefined},
	{
		name: 'of the first version',
		preference: kuberc({credentialPluginPolicy: 'DenyAll'}, 'v1alpha1'),
		message: undefined,
	},
	{name: 'empty', preference: '', message: undefined},
	{name: 'none', preference: kuberc({credentialPluginPolicy: 'DenyAll'}), message: /may not run: .*DenyAll$/},
	{
		name: 'none, by a merge key',
		preference: `apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n<<: {credentialPluginPolicy: DenyAll}\n`,
		message: /may not run: .*DenyAll$/,
	},
	{name: 'its path', preference: allowlist(process.execPath), message: undefined},
	{name: 'its name in PATH', preference: allowlist('node'), message: undefined},
	{
		name: 'its name by the older field',
		preference: kuberc({credentialPluginPolicy: 'Allowlist', credentialPluginAllowlist: [{name: 'node'}]}),
		message: undefined,
	},
	{name: 'another', preference: allowlist('aws'), message: /may not run: .*Allowlist$/},
	{name: 'the same name elsewhere', preference: allowlist('/opt/bin/node'), message: /may not run/},
	{name: 'no entry', preference: allowlist(), message: /has no entry$/},
	{name: 'a path with detours', preference: allowlist('/opt/../bin/node'), message: /no plain path$/},
	{name: 'a misspelt policy', preference: kuberc({credentialPluginPolicy: 'Deny'}), message: /is "Deny"/},
	{
		name: 'a list without its policy',
		preference: kuberc({credentialPluginAllowlist: [{command: 'node'}]}),
		message: /is not Allowlist$/,
	},
	{name: 'no preference', preference: {kind: 'Pod'}, message: /no Preference/},
])('a kuberc decides whether a plugin may run: $name', async ({preference, message}) => {
	const env = {KUBERC: folder.write('kuberc', preference), PATH: dirname(process.execPath)};
	const {credentials, runs} = await withPlugin(`print({token: 't'})`, {}, {env});
	const current = credentials.current();
	if (message)
		await expect(current).rejects.toMatchObject({name: 'UserError', message: expect.stringMatching(message)});
	else expect(await current).toEqual({authorization: 'Bearer t'});
	expect(runs()).toBe(message ? 0 : 1);
});

test('an allowed plugin is started from where it was found, not from where the kubeconfig leads', async () => {
	folder.write('evil/node', '#!/bin/sh\necho evil >&2\n');
	chmodSync(`${folder.path}/evil/node`, 0o755);
	const env = {KUBERC: folder.write('kuberc', allowlist('node')), PATH: dirname(process.execPath)};
	const exec = {command: 'node', env: [{name: 'PATH', value: `${folder.path}/evil`}]};
	const {credentials} = await withPlugin(`print({token: 't'})`, exec, {env});
	expect(await credentials.current()).toEqual({authorization: 'Bearer t'});
});

test('the kuberc of the home folder counts, one that is named must be there, and both can be turned off', async () => {
	folder.write('.kube/kuberc', kuberc({credentialPluginPolicy: 'DenyAll'}));
	const play = async (env: Environment['env'], homeDirectory = folder.path) => {
		const {credentials} = await withPlugin(`print({token: 't'})`, {}, {env, homeDirectory});
		return credentials.current().then(
			() => 'runs',
			(error: unknown) => String(error),
		);
	};
	expect(await play({})).toContain('DenyAll');
	expect(await play({KUBERC: 'off'})).toBe('runs');
	expect(await play({KUBECTL_KUBERC: 'false'})).toBe('runs');
	expect(await play({}, '/nonexistent')).toBe('runs');
	expect(await play({KUBERC: '/nonexistent/kuberc'})).toContain('cannot be used: ENOENT');
});

test('completion starts no plugin that the kuberc forbids', async () => {
	const {kubeconfig, runs} = await withPlugin(`print({token: 't'})`);
	vi.stubEnv('KUBERC', folder.write('kuberc', kuberc({credentialPluginPolicy: 'DenyAll'})));
	const names = readNames('nodes', {kubeconfig}, false, new AbortController().signal);
	await expect(names).rejects.toThrow('may not run');
	vi.unstubAllEnvs();
	expect(runs()).toBe(0);
});

const stubborn = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);`;

/** A plugin that writes its pid, and hangs. */
async function hanging(script: string, timing: Partial<Timing> = {}) {
	const file = folder.write('pid', '');
	const told = `const {writeFileSync} = await import('node:fs'); writeFileSync(${JSON.stringify(file)}, String(process.pid));`;
	const plugin = await withPlugin(`${script} ${told}`, {}, {timing});
	const pid = async () => {
		await expect.poll(() => readFileSync(file, 'utf8'), {timeout: 60_000}).not.toBe('');
		return Number(readFileSync(file, 'utf8'));
	};
	return {...plugin, pid};
}

test('a plugin that hangs is ended at its deadline, which is an error', async () => {
	const {credentials} = await hanging(stubborn, {pluginTimeout: () => 100});
	await expect(credentials.current()).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(/did not answer within 0s$/),
		hint: 'get it here',
	});
});

test.for([
	{name: 'hangs', script: stubborn},
	{
		name: 'exits by itself when it is asked',
		script: `process.on('SIGTERM', () => process.exit(1)); ${stubborn}`,
	},
])('a token that a plugin says which is ended is not shown: one that $name', async ({script}) => {
	const {credentials, pid, heard} = await hanging(`${say} ${script}`);
	const waiting = credentials.current();
	waiting.catch(() => undefined);
	await pid();
	await expect.poll(() => heard.join('')).toBe('debug: got [removed]\n');
	await credentials.close();
	await expect(waiting).rejects.toThrow(/was ended|failed \(1\)/);
	expect(heard.join('')).toBe('debug: got [removed]\n');
});

test('who waits for a plugin may stop to wait, and others wait on', async () => {
	const {credentials, pid} = await hanging(stubborn);
	const [one, other] = [new AbortController(), new AbortController()];
	const waiting = credentials.current(one.signal);
	const others = credentials.current(other.signal);
	const child = await pid();
	one.abort();
	await expect(waiting).rejects.toThrow();
	expect(isRunning(child)).toBe(true);
	other.abort();
	await expect(others).rejects.toThrow();
	await credentials.close();
	await expect.poll(() => isRunning(child), {timeout: 100_000}).toBe(false);
});

test('at the end a plugin is gone, also one that ignores to be asked', async () => {
	const {credentials, pid} = await hanging(stubborn);
	const waiting = credentials.current();
	waiting.catch(() => undefined);
	const child = await pid();
	await credentials.close();
	await expect.poll(() => isRunning(child), {timeout: 100_000}).toBe(false);
	await expect(waiting).rejects.toMatchObject({name: 'UserError'});
});

test('a plugin that has the terminal may take as long as a person needs', async () => {
	const script = `await new Promise((go) => setTimeout(go, 50)); print({token: 't'});`;
	const {credentials} = await withPlugin(
		script,
		{interactiveMode: 'Always'},
		{isInteractive: true, timing: {pluginTimeout: () => 1}},
	);
	expect(await credentials.current()).toEqual({authorization: 'Bearer t'});
});

test('while a plugin is at work it is named, and whether it has the terminal', async () => {
	const {credentials, pid} = await hanging(stubborn, {elapsed: () => 7000});
	expect(credentials.pluginAtWork()).toBeUndefined();
	const waiting = credentials.current();
	waiting.catch(() => undefined);
	await pid();
	expect(credentials.pluginAtWork()).toEqual({
		command: process.execPath,
		startedAt: 7000,
		hasTerminal: false,
	});
	await credentials.close();
	await expect(waiting).rejects.toMatchObject({name: 'UserError'});
	expect(credentials.pluginAtWork()).toBeUndefined();
});
