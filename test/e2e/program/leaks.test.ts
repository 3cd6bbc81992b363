import {execFileSync} from 'node:child_process';
import {readdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {dirname, join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {build} from '../../../scripts/build.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {barePath, runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = join(folder, 'dist', 'kubectl-evictwatch');

beforeAll(() => build(dirname(program)));

/** Runs the built program with a kubeconfig, or without one. */
function run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
	const env = {
		...{PATH: barePath, HOME: folder},
		...{KUBECONFIG: join(folder, 'config.json'), NODE_DISABLE_COMPILE_CACHE: '1', ...more},
	};
	return runProgram(program, args, {env, cwd: folder});
}

const secrets = /hush/i;
// Anything except printable text, tabs and line breaks.
const raw = /[^\P{C}\t\n]/u;

/** A kubeconfig whose user has a plugin that fails and prints secrets. */
function configOfPlugin(): void {
	const script = join(folder, 'plugin.mjs');
	writeFileSync(
		script,
		`console.error('refused: Authorization: Bearer ' + 'eyJodXNo.' + 'HUSH.hush');
		console.error('password=hush\\u001b[2J');
		process.exit(1);`,
	);
	const exec = {
		...{apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath},
		...{args: [script, '--oidc-client-secret=hush-arg', '--token', 'hush-4711'], interactiveMode: 'Never'},
		env: [{name: 'PLUGIN_PASSWORD', value: 'hush-env'}],
	};
	writeFileSync(
		join(folder, 'config.json'),
		JSON.stringify({
			'current-context': 'one',
			clusters: [{name: 'c', cluster: {server: 'https://127.0.0.1:1'}}],
			users: [{name: 'u', user: {exec}}],
			contexts: [
				{name: 'one', context: {cluster: 'c', user: 'u'}},
				{name: 'two\u001b[2J\u202e', context: {cluster: 'c', user: 'u'}},
			],
		}),
	);
}

test('a plugin that fails tells its user why, without its secrets and arguments', async () => {
	configOfPlugin();
	const {code, out, err} = await run(['pods']);
	expect({code, out}).toEqual({code: 1, out: ''});
	expect(err).toContain('refused: Authorization: [removed]\n');
	expect(err).toMatch(/error: the credential plugin \S+ failed \(1\)\n/);
	expect(err).not.toMatch(secrets);
	expect(err).not.toMatch(raw);
});

test('what a plugin says gets into no log of a shadow', async () => {
	configOfPlugin();
	const {code, err} = await run(['shadow', '--log-format=json']);
	expect(code).toBe(1);
	expect(err).not.toMatch(secrets);
	expect(err).not.toContain('refused');
});

test('names of contexts reach no terminal raw', async () => {
	configOfPlugin();
	const {err} = await run(['pods', '--context', 'three\u001b[31m']);
	expect(err).toBe(
		'error: context "three^[[31m" does not exist in the kubeconfig\nchoose one of: one, two^[[2J\\u202e\n',
	);
});

test('passwords of a server or a proxy are in no log of requests, and in no error', async () => {
	const server = await run(['pods', '-v=9', '-s', 'http://me:hush@127.0.0.1:1']);
	expect(server.err).toMatch(/url="http:\/\/\[removed\]@127\.0\.0\.1:1\/api/);
	const malformed = await run(['pods', '-s', 'ftp://me:hush@127.0.0.1:1']);
	const more = {HTTPS_PROXY: 'http://me:hush@127.0.0.1:1', https_proxy: 'http://me:hush@127.0.0.1:1'};
	const flags = ['--kubeconfig', '/dev/null', '-s', 'https://api.test', '--token=hush-token'];
	const proxied = await run(['pods', '-v=9', ...flags], more);
	const wrong = await run(['pods', ...flags], {HTTPS_PROXY: 'ftp://me:hush@127.0.0.1:1'});
	for (const {code, err} of [server, malformed, proxied, wrong]) {
		expect(code).toBe(1);
		expect(err).toMatch(/^error: /m);
		expect(err).not.toMatch(secrets);
	}
});

test("a server's version and its words reach no terminal raw", async () => {
	const server = createServer((request, response) => {
		const isVersion = request.url === '/version';
		response.writeHead(isVersion ? 200 : 500, {'content-type': 'application/json'});
		const status = {kind: 'Status', message: 'no \u001b[2J, Bearer hush', code: 500};
		response.end(JSON.stringify(isVersion ? {gitVersion: 'v1.36.3\u001b[2J\u009b\u202e\r'} : status));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const version = await run(['version', '-s', address]);
		expect(version.out).toContain('Server Version: v1.36.3^[[2J\\u009b\\u202e\\r\n');
		const nodes = await run(['nodes', '-s', address]);
		expect(nodes.err).toContain('no ^[[2J, Bearer [removed]');
		for (const {out, err} of [version, nodes]) expect(out + err).not.toMatch(raw);
	} finally {
		server.close();
	}
});

test('arguments that an error echoes reach no terminal raw', async () => {
	for (const args of [['po\u001b[2Jds'], ['pods', '--x\u001b[2J'], ['pods', '-o', 'js\u001b[2Jon']]) {
		const {code, err} = await run(args);
		expect(code).toBe(1);
		expect(err).toContain('^[[2J');
		expect(err).not.toMatch(raw);
	}
});

test('a name of a forged dump becomes no command, and nothing of it reaches a terminal raw', async () => {
	const harmful = 'n1;touch created\u001b[2J';
	const items = [
		...[harmful, 'n2'].map((name) => ({kind: 'Node', apiVersion: 'v1', ...rawNode(name)})),
		{kind: 'Pod', apiVersion: 'v1', ...rawPod('shop', 'cart-0', 'n2')},
		{kind: 'Pod', apiVersion: 'v1', ...rawPod('shop', '$(touch created)', 'n2')},
		{kind: 'Pod', apiVersion: 'v1', ...rawPod('shop\u001b[2J', 'cart-0', harmful)},
		{kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', ...rawLease('kube-node-lease', 'n2')},
	];
	writeFileSync(join(folder, 'forged.json'), JSON.stringify({kind: 'List', apiVersion: 'v1', items}));
	for (const args of [['rescue'], ['pods', '--all'], ['explain', 'pod/cart-0'], ['explain', 'pod/cart-1']]) {
		const {out, err} = await run([...args, '-f', 'forged.json']);
		expect(out + err).not.toMatch(raw);
		expect(out).not.toContain('touch created');
		if (args[0] !== 'explain') expect(err).toContain('that no API server takes');
	}
	expect(readdirSync(folder)).not.toContain('created');
});

test('a recording that is printed holds nothing that a terminal must not see', () => {
	// Characters that JSON allows unescaped are escaped: the values stay the same.
	const streams = join(import.meta.dirname, '../../../cmd/output/terminal.ts');
	const line = JSON.stringify({title: 'a\u001b[2J\u009b\u202e\u2028'});
	const source = `import {processTerminal} from ${JSON.stringify(streams)}; await processTerminal.print(${JSON.stringify(line)});`;
	const out = execFileSync(process.execPath, ['--input-type=module', '-e', source], {encoding: 'utf8'});
	expect(out).not.toMatch(raw);
	expect(JSON.parse(out)).toEqual(JSON.parse(line));
});
