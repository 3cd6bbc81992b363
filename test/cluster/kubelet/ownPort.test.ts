import {networkInterfaces} from 'node:os';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {connect} from '../../../src/cluster/cluster.ts';
import type {PressureLook} from '../../../src/core/nodepressure/pressureLook.ts';
import {keepSecret} from '../../../src/text/redact.ts';
import {answerJson, answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';
import {certificateAuthority, pem, serverTls} from '../../support/tlsFiles.ts';

let stack: AsyncDisposableStack;
let server: FakeApiServer;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	server = stack.use(await FakeApiServer.start(serverTls));
});
afterEach(() => stack.disposeAsync());

const token = 'of-the-service-account';
const selfSigned = {cert: pem('kubelet.pem'), key: pem('kubelet-key.pem')};
const fineGrained = {'/stats/summary': ['stats'], '/configz': ['configz', 'proxy']};
const before133 = {'/stats/summary': ['stats'], '/configz': ['proxy']};

/** Serves a kubelet at its own port: each path needs one of these subresources of nodes, and the token has some. */
async function startKubelet(
	rights: readonly string[],
	needed: Readonly<Record<string, readonly string[]>> = fineGrained,
	address?: string,
	tls = serverTls,
	summary: object | string = {node: {memory: {workingSetBytes: 7}}, pods: []},
): Promise<FakeApiServer> {
	const kubelet = stack.use(await FakeApiServer.start(tls, address));
	kubelet.intercept(({url, headers}, response) => {
		const subresources = needed[url.pathname] ?? ['proxy'];
		if (headers.authorization !== `Bearer ${token}`) answerStatus(response, 401, 'Unauthorized');
		else if (!subresources.some((one) => rights.includes(one))) response.writeHead(403).end('Forbidden');
		else if (url.pathname === '/configz')
			answerJson(response, {kubeletconfig: {nodeLeaseDurationSeconds: 7}});
		else response.end(typeof summary === 'string' ? summary : JSON.stringify(summary));
		return true;
	});
	return kubelet;
}

function addNode(name: string, kubelet: Pick<FakeApiServer, 'url'>, address = '127.0.0.1'): void {
	const addresses = [
		{type: 'Hostname', address: name},
		{type: 'InternalIP', address},
	];
	const daemonEndpoints = {kubeletEndpoint: {Port: Number(new URL(kubelet.url).port)}};
	server.apply('nodes', {metadata: {name}, spec: {}, status: {addresses, daemonEndpoints}});
}

const reach = async (options: ConnectionOptions = {}) => {
	const flags = {server: server.url, certificateAuthority, token, ...options};
	const cluster = await connect(
		{kubeletCertificateAuthority: certificateAuthority, ...flags},
		bareEnvironment(),
	);
	stack.defer(() => cluster.close());
	return cluster;
};

async function look(names: readonly string[], options: ConnectionOptions = {}) {
	const looker = (await reach(options)).pressureLooker();
	const looks: PressureLook[] = [];
	await looker.lookAt(names, (one) => looks.push(one));
	return {sources: looks.map(({source}) => source), messages: looker.problems.map(({message}) => message)};
}

const pathsAsked = (of: FakeApiServer) => of.asked.map(({url}) => url.pathname).toSorted();

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({address}) => address === '::1'));

test.for(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
	'a kubelet is read at its own port %s with nodes/stats and nodes/configz, and without nodes/proxy',
	async (address) => {
		const kubelet = await startKubelet(['stats', 'configz'], fineGrained, address);
		addNode('n1', kubelet, address);
		expect(await look(['n1'])).toEqual({sources: ['kubelet'], messages: []});
		expect(pathsAsked(kubelet)).toEqual(['/configz', '/stats/summary']);
		expect(pathsAsked(server).filter((path) => path.includes('/proxy'))).toEqual([]);
		expect(await (await reach()).kubeletConfig('n1')).toMatchObject({leaseDuration: 7000});
	},
);

test('without the flag, kubelets are asked through the API server', async () => {
	addNode('n1', await startKubelet(['stats', 'configz']));
	await look(['n1'], {kubeletCertificateAuthority: undefined});
	expect(pathsAsked(server)).toContain('/api/v1/nodes/n1/proxy/stats/summary');
});

test('each kubelet is found at the address of its node, and where it has gone meanwhile', async () => {
	const [first, second] = [await startKubelet(['proxy', 'stats']), await startKubelet(['proxy', 'stats'])];
	addNode('n1', first);
	addNode('n2', second);
	const looker = (await reach()).pressureLooker();
	const sources: unknown[] = [];
	const lookAtAll = () => looker.lookAt(['n1', 'n2'], ({node, source}) => sources.push([node, source]));
	await lookAtAll();
	await second[Symbol.asyncDispose]();
	await lookAtAll();
	const moved = await startKubelet(['proxy', 'stats']);
	addNode('n2', moved);
	await lookAtAll();
	const [n1, n2] = [
		['n1', 'kubelet'],
		['n2', 'kubelet'],
	];
	expect(sources.filter((one) => JSON.stringify(one) === JSON.stringify(n1))).toHaveLength(3);
	expect(sources.filter((one) => JSON.stringify(one) === JSON.stringify(n2))).toHaveLength(2);
	expect(pathsAsked(moved)).toContain('/stats/summary');
	expect(looker.problems).toEqual([]);
});

const ofNode = (nodeName: string) =>
	startKubelet(['stats', 'configz'], fineGrained, undefined, undefined, {node: {nodeName}, pods: []});

test('a node whose address another one has by now is found at its new one, in the same look', async () => {
	const [first, second] = [await ofNode('n1'), await ofNode('n1')];
	addNode('n1', first);
	const looker = (await reach()).pressureLooker();
	const looks: PressureLook[] = [];
	await looker.lookAt(['n1'], (look) => looks.push(look));
	first.intercept(({url}, response) => {
		if (url.pathname === '/stats/summary') answerJson(response, {node: {nodeName: 'n2'}, pods: []});
		return url.pathname === '/stats/summary';
	});
	addNode('n1', second);
	await looker.lookAt(['n1'], (look) => looks.push(look));
	expect(looks.map(({source}) => source)).toEqual(['kubelet', 'kubelet']);
	expect(pathsAsked(second)).toContain('/stats/summary');
	expect(looker.problems).toEqual([]);
});

test("another node's statistics are not taken for those of a node, and it is not asked without an end", async () => {
	const kubelet = await ofNode('n2');
	addNode('n1', kubelet);
	const {sources, messages} = await look(['n1']);
	expect(sources).toEqual([undefined]);
	expect(messages[0]).toMatch(
		/^the kubelet that is asked at 127\.0\.0\.1:\d+ is that of node n2, not of n1: /,
	);
	expect(pathsAsked(kubelet).filter((path) => path === '/stats/summary')).toHaveLength(1);
});

test('a credential is removed from what a kubelet says of itself wherever its end would be cut', async () => {
	keepSecret('SECRETtok3nABCDEFGHIJKL');
	addNode('n1', await ofNode(`${'y '.repeat(120)}SECRETtok3nABCDEFGHIJKL`));
	const {messages} = await look(['n1']);
	expect(messages[0]).toMatch(/^the kubelet that is asked at/);
	expect(messages[0]).not.toContain('SEC');
});

test('what listens at the port of a kubelet and is none is told as such', async () => {
	addNode('n1', await startKubelet(['stats', 'configz'], fineGrained, undefined, undefined, 'hello'));
	const {messages} = await look(['n1']);
	expect(messages[0]).toMatch(
		/^127\.0\.0\.1:\d+ does not answer like a kubelet: no JSON at \/stats\/summary/,
	);
});

test('before v1.33 the configuration needs nodes/proxy: the statistics are there, and which right is missing is said', async () => {
	addNode('n1', await startKubelet(['stats', 'configz'], before133));
	expect(await look(['n1'])).toEqual({
		sources: ['kubelet'],
		messages: [
			"kubelets refuse GET /configz (the right to get nodes/configz, or before v1.33 nodes/proxy is missing): a kubelet's defaults are assumed",
		],
	});
});

test('that statistics are forbidden is one problem, which names the right', async () => {
	addNode('n1', await startKubelet(['configz']));
	const {sources, messages} = await look(['n1']);
	expect(sources).toEqual([undefined]);
	expect(messages[0]).toContain('the right to get nodes/stats is missing');
	expect(messages.join('\n')).not.toContain('nodes/configz');
});

test.for([
	{name: 'of its own', address: '127.0.0.1', tls: {...serverTls, ...selfSigned}},
	{name: 'of another address', address: '127.0.0.2', tls: serverTls},
])(
	'a kubelet with a certificate $name gets no token, and what to do is said',
	async ({address, tls}, {skip}) => {
		skip(address !== '127.0.0.1' && process.platform !== 'linux');
		const kubelet = await startKubelet(['stats', 'configz'], fineGrained, address, tls);
		addNode('n1', kubelet, address);
		// What is forgiven the API server is not forgiven kubelets.
		const insecure = {certificateAuthority: undefined, insecureSkipTlsVerify: true};
		const {messages} = await look(['n1'], insecure);
		expect(messages[0]).toMatch(/^no trusted connection to 127\.0\.0\.[12]:\d+: /);
		expect(messages[0]).toContain('serverTLSBootstrap');
		expect(messages[0]).toContain('--kubelet-certificate-authority');
		expect(messages[0]).toContain('or name another authority, as ');
		expect(kubelet.asked).toEqual([]);
	},
);

test('a kubelet that knows no tokens is that node alone', async () => {
	addNode('n1', await startKubelet(['stats', 'configz']));
	const {messages} = await look(['n1'], {token: 'other'});
	expect(messages[0]).toContain('the kubelet of node n1 does not accept the credentials (401 Unauthorized)');
});

test('a node without an InternalIP is told as such', async () => {
	addNode('n1', await startKubelet(['stats']), 'n1.internal');
	const {messages} = await look(['n1']);
	expect(messages[0]).toContain('node n1 reports no InternalIP at which its kubelet could be asked');
});

test.for([
	{name: '--as', options: {as: 'jane'}},
	{name: 'a password', options: {token: undefined, username: 'jane', password: 'x'}},
])('$name is refused: the kubelet would see somebody else, or what it must not', async ({options}) => {
	await expect(reach(options)).rejects.toThrow('kubelets know neither');
});

test('an authority that cannot be read is an error at once', async () => {
	await expect(reach({kubeletCertificateAuthority: '/nonexistent'})).rejects.toThrow(
		'cannot read the CA certificate of the kubelets in /nonexistent',
	);
});
