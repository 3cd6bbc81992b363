import {execFile, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {TLSSocket} from 'node:tls';
import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';
import {testFolder} from '../../support/testFolder.ts';
import {testTransport} from '../../support/testTransport.ts';
import {pem, tlsFile} from '../../support/tlsFiles.ts';

// Each draw starts kubectl, so a quick run draws fewer sets of flags than a deep one.

const kubectl = 'kubectl';

const base64 = (name: string) => Buffer.from(pem(name)).toString('base64');

/** What a server sees of its client. */
type Seen = {readonly server: string; readonly certificate: string; readonly headers: readonly string[]};

/** A server that records requests. */
class Witness {
	readonly seen: Seen[] = [];
	readonly #server = createServer(
		{
			cert: pem('server.pem'),
			key: pem('server-key.pem'),
			ca: pem('ca.pem'),
			requestCert: true,
			rejectUnauthorized: false,
		},
		(request, response) => {
			const certificate = (request.socket as TLSSocket).getPeerCertificate();
			const headers = request.rawHeaders.flatMap((name, index) =>
				index % 2 === 0 && /^(authorization|impersonate-)/i.test(name)
					? [`${name.toLowerCase()}: ${request.rawHeaders[index + 1]}`]
					: [],
			);
			this.seen.push({
				server: this.name,
				certificate: certificate.fingerprint256 ?? '',
				headers: headers.toSorted(),
			});
			response.setHeader('content-type', 'application/json').end('{}');
		},
	);
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}

	async start(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get url(): string {
		return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	stop(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

const [first, second] = [new Witness('first'), new Witness('second')];
const folder = testFolder();
let kubeconfig = '';

const issued = {
	apiVersion: 'client.authentication.k8s.io/v1',
	kind: 'ExecCredential',
	status: {token: 'issued'},
};
const exec = {
	apiVersion: 'client.authentication.k8s.io/v1',
	command: '/bin/echo',
	args: [JSON.stringify(issued)],
	interactiveMode: 'Never',
};
const certificate = {
	'client-certificate-data': base64('client.pem'),
	'client-key-data': base64('client-key.pem'),
};

const users: Readonly<Record<string, object>> = {
	token: {token: 'of-the-kubeconfig'},
	'token-file': {tokenFile: 'token'},
	basic: {username: 'me', password: 'pass'},
	certificate,
	'certificate-files': {
		'client-certificate': tlsFile('client-2.pem'),
		'client-key': tlsFile('client-2-key.pem'),
	},
	'certificate-without-key': {'client-certificate': tlsFile('client.pem')},
	'certificate-twice': {...certificate, 'client-certificate': tlsFile('client.pem')},
	'token-and-password': {token: 'a', username: 'me', password: 'pass'},
	'token-and-certificate': {token: 'a', ...certificate},
	plugin: {exec},
	'plugin-and-token': {exec, token: 'a'},
	'plugin-and-certificate': {exec, ...certificate},
	'plugin-without-mode': {exec: {...exec, interactiveMode: undefined}},
	'plugin-of-odd-mode': {exec: {...exec, interactiveMode: 'Sometimes'}},
	impersonator: {
		token: 'a',
		as: 'boss',
		'as-uid': '7',
		'as-groups': ['g1', 'g2'],
		'as-user-extra': {'a/b': ['x', 'y']},
	},
	'group-without-user': {token: 'a', 'as-groups': ['g1']},
};

beforeAll(async () => {
	await Promise.all([first.start(), second.start()]);
	folder.write('token', 'of-the-file\n');
	const trust = {'certificate-authority': tlsFile('ca.pem')};
	const clusters = {
		first: {server: first.url, ...trust},
		second: {server: second.url, 'certificate-authority-data': base64('ca.pem')},
		named: {server: first.url, ...trust, 'tls-server-name': 'api.test'},
		misnamed: {server: first.url, ...trust, 'tls-server-name': 'other.test'},
		insecure: {server: second.url, 'insecure-skip-tls-verify': true},
		'insecure-with-ca': {server: second.url, ...trust, 'insecure-skip-tls-verify': true},
		untrusted: {server: second.url},
		'trust-twice': {server: second.url, ...trust, 'certificate-authority-data': base64('ca.pem')},
	};
	kubeconfig = folder.write('config', {
		apiVersion: 'v1',
		kind: 'Config',
		'current-context': 'first/token',
		clusters: Object.entries(clusters).map(([name, cluster]) => ({name, cluster})),
		users: Object.entries(users).map(([name, user]) => ({name, user})),
		contexts: Object.keys(clusters).flatMap((cluster) =>
			Object.keys(users).map((user) => ({name: `${cluster}/${user}`, context: {cluster, user}})),
		),
	});
});
afterAll(() => {
	first.stop();
	second.stop();
});

const clusterNames = [
	'first',
	'first',
	'second',
	'named',
	'misnamed',
	'insecure',
	'insecure-with-ca',
	'untrusted',
	'trust-twice',
];
const sometimes = <T>(value: fc.Arbitrary<T>) =>
	fc.oneof({weight: 4, arbitrary: fc.constant(null)}, {weight: 1, arbitrary: value});

const flags = fc.record({
	context: fc
		.tuple(fc.constantFrom(...clusterNames), fc.constantFrom(...Object.keys(users)))
		.map((pair) => pair.join('/')),
	cluster: sometimes(fc.constantFrom('first', 'second', 'insecure', 'nowhere')),
	user: sometimes(fc.constantFrom('token', 'basic', 'certificate', 'plugin', 'stranger')),
	server: sometimes(fc.constantFrom(1, 2)),
	token: sometimes(fc.constantFrom('of-the-flag')),
	'certificate-authority': sometimes(fc.constantFrom(tlsFile('ca.pem'), '/nonexistent/ca.pem')),
	'insecure-skip-tls-verify': sometimes(fc.boolean()),
	'tls-server-name': sometimes(fc.constantFrom('api.test', 'other.test')),
	'client-certificate': sometimes(fc.constantFrom(tlsFile('client-2.pem'))),
	'client-key': sometimes(fc.constantFrom(tlsFile('client-2-key.pem'))),
	as: sometimes(fc.constantFrom('you')),
	'as-uid': sometimes(fc.constantFrom('8')),
	'as-group': sometimes(fc.constantFrom('g3', 'g,4')),
});

const commandLine = ({
	server,
	...others
}: {
	readonly server: number | null;
	readonly [flag: string]: unknown;
}): string[] => [
	...Object.entries(others).flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`])),
	...(server === null ? [] : [`--server=${server === 1 ? first.url : second.url}`]),
];

const env = () => ({PATH: process.env['PATH'], HOME: folder.path});

/** What the servers see of a client; 'refused' if the client fails. */
async function witnessed(asking: () => Promise<unknown>): Promise<readonly Seen[] | 'refused'> {
	for (const {seen} of [first, second]) seen.length = 0;
	try {
		await asking();
		// A client may repeat a request if it takes the first failure for a broken connection.
		const all = [...first.seen, ...second.seen].map((seen) => JSON.stringify(seen));
		return [...new Set(all)].map((seen) => JSON.parse(seen) as Seen);
	} catch {
		return 'refused';
	}
}

const byKubectl = (line: readonly string[]) =>
	new Promise<void>((resolve, reject) => {
		const args = ['get', '--raw', '/version', `--kubeconfig=${kubeconfig}`, ...line];
		// It may prompt for a name and a password.
		const child = execFile(kubectl, args, {env: env()}, (error) => (error ? reject(error) : resolve()));
		child.stdin?.end();
	});

async function byUs(line: readonly string[]): Promise<void> {
	const options = parseCommandLine(['pods', `--kubeconfig=${kubeconfig}`, ...line]).flags;
	const transport = await testTransport(options, bareEnvironment({env: env()}));
	try {
		await transport.json('/version');
	} finally {
		await transport.close();
	}
}

/**
 * kubectl keeps the file's token despite --token; we use the flag's. Also, until some release after 1.32, kubectl rejects a
 * certificate flag if the kubeconfig has certificate data.
 */
function isKnownDifference(chosen: {readonly [flag: string]: unknown}): boolean {
	const user = chosen['user'] === null ? String(chosen['context']).split('/')[1] : String(chosen['user']);
	const hasCertificate = chosen['client-certificate'] !== null || chosen['client-key'] !== null;
	return (
		(chosen['token'] !== null && user === 'token-file') || (hasCertificate && /certificate/.test(user ?? ''))
	);
}

const hasKubectl = spawnSync(kubectl, ['version', '--client']).status === 0;

test('with any flags, servers see of us what they see of kubectl', async ({skip}) => {
	if (!hasKubectl) skip('kubectl is not installed');
	let understood = 0;
	await fc.assert(
		fc.asyncProperty(flags, async (chosen) => {
			fc.pre(!isKnownDifference(chosen));
			const line = commandLine(chosen);
			const theirs = await witnessed(() => byKubectl(line));
			const ours = await witnessed(() => byUs(line));
			expect(ours).toEqual(theirs);
			if (theirs !== 'refused') understood += 1;
		}),
		{numRuns: Number(process.env['EVICTWATCH_KUBECTL_RUNS'] ?? 40)},
	);
	expect(understood).toBeGreaterThan(1);
});

test.for([
	{name: 'where it asks for it', provideClusterInfo: true},
	{name: 'and nothing of the cluster else', provideClusterInfo: false},
])('a plugin is told what kubectl tells it: $name', async ({provideClusterInfo}, {skip}) => {
	if (!hasKubectl) skip('kubectl is not installed');
	const execInfoFile = join(folder.path, 'told.json');
	const script = `printf %s "$KUBERNETES_EXEC_INFO" > '${execInfoFile}'; printf %s '${JSON.stringify(issued)}'`;
	const cluster = {
		server: first.url,
		'certificate-authority': tlsFile('ca.pem'),
		'tls-server-name': 'api.test',
		'disable-compression': true,
		extensions: [
			{name: 'client.authentication.k8s.io/exec', extension: {audience: 'me', list: [1, {a: null}]}},
		],
	};
	const plugin = {...exec, command: '/bin/sh', args: ['-c', script], provideClusterInfo};
	const config = folder.write('plugin-config', {
		'current-context': 'c',
		clusters: [{name: 'c', cluster}],
		users: [{name: 'u', user: {exec: plugin}}],
		contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
	});
	const tellings = [];
	for (const ask of [byKubectl, byUs]) {
		await ask([`--kubeconfig=${config}`]);
		tellings.push(JSON.parse(readFileSync(execInfoFile, 'utf8')));
	}
	expect(tellings[1]).toEqual(tellings[0]);
	expect('cluster' in tellings[0].spec).toBe(provideClusterInfo);
});
