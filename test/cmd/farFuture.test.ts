import {expect, test} from 'vitest';
import {run} from '../../cmd/run.ts';
import {FakeApiServer} from '../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../support/rawObjects.ts';
import {recordingTerminal} from './recordingTerminal.ts';

test('a lease that is renewed in the year 9999 holds up no answer', {timeout: 20_000}, async () => {
	await using server = await FakeApiServer.start();
	const conditions = [{type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString()}];
	for (const name of ['n1', 'n2']) server.apply('nodes', rawNode(name, {status: {conditions}}));
	server.apply('leases', rawLease('kube-node-lease', 'n1', '9999-12-31T23:59:59.999999Z'));
	server.apply('leases', rawLease('kube-node-lease', 'n2', new Date().toISOString()));
	const terminal = recordingTerminal();
	expect(await run(['what-if', '--node-down', 'n1', '-s', server.url], terminal)).toBe(0);
	expect(terminal.texts().out).toContain('n1');
});
