import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../../cmd/commands/commandTable.ts';
import {startDemo} from '../../../src/demo/demo.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {rawNode, rawPod} from '../../support/rawObjects.ts';
import {barePath, runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = builtProgram;

const bareEnvironment = {PATH: barePath};
const calm = {...demoScenario('node-dies'), steps: []};

/** Runs the built program in an empty folder, without the user's environment. */
function run(args: readonly string[], {file = program, path = dirname(process.execPath), more = {}} = {}) {
	const env = {PATH: `${path}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: join(folder, 'no-config'), ...more};
	return runProgram(file, args, {env, cwd: folder});
}

test('--help explains the plugin as a part of kubectl', async () => {
	const {code, out, err} = await run(['--help']);
	expect({code, err}).toEqual({code: 0, err: ''});
	expect(out).toMatch(/^Predict which pods an outage evicts next, when, and why\. /);
	expect(out).toContain('\nTry it without a cluster: kubectl evictwatch demo\n');
	expect(out).toMatch(
		/\n\nIn an outage:\n {2}status .*\n {2}pods -A .*\n {2}explain .*\n {2}rescue .*\n {2}workloads .*\n {2}what-if --node-down NODE .*\n {2}what-if --drain NODE .*\n {2}what-if --each-zone .*\n/,
	);
	expect(out).toContain('\n\nUsage: kubectl evictwatch [COMMAND] [NAME...] [flags]. More: COMMAND --help\n');
	for (const name of commands.names) expect(out).toContain(name);
	const lines = out.trimEnd().split('\n');
	expect(lines.length).toBeLessThanOrEqual(23);
	expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80);
});

test('help of a command has its usage', async () => {
	const [long, word] = [await run(['pods', '--help']), await run(['help', 'po'])];
	expect(long.out).toMatch(
		/^Show which pods are evicted next, when, and why\.\n\n It shows the namespace of the context, .*\n\nAliases:\npods, pod, po\n\nExamples:\n/,
	);
	expect(word).toEqual(long);
});

test('help of a command lists the flags that mean something to it', async () => {
	const flagsOf = async (command: string) => {
		const {out} = await run([command, '--help']);
		return [...out.matchAll(/^ {4}(?:-\w, )?--([\w-]+)=/gm)].map(([, flag]) => flag);
	};
	expect(await flagsOf('version')).toEqual([
		'client',
		'output',
		'template',
		'allow-missing-template-keys',
		'time-zone',
		'help',
	]);
	expect(await flagsOf('pods')).not.toContain('want');
});

test('the configuration file is read; of a wrong one it is warned, and nothing stops', async () => {
	const more = {XDG_CONFIG_HOME: join(folder, 'configuration')};
	mkdirSync(join(more.XDG_CONFIG_HOME, 'evictwatch'), {recursive: true});
	const config = join(more.XDG_CONFIG_HOME, 'evictwatch', 'config.yaml');
	const dump = join(folder, 'dump.json');
	const node = {apiVersion: 'v1', kind: 'Node', metadata: {name: 'n1', uid: 'u1'}};
	writeFileSync(dump, JSON.stringify({apiVersion: 'v1', kind: 'List', items: [node]}));
	const explain = ['explain', 'node/n1', '-f', dump, '--at', '2026-01-31T19:30'];
	writeFileSync(config, 'timeZone: asia/kolkata');
	expect((await run(explain, {more})).out).toContain(
		'Seen at 19:30:00+05:30; all times are Asia/Kolkata (UTC+05:30).',
	);
	expect((await run([...explain, '--time-zone=utc'], {more})).out).toContain('Seen at 19:30:00Z');
	writeFileSync(config, 'timeZone: Atlantis');
	expect(await run(explain, {more})).toMatchObject({
		code: 0,
		out: expect.stringContaining('Seen at 19:30:00Z'),
		err: expect.stringContaining(
			`Warning: no configuration loaded from ${config}: timeZone: unknown time zone "Atlantis"`,
		),
	});
});

test('version has the form of kubectl version -o json, and tells of the client what a bug report needs', async () => {
	const {out} = await run(['version', '--client', '-o', 'json']);
	expect(JSON.parse(out)).toEqual({
		clientVersion: {
			gitVersion: 'v0.1.0',
			gitCommit: expect.stringMatching(/^([0-9a-f]{40})?$/),
			nodeVersion: process.version,
			platform: expect.stringMatching(/^(linux|darwin|windows)\/(amd64|arm64)$/),
		},
	});
});

test('version asks the server for its own, and says what is known of the client where there is none', async () => {
	const server = await startDemo(calm, {port: 0, clock: Date.now, seed: 1});
	try {
		const both = await run(['version', '-s', server.url]);
		expect(both).toMatchObject({code: 0, err: ''});
		expect(both.out).toMatch(/^Client Version: v0\.1\.0\n(?:.*\n)*Server Version: v1\.36\.3\n$/);
		const {out} = await run(['version', '-s', server.url, '-o', 'yaml']);
		expect(out).toMatch(/\nserverVersion:\n {2}gitVersion: v1\.36\.3\n$/);
	} finally {
		await server.close();
	}
	const alone = await run(['version', '-s', 'http://127.0.0.1:1']);
	expect(alone).toMatchObject({code: 1, out: expect.stringMatching(/^Client Version: v0\.1\.0\n/)});
	expect(alone.err).toMatch(/^error: .*127\.0\.0\.1:1/);
});

/** The packages in the bundle's modules that a command line loads. */
async function packagesLoadedBy(args: readonly string[]): Promise<readonly string[]> {
	const list = join(mkdtempSync(join(folder, 'loaded-')), 'list');
	const hook = `import {registerHooks} from 'node:module'; import {appendFileSync} from 'node:fs';
		registerHooks({load: (url, context, next) => { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); }});`;
	writeFileSync(list, '');
	writeFileSync(`${list}.mjs`, hook);
	const launched = ['--import', `${list}.mjs`, join(dirname(program), 'kubectl-evictwatch.mjs'), ...args];
	await run(launched, {file: process.execPath});
	const loaded = readFileSync(list, 'utf8')
		.split('\n')
		.filter((url) => url.startsWith('file:'));
	expect(loaded.length).toBeGreaterThan(1);
	// Each module lists at its top the packages that it contains.
	const packages = loaded.flatMap((url) =>
		[...readFileSync(new URL(url), 'utf8').matchAll(/^\/\/ node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//gm)].map(
			([, name = '']) => name,
		),
	);
	return [...new Set(packages)].toSorted();
}

const heavy = ['@kubernetes/client-node', 'ink', 'react', 'undici', 'yaml'];
const ofScreen = ['ink', 'react'];

test.for([
	{name: '--help', args: ['--help'], never: heavy},
	{name: 'help of a command', args: ['help', 'pods'], never: heavy},
	{name: 'the global options', args: ['options'], never: heavy},
	{name: '--version', args: ['--version'], never: heavy},
	{name: 'the version as JSON', args: ['version', '--client', '-o', 'json'], never: heavy},
	{name: 'the script for a shell', args: ['completion', 'bash'], never: heavy},
	{name: 'the completion of a command', args: ['__complete', 'po'], never: heavy},
	{name: 'the completion of a flag', args: ['__complete', 'pods', '--'], never: heavy},
	{name: 'the completion of a scenario', args: ['__complete', 'demo', ''], never: heavy},
	{name: 'an unknown flag', args: ['--foo'], never: heavy},
	{name: 'an unknown command', args: ['pdos'], never: heavy},
	{name: 'a wrong value', args: ['pods', '--node-eviction-rate=fast'], never: heavy},
	{name: 'a template that cannot be read', args: ['pods', '-o', 'jsonpath={.a'], never: heavy},
	{name: 'pods', args: ['pods', '-s', 'http://127.0.0.1:1'], never: ofScreen},
	{name: 'settings', args: ['settings', '-s', 'http://127.0.0.1:1'], never: ofScreen},
	{
		name: 'nothing but a server, elsewhere than on a terminal',
		args: ['-s', 'http://127.0.0.1:1'],
		never: ofScreen,
	},
])('$name loads none of $never', async ({args, never}) => {
	const loaded = await packagesLoadedBy(args);
	expect(never.filter((name) => loaded.includes(name))).toEqual([]);
});

test('what is loaded can be told', async () => {
	expect(await packagesLoadedBy(['pods', '-s', 'http://127.0.0.1:1'])).toContain('undici');
});

test('--version', async () => {
	const {code, out, err} = await run(['--version']);
	expect({code, err}).toEqual({code: 0, err: ''});
	expect(out).toMatch(/^Client Version: v0\.1\.0\n/);
	expect(out).not.toContain('Server');
});

test.for([
	{args: ['--xyz'], err: "error: unknown flag: --xyz\nSee 'kubectl evictwatch --help' for usage.\n"},
	{
		args: ['pdos'],
		err: 'error: unknown command "pdos"; did you mean "pods"?\nSee \'kubectl evictwatch --help\' for usage.\n',
	},
])('$args is an error on stderr, and the exit code 1', async ({args, err}) => {
	expect(await run(args)).toEqual({code: 1, out: '', err});
});

test('without a cluster, the error says what to do', async () => {
	const {code, out, err} = await run(['pods']);
	expect({code, out}).toEqual({code: 1, out: ''});
	expect(err).toMatch(/^error: no cluster is configured: nothing in .*no-config.*\nset KUBECONFIG, .*\n$/);
});

test.for([{args: ['pods']}, {args: ['pods', '-w']}])(
	'$args at a server that does not listen is an error, not a bug',
	async ({args}) => {
		const {code, out, err} = await run([...args, '-s', 'http://127.0.0.1:1']);
		expect({code, out}).toEqual({code: 1, out: ''});
		expect(err).toMatch(/^error: .*127\.0\.0\.1:1.*\n/);
		expect(err).not.toMatch(/bug|\n +at /);
	},
);

const unreachable = {key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'};
const downSince = '2026-01-31T14:00:00Z';
const node = rawNode('n1', {
	metadata: {name: 'n1', uid: 'uid-n1', labels: {'topology.kubernetes.io/zone': 'a'}},
	spec: {taints: [{...unreachable, timeAdded: downSince}]},
	status: {conditions: [{type: 'Ready', status: 'Unknown', lastTransitionTime: downSince}]},
});
const pod = rawPod('shop', 'cart-0', 'n1');
const tolerations = [{...unreachable, operator: 'Exists', tolerationSeconds: 300}];
const dump = JSON.stringify({
	apiVersion: 'v1',
	kind: 'List',
	items: [
		{...node, kind: 'Node'},
		{...pod, kind: 'Pod', spec: {nodeName: 'n1', tolerations}},
	],
});

test.for([
	{reader: 'head -1', redirect: ''},
	{reader: 'head -1', redirect: '2>&1'},
	{reader: 'true', redirect: ''},
	{reader: 'true', redirect: '2>&1'},
])(
	'a reader that has seen enough ends the command without an error: $redirect | $reader',
	async ({reader, redirect}) => {
		const file = join(folder, 'piped.json');
		writeFileSync(file, dump);
		// Warnings follow the table on stderr, when `head` may have ended already or be about to.
		const line = `"${program}" pods -f "${file}" ${redirect} | ${reader} > head.txt; echo "\${PIPESTATUS[0]}"`;
		const env = {PATH: barePath, HOME: folder};
		for (let i = 0; i < 4; i++) {
			const {out, err} = await runProgram('bash', ['-c', line], {env, cwd: folder});
			expect(out).toBe('0\n');
			expect(err).not.toMatch(/EPIPE|error|^ +at /m);
		}
	},
);

test('a dump takes the place of a cluster, and shows all of its namespaces', async () => {
	const file = join(folder, 'dump.json');
	writeFileSync(file, dump);
	const {code, out} = await run(['pods', '-f', file, '--at', '2026-01-31T14:01:00Z', '-o', 'json']);
	const {kind, metadata, items} = JSON.parse(out);
	expect({code, kind}).toEqual({code: 0, kind: 'PodForecastList'});
	expect(metadata).toMatchObject({observedAt: '2026-01-31T14:01:00.000Z', source: 'file'});
	expect(items).toMatchObject([
		{metadata: {namespace: 'shop', name: 'cart-0'}, node: 'n1', zone: '<none>/a'},
	]);
	const elsewhere = await run(['pods', '-f', file, '-n', 'bank']);
	expect(elsewhere).toMatchObject({code: 0, out: ''});
	expect(elsewhere.err).toMatch(
		/As leases are not seen, no evictions are known in bank namespace\.\n(?:Pods in other namespaces: .*\n)?$/,
	);
});

test('a live cluster is read once, or followed until it is told to stop', async () => {
	const server = await startDemo(calm, {port: 0, clock: Date.now, seed: 1});
	try {
		expect(await run(['pods', '-A', '-s', server.url])).toEqual({
			code: 0,
			out: '',
			err: 'No evictions expected; memory and disk of 13 nodes were not queried.\n',
		});
		const {out} = await run(['nodes', '-o', 'name', '-s', server.url]);
		expect(out.split('\n').filter(Boolean)).toHaveLength(13);
		const child = spawn(program, ['nodes', '-w', '-s', server.url], {env: bareEnvironment});
		const [rows] = await once(child.stdout, 'data');
		child.kill('SIGTERM');
		expect(String(rows)).toMatch(/^TIME +NAME {3}VERDICT {3}READY/);
		expect(await once(child, 'close')).toEqual([null, 'SIGTERM']);
	} finally {
		await server.close();
	}
});

test.for([
	{name: 'behind', ahead: 300_000},
	{name: 'ahead of', ahead: -300_000},
])("a clock five minutes $name the server's makes no node look dead, or alive", async ({name, ahead}) => {
	const server = await startDemo(calm, {port: 0, clock: () => Date.now() + ahead, seed: 1});
	try {
		const {out, err} = await run(['nodes', '-s', server.url]);
		expect(out.match(/Healthy/g)).toHaveLength(13);
		expect(err).toMatch(
			new RegExp(`^Warning: ClockSkew: this machine's clock is about \\d+\\.\\d s ${name} the API`),
		);
		const child = spawn(program, ['nodes', '-w', '-s', server.url], {env: bareEnvironment});
		const [rows] = await once(child.stdout, 'data');
		child.kill('SIGTERM');
		expect(String(rows).match(/Healthy/g)).toHaveLength(13);
		await once(child, 'close');
	} finally {
		await server.close();
	}
});

test('a reader that goes away is no failure', async () => {
	const child = spawn(program, ['--help'], {env: bareEnvironment});
	child.stdout.destroy();
	expect((await once(child, 'close'))[0]).toBe(0);
});

test('it is found through symlinks, relative ones too', async () => {
	symlinkSync(relative(folder, program), join(folder, 'relative'));
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
	const child = spawn(program, ['demo', 'rack-dies', '--serve', '0'], {env: bareEnvironment});
	const [greeting] = await once(child.stdout, 'data');
	expect(String(greeting)).toMatch(
		/^rack-dies: .*\nServing on http:\/\/127\.0\.0\.1:\d+; in another shell:\n/,
	);
	const [, url = ''] = /Serving on (\S+);/.exec(String(greeting)) ?? [];
	expect(await (await fetch(`${url}/version`)).json()).toMatchObject({gitVersion: 'v1.36.3'});
	child.kill('SIGINT');
	expect(await once(child, 'close')).toEqual([0, null]);
});

test('what V8 compiled is kept in the cache of kubectl where the folder of the program is closed', () => {
	const closed = join(folder, 'closed');
	const cache = join(folder, 'cache');
	cpSync(dirname(program), closed, {recursive: true, filter: (file) => !file.endsWith('/compiled')});
	// A folder cannot be created where a file is, even by root.
	writeFileSync(join(closed, 'compiled'), '');
	const started = (env: Readonly<Record<string, string>>) =>
		execFileSync(join(closed, 'kubectl-evictwatch'), ['version', '--client'], {
			env: {...bareEnvironment, HOME: folder, ...env},
			encoding: 'utf8',
		});
	expect(started({KUBECACHEDIR: cache})).toMatch(/^Client Version: /);
	expect(readdirSync(cache)).toEqual(['evictwatch']);
	expect(started({})).toMatch(/^Client Version: /);
	expect(readdirSync(join(folder, '.kube/cache'))).toEqual(['evictwatch']);
	expect(started({KUBECACHEDIR: join(closed, 'compiled')})).toMatch(/^Client Version: /);
});
