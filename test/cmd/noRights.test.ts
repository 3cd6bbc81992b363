import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {chosenContexts} from '../../cmd/clusters/chosenContexts.ts';
import {followFleet} from '../../cmd/clusters/followedFleet.ts';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {run} from '../../cmd/run.ts';
import {recordingTerminal} from './recordingTerminal.ts';

/** A server of some nodes, of which one is dead, that refuses what it is told to refuse with a code. */
const refusing = (
	code: number,
	isRefused: (url: string) => boolean,
	nodes: readonly object[] = [dead],
	pods: readonly object[] = [],
) =>
	createServer(({url = ''}, response) => {
		const refused = isRefused(url);
		response.writeHead(refused ? code : 200, {'content-type': 'application/json'});
		const items = /\/nodes\?/.test(url) ? nodes : /\/pods\?/.test(url) ? pods : [];
		const list = {apiVersion: 'v1', kind: 'List', metadata: {resourceVersion: '1'}, items};
		const status = {apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Forbidden', code};
		response.end(JSON.stringify(refused ? {...status, message: 'user "bob" cannot'} : list));
	});
const dead = {
	metadata: {name: 'w1', labels: {}},
	spec: {taints: [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'}]},
	status: {conditions: [{type: 'Ready', status: 'Unknown'}]},
};
const owner = {apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true};
const calmPod = {
	metadata: {name: 'p', namespace: 'default', uid: 'p', ownerReferences: [owner]},
	spec: {nodeName: 'w2'},
	status: {phase: 'Running'},
};
const well = {metadata: {name: 'w2', labels: {}}, status: {conditions: [{type: 'Ready', status: 'True'}]}};

const server = refusing(403, () => true);
const withoutPods = refusing(500, (url) => /\/pods\?/.test(url));
const ofOneNamespace = refusing(403, (url) => /v1\/pods\?/.test(url));
const ofLeases = (url: string) => /kube-node-lease/.test(url);
const withoutLeases = {
	403: refusing(403, ofLeases, [well], [calmPod]),
	500: refusing(500, ofLeases, [well], [calmPod]),
};
const servers = [server, withoutPods, ofOneNamespace, ...Object.values(withoutLeases)];

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
	/no pod will|will be evicted$|[Nn]o rescue|[Nn]o evictions expected|not found|No node is heard|No workload|no additional|nothing to prevent/;

test.for([
	'status',
	'rescue',
	'rescue node/w1',
	'clusters',
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

const asked = ['status', 'pods -A --exit-code', 'workloads -A', 'clusters --exit-code'];

test.for(asked)('%s: where only one namespace may be read, nothing is known of the others', async (line) => {
	const {exitCode, out, err} = await ask(line, ofOneNamespace);
	expect({exitCode, err}).toEqual({exitCode: 1, err: expect.stringContaining('OtherNamespacesForbidden')});
	expect(out + err).not.toMatch(calm);
});

test('what may not be read of a cluster that is followed is not known, instead of none', async () => {
	const {port} = server.address() as AddressInfo;
	const options = parseCommandLine(['clusters', '-s', `http://127.0.0.1:${port}`]);
	const fleet = followFleet(await chosenContexts(options), options);
	const summary = () => fleet.view().clusters[0]?.summary;
	await expect.poll(summary, {timeout: 5000}).toMatchObject({nodes: null, evictions: null, workloads: null});
	await fleet.end();
});

test('that one namespace is told of as usual', async () => {
	const {exitCode, err} = await ask('pods --exit-code', ofOneNamespace);
	expect({exitCode, err}).toEqual({exitCode: 0, err: expect.stringMatching(/^No evictions expected/m)});
});

test.for(
	[
		...asked,
		'rescue -A',
		'explain node/w1',
		'nodes',
		'zones',
		'pods -A',
		'nodes -o json',
		'nodes,pods -A',
		'workloads rs',
		'pods p',
	].flatMap((line) => ([403, 500] as const).map((code) => ({line, code}))),
)(
	'$line: where leases cannot be read ($code), a node that seems well may be silent',
	async ({line, code}) => {
		const {exitCode, out, err} = await ask(line, withoutLeases[code]);
		expect({exitCode, told: out + err}).toEqual({exitCode: 1, told: expect.stringMatching(/Leases/)});
		expect(out + err).not.toMatch(/no pod will|No evictions expected|healthy|No workload/);
	},
);
