import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builtProgram} from '../../support/builtProgram.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode} from '../../support/rawObjects.ts';
import {barePath, runProgram} from '../../support/runProgram.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';
import {certificateAuthority, serverTls} from '../../support/tlsFiles.ts';

/** Runs the program in its own process, because the system's certificates are read at its start. */
const run = (args: readonly string[], env: Record<string, string>) =>
	runProgram(builtProgram, args, {env: {...env, PATH: barePath}});

test('without a CA the certificates of the system count, which SSL_CERT_FILE replaces', async () => {
	using folder = new TemporaryFolder();
	await using server = await FakeApiServer.start(serverTls);
	server.apply('nodes', rawNode('n1'));
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
	const args = ['nodes', '-s', server.url];
	const env = {HOME: folder.path, KUBECONFIG: join(folder.path, 'none')};
	expect(await run(args, env)).toMatchObject({
		code: 1,
		err: expect.stringContaining('no trusted connection'),
	});
	expect(await run(args, {...env, SSL_CERT_FILE: certificateAuthority})).toMatchObject({code: 0});
});
