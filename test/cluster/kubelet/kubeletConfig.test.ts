import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import {answerJson, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
});
afterEach(() => server[Symbol.asyncDispose]());

/** The parsed response to a request for configz. */
async function read(kubeletconfig: unknown) {
	server.intercept(({url}, response) => {
		if (url.pathname !== '/api/v1/nodes/n1/proxy/configz') return false;
		answerJson(response, {kubeletconfig});
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment());
	return cluster.kubeletConfig('n1').finally(() => cluster.close());
}

test('a kubelet tells its lease and how often it posts its status', async () => {
	const told = {
		nodeLeaseDurationSeconds: 20,
		nodeStatusUpdateFrequency: '10s',
		nodeStatusReportFrequency: '5m0s',
		evictionHard: {},
	};
	expect(await read(told)).toEqual({
		node: 'n1',
		leaseDuration: 20_000,
		statusUpdateFrequency: 10_000,
		statusReportFrequency: 300_000,
	});
});

test.for([undefined, 'no object', {nodeLeaseDurationSeconds: -1, nodeStatusUpdateFrequency: 'soon'}])(
	'what makes no sense is left out: %j',
	async (config) => {
		expect(await read(config)).toEqual({node: 'n1'});
	},
);

test('whoever may not ask is told so', async () => {
	server.refuse(403, 'nodes "n1" is forbidden: cannot get resource "nodes/proxy"', ({url}) =>
		url.pathname.endsWith('/configz'),
	);
	const cluster = await connect({server: server.url}, bareEnvironment());
	await expect(cluster.kubeletConfig('n1').finally(() => cluster.close())).rejects.toMatchObject({
		message: expect.stringContaining('nodes/proxy'),
	});
});
