import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, request} from 'node:http';
import {type AddressInfo, connect, type Socket} from 'node:net';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {startDemo} from '../../../src/demo/demo.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {answerJson, FakeApiServer} from '../../support/fakeApiServer.ts';
import {encodeSummary} from '../../support/fakeKubelet.ts';
import {memoryLeft, memoryStats} from '../../support/pressure.ts';
import {rawLease} from '../../support/rawObjects.ts';
import {bareHome} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';
import {certificateAuthority, serverTls} from '../../support/tlsFiles.ts';

const {path: home} = testFolder();
const program = builtProgram;

test('the program follows a cluster, says so, and ends well when it is asked to', async () => {
	const demo = await startDemo(demoScenario('node-dies'), {port: 0, clock: Date.now, seed: 1});
	const env = bareHome(home);
	const child = spawn(program, ['shadow', '-s', demo.url], {env, stdio: ['ignore', 'pipe', 'pipe']});
	try {
		let [out, err] = ['', ''];
		child.stdout.on('data', (data) => {
			out += data;
		});
		const exit = once(child, 'exit');
		for await (const data of child.stderr) {
			err += data;
			if (err.includes('Following')) break;
		}
		expect(err).toMatch(/Following \d+ nodes in \d+ zones; ctrl-c ends it\.\n$/);
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
		expect(out).toBe('');
	} finally {
		child.kill('SIGKILL');
		await demo.close();
	}
});

test('with the authority of the kubelets, it counts whom they will evict, and asks nothing through the API server', async () => {
	await using server = await FakeApiServer.start(serverTls);
	await using kubelet = await FakeApiServer.start(serverTls);
	kubelet.intercept(({url}, response) => {
		const kubeletconfig = {evictionHard: {'memory.available': '500Mi'}, enforceNodeAllocatable: []};
		if (url.pathname === '/configz') answerJson(response, {kubeletconfig});
		else response.end(encodeSummary(memoryLeft('300Mi', [memoryStats('cart', '900Mi')]), 'n1'));
		return true;
	});
	const now = new Date().toISOString();
	const conditions = ['Ready', 'MemoryPressure'].map((type) => ({
		type,
		status: 'True',
		lastTransitionTime: now,
	}));
	const status = {
		conditions,
		addresses: [{type: 'InternalIP', address: '127.0.0.1'}],
		daemonEndpoints: {kubeletEndpoint: {Port: Number(new URL(kubelet.url).port)}},
	};
	server.apply('nodes', {metadata: {name: 'n1', uid: 'n1'}, spec: {}, status});
	server.apply('leases', rawLease('kube-node-lease', 'n1', now.replace('Z', '000Z')));
	server.apply('pods', {
		metadata: {name: 'cart', namespace: 'eu', uid: 'uid-cart'},
		spec: {nodeName: 'n1', containers: [{name: 'app'}]},
		status: {phase: 'Running'},
	});
	const trust = ['--certificate-authority', '--kubelet-certificate-authority'].flatMap((flag) => [
		flag,
		certificateAuthority,
	]);
	const flags = ['-s', server.url, '--token=t', ...trust, '--listen=127.0.0.1:0', '--log-format=json'];
	const child = spawn(program, ['shadow', ...flags], {
		env: bareHome(home),
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	try {
		const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
		const {url} = JSON.parse(line.split('\n')[0]);
		const metrics = async () => (await fetch(`${url}/metrics`)).text();
		await expect.poll(metrics).toContain('evictwatch_pods{verdict="Expected"} 1');
		expect(await (await fetch(url)).text()).toContain('NodePressure (memory.available)');
		expect(
			server.asked.map(({url: {pathname}}) => pathname).filter((path) => path.includes('/proxy')),
		).toEqual([]);
		expect(kubelet.asked.every(({headers}) => headers.authorization === 'Bearer t')).toBe(true);
	} finally {
		child.kill('SIGKILL');
	}
});

test('a client that holds 64 idle connections keeps no probe out, and no page of a foreign name is let in', async () => {
	const silent = createServer().listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
	const env = bareHome(home);
	const flags = ['shadow', '-s', server, '--listen', '127.0.0.1:0', '--log-format', 'json'];
	const child = spawn(program, flags, {env, stdio: ['ignore', 'ignore', 'pipe']});
	const held: Socket[] = [];
	try {
		const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
		const url = new URL(JSON.parse(line.split('\n')[0]).url);
		for (let count = 0; count < 64; count += 1) {
			const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
			held.push(socket);
			await once(socket, 'connect');
		}
		const statusOf = async (host: string) => {
			const asked = request(new URL('/livez', url), {agent: false, headers: {host}}).end();
			const [answer] = await once(asked, 'response');
			answer.resume();
			return answer.statusCode;
		};
		expect([await statusOf(url.host), await statusOf('evil.example')]).toEqual([200, 403]);
	} finally {
		for (const socket of held) socket.destroy();
		child.kill('SIGKILL');
		silent.closeAllConnections();
		silent.close();
	}
});

test.for([
	{how: 'the launcher', command: [program]},
	{how: "npm's link", command: [process.execPath, join(dirname(program), 'npm.cjs')]},
])('SIGUSR1 opens no debugger: $how', async ({command: [file = '', ...args]}) => {
	const silent = createServer().listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
	const flags = ['shadow', '-s', server, '--listen', '127.0.0.1:0', '--log-format', 'json'];
	const env = bareHome(home);
	const child = spawn(file, [...args, ...flags], {env, stdio: ['ignore', 'ignore', 'pipe']});
	try {
		let err = '';
		child.stderr.setEncoding('utf8').on('data', (part) => {
			err += part;
		});
		await once(child.stderr, 'data');
		const {url} = JSON.parse(err.split('\n')[0] ?? '');
		child.kill('SIGUSR1');
		for (let count = 0; count < 20; count += 1) await (await fetch(new URL('/livez', url))).text();
		const exit = once(child, 'exit');
		child.kill('SIGTERM');
		await exit;
		expect(err).not.toContain('Debugger');
	} finally {
		child.kill('SIGKILL');
		silent.closeAllConnections();
		silent.close();
	}
});

test('a signal ends it in order also while it waits for the first answer of a server that gives none', async () => {
	const asked = Promise.withResolvers<void>();
	const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
	const env = bareHome(home);
	const flags = ['shadow', '-s', server, '--listen', '127.0.0.1:0', '--log-format', 'json'];
	const child = spawn(program, flags, {env, stdio: ['ignore', 'ignore', 'pipe']});
	try {
		const exit = once(child, 'exit');
		const errors = text(child.stderr);
		await asked.promise;
		const sentAt = performance.now();
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
		// Otherwise it would wait half a minute for the answer.
		expect(performance.now() - sentAt).toBeLessThan(20_000);
		expect((await errors).match(/"message":"(listening|stopping)"/g)).toHaveLength(2);
	} finally {
		child.kill('SIGKILL');
		silent.closeAllConnections();
		silent.close();
	}
});
