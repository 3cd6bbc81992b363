import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {run} from '../../cmd/run.ts';
import {recordingTerminal} from './recordingTerminal.ts';

/** A server that forbids everything. */
const server = createServer((_, response) => {
	const status = {apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403};
	response.writeHead(403, {'content-type': 'application/json'});
	response.end(JSON.stringify({...status, message: 'user "bob" cannot'}));
});
/** A server of one dead node that fails to list pods. */
const withoutPods = createServer(({url = ''}, response) => {
	const node = {
		metadata: {name: 'w1', labels: {}},
		spec: {taints: [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'}]},
		status: {conditions: [{type: 'Ready', status: 'Unknown'}]},
	};
	const fails = /\/pods\?/.test(url);
	const items = /\/nodes\?/.test(url) ? [node] : [];
	const list = {apiVersion: 'v1', kind: 'List', metadata: {resourceVersion: '1'}, items};
	const failure = {
		apiVersion: 'v1',
		kind: 'Status',
		status: 'Failure',
		message: 'user "bob" cannot',
		code: 500,
	};
	response.writeHead(fails ? 500 : 200, {'content-type': 'application/json'});
	response.end(JSON.stringify(fails ? failure : list));
});
const servers = [server, withoutPods];

beforeAll(async () => {
	for (const each of servers) {
		each.listen(0, '127.0.0.1');
		await once(each, 'listening');
	}
});
afterAll(() => {
	for (const each of servers) {
		each.close();
		each.closeAllConnections();
	}
});

/** Runs a command on a server, and returns its code and texts, an error's among them. */
async function ask(line: string, of: typeof server) {
	const {port} = of.address() as AddressInfo;
	const terminal = recordingTerminal();
	const words = [...line.split(' '), '-s', `http://127.0.0.1:${port}`];
	const exitCode = await run(words, terminal).catch((error: Error) => {
		void terminal.printError(error.message);
		return 1;
	});
	return {exitCode, ...terminal.texts()};
}

const calm =
	/no pod will|will be evicted$|[Nn]o rescue|[Nn]o evictions expected|not found|No node is heard|No workload|no additional/;

test.for([
	'status',
	'rescue',
	'pods -A',
	'nodes',
	'zones',
	'workloads -A',
	'events -A',
	'pressure',
	'pressure w1',
	'pods,nodes -A -o json',
	'explain node/w1',
	'what-if --node-down w1',
	'what-if --zone-down eu/a',
	'what-if --how-many-more',
	'record - --for 10m',
])('%s: where nothing may be read, that is said, and the code is 1', async (line) => {
	const {exitCode, out, err} = await ask(line, server);
	expect({exitCode, err}).toEqual({exitCode: 1, err: expect.stringContaining('user "bob" cannot')});
	expect(out + err).not.toMatch(calm);
});

test.for([
	'status',
	'rescue',
	'pods -A --exit-code',
	'workloads -A',
	'clusters --exit-code',
	'what-if --node-down w1',
])('%s: where pods cannot be listed, nothing is known of them, and the code is 1', async (line) => {
	const {exitCode, out, err} = await ask(line, withoutPods);
	expect({exitCode, err}).toEqual({exitCode: 1, err: expect.stringContaining('user "bob" cannot')});
	expect(out + err).not.toMatch(calm);
});
