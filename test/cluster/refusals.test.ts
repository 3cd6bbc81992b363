import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {resolveAccess} from '../../src/cluster/access.ts';
import {openTransport} from '../../src/cluster/transport.ts';
import {FakeApiServer} from '../support/fakeApiServer.ts';
import {bareSurroundings, instantTiming} from '../support/testSurroundings.ts';

test.for(['a list', 'a watch'])(
	'what a proxy says, compressed, when it refuses %s is told, and counted',
	async (what) => {
		await using server = await FakeApiServer.start();
		const words = gzipSync(JSON.stringify({kind: 'Status', message: 'the gateway is closed for the night'}));
		server.intercept((_, response) => {
			response.writeHead(403, {'content-encoding': 'gzip', 'content-type': 'application/json'}).end(words);
			return true;
		});
		const surroundings = bareSurroundings({});
		const access = await resolveAccess({server: server.url}, surroundings);
		const transport = await openTransport(access, surroundings, instantTiming());
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
