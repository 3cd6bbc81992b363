import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {RequestError} from '../../src/cluster/requestError.ts';
import {answerJson, answerStatus, FakeApiServer} from '../support/fakeApiServer.ts';
import {bareSurroundings} from '../support/testSurroundings.ts';

test('one object is asked for by itself: as it is, not there, or not to be read', async () => {
	await using server = await FakeApiServer.start();
	server.intercept(({url}, response) => {
		const metadata = {name: 'web', namespace: 'shop', uid: 'u1'};
		if (url.pathname === '/api/v1/namespaces/shop/pods/web') answerJson(response, {metadata});
		else answerStatus(response, url.pathname === '/api/v1/nodes/gone' ? 404 : 403, 'no');
		return true;
	});
	const cluster = await connect({server: server.url}, bareSurroundings());
	try {
		expect(await cluster.pod('shop', 'web')).toMatchObject({namespace: 'shop', name: 'web', uid: 'u1'});
		expect(await cluster.node('gone')).toBeUndefined();
		await expect(cluster.node('hidden')).rejects.toThrow(RequestError);
	} finally {
		await cluster.close();
	}
});
