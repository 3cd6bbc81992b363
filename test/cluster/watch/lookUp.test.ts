import {expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import {RequestError} from '../../../src/cluster/transport/requestError.ts';
import {answerJson, answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';

test('one object is asked for by a list: as it is, not there, or not to be read', async () => {
	await using server = await FakeApiServer.start();
	const metadata = {name: 'web', namespace: 'shop', uid: 'u1'};
	const lists: Readonly<Record<string, readonly object[]>> = {
		'/api/v1/namespaces/shop/pods metadata.name=web': [{metadata}],
		'/api/v1/nodes metadata.name=gone': [],
	};
	server.intercept(({url}, response) => {
		const items = lists[`${url.pathname} ${url.searchParams.get('fieldSelector')}`];
		if (items)
			answerJson(response, {kind: 'List', apiVersion: 'v1', metadata: {resourceVersion: '7'}, items});
		else answerStatus(response, 403, 'no');
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment());
	try {
		expect(await cluster.pod('shop', 'web')).toMatchObject({namespace: 'shop', name: 'web', uid: 'u1'});
		expect(await cluster.node('gone')).toBeUndefined();
		await expect(cluster.node('hidden')).rejects.toThrow(RequestError);
	} finally {
		await cluster.close();
	}
});

test('a server that is too busy is asked once', async () => {
	await using server = await FakeApiServer.start();
	server.refuse(429, 'too many requests');
	const cluster = await connect({server: server.url}, bareEnvironment());
	try {
		await expect(cluster.pod('shop', 'web')).rejects.toMatchObject({status: 429});
		expect(server.asked).toHaveLength(1);
	} finally {
		await cluster.close();
	}
});
