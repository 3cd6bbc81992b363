import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {resolveAccess} from '../../src/cluster/access/access.ts';
import {connect} from '../../src/cluster/cluster.ts';
import {openTransport} from '../../src/cluster/transport/transport.ts';
import {answerStatus, FakeApiServer} from '../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

test.for(['a list', 'a watch'])(
	'what a proxy says, compressed, when it refuses %s is told, and counted',
	async (what) => {
		await using server = await FakeApiServer.start();
		const words = gzipSync(JSON.stringify({kind: 'Status', message: 'the gateway is closed for the night'}));
		server.intercept((_, response) => {
			response.writeHead(403, {'content-encoding': 'gzip', 'content-type': 'application/json'}).end(words);
			return true;
		});
		const environment = bareEnvironment({});
		const access = await resolveAccess({server: server.url}, environment);
		const transport = await openTransport(access, environment, instantTiming());
		try {
			const {signal} = new AbortController();
			const asking =
				what === 'a list'
					? transport.json('/api/v1/nodes')
					: transport.stream('/api/v1/nodes', {watch: 'true'}, 1000, signal);
			await expect(asking).rejects.toThrow('the gateway is closed for the night');
			expect(transport.traffic.counts.bytes).toBe(words.length);
		} finally {
			await transport.close();
		}
	},
);

test('a version that may not be read is a problem that says what is taken, and all else is read', async () => {
	await using server = await FakeApiServer.start();
	server.intercept(({url}, response) => {
		if (!url.pathname.endsWith('/version')) return false;
		answerStatus(response, 403, 'forbidden');
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const {problems, kubernetesVersion, nodes} = await cluster.snapshot({pods: {type: 'all'}});
	expect(problems.map(({reason}) => reason)).toEqual(['VersionForbidden']);
	expect(problems[0]?.message).toContain('newest known version');
	expect([kubernetesVersion, nodes]).toEqual([undefined, []]);
	await cluster.close();
});
