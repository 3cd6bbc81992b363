import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {builtProgram} from '../../support/builtProgram.ts';
import {bareHome} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: home} = testFolder();
const program = builtProgram;

const nothing = 'Nothing was recorded: the cluster has not answered yet.\n';

test.for([
	{args: ['pods', '-w'], message: ''},
	{args: ['nodes', '-w', '-o', 'json'], message: ''},
	{args: ['pressure', '-w'], message: ''},
	{args: ['record', 'outage.jsonl'], message: nothing},
])('ctrl-c ends $args in order while a server gives no answer', async ({args, message}) => {
	const asked = Promise.withResolvers<void>();
	const closed = Promise.withResolvers<void>();
	const silent = createServer(({socket}) => {
		socket.once('close', () => closed.resolve());
		asked.resolve();
	}).listen(0, '127.0.0.1');
	await once(silent, 'listening');
	const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
	const env = bareHome(home);
	const child = spawn(program, [...args, '-s', server], {
		env,
		cwd: home,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	try {
		const exit = once(child, 'exit');
		const [out, err] = [text(child.stdout), text(child.stderr)];
		await asked.promise;
		child.kill('SIGINT');
		// As for every interrupted command, the shell sees which signal ended it.
		expect(await exit).toEqual([null, 'SIGINT']);
		await closed.promise;
		expect([await out, await err]).toEqual(['', message]);
		expect(readdirSync(home)).not.toContain('outage.jsonl');
	} finally {
		child.kill('SIGKILL');
		silent.closeAllConnections();
		silent.close();
	}
});
