import {afterEach, beforeEach, expect, test} from 'vitest';
import {builtProgram} from '../../support/builtProgram.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {barePath, runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = builtProgram;

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
});
afterEach(() => server[Symbol.asyncDispose]());

function run(...args: readonly string[]) {
	const env = {PATH: barePath, HOME: folder};
	return runProgram(program, [...args, '-s', server.url], {env});
}

/** Adds a node without a heartbeat for four minutes, tainted three minutes ago by the server's clock. */
function applyDeadNode(now: number): void {
	const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
	const key = 'node.kubernetes.io/unreachable';
	const dead = {
		spec: {taints: [{key, effect: 'NoExecute', timeAdded: ago(3)}]},
		status: {
			conditions: [
				{type: 'Ready', status: 'Unknown', lastHeartbeatTime: ago(4), lastTransitionTime: ago(3.2)},
			],
		},
	};
	const alive = {
		status: {
			conditions: [{type: 'Ready', status: 'True', lastHeartbeatTime: ago(0), lastTransitionTime: ago(60)}],
		},
	};
	server.apply('nodes', rawNode('dead', dead));
	server.apply('nodes', rawNode('alive', alive));
	server.apply('leases', rawLease('kube-node-lease', 'dead', ago(4).replace('Z', '000Z')));
	server.apply('leases', rawLease('kube-node-lease', 'alive', ago(0).replace('Z', '000Z')));
	server.apply('leases', rawLease('kube-system', 'kube-controller-manager', ago(0).replace('Z', '000Z')));
	const pod = rawPod('default', 'cart-0', 'dead');
	const toleration = {key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300};
	server.apply('pods', {...pod, spec: {nodeName: 'dead', tolerations: [toleration]}});
}

test.for(['nodes', 'zones'])(
	'%s of those who may not read nodes is an error, not an empty list',
	async (command) => {
		applyDeadNode(Date.now());
		server.forbid('nodes');
		const {code, out, err} = await run(command);
		expect({code, out}).toEqual({code: 1, out: ''});
		expect(err).toMatch(
			/^error: .*nodes is forbidden.*\nask for a role that may get, list and watch nodes; /,
		);
		const pods = await run('pods');
		expect(pods).toMatchObject({code: 0, out: expect.stringMatching(/^NAME .*\ncart-0 .*Unsure/)});
	},
);

test.for([0, 300_000, -300_000])(
	'a countdown is as long as the server has it, %i ms away from this clock',
	async (ahead) => {
		server.clock = () => Date.now() + ahead;
		applyDeadNode(server.clock());
		const {code, out} = await run('pods');
		expect(code).toBe(0);
		expect(out).toMatch(/\ncart-0 +(1m5\ds|2m)\S* +\S+Z +Scheduled/);
	},
);
