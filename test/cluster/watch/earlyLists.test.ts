import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Cluster, connect} from '../../../src/cluster/cluster.ts';
import {FakeApiServer, type Resource} from '../../support/fakeApiServer.ts';
import {Follower} from '../../support/follower.ts';
import {rawLease, rawNode} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
let stack: AsyncDisposableStack;
let cluster: Cluster;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	server = stack.use(await FakeApiServer.start());
	server.apply('nodes', rawNode('n1'));
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
	cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	stack.defer(() => cluster.close());
});
afterEach(() => stack.disposeAsync());

/** The lists of all nodes, or of their leases. */
const lists = (resource: Resource) =>
	server.asked.filter(({resource: asked, url: {searchParams}}) => {
		const isPulse = searchParams.get('limit') === '1';
		return asked === resource && !isPulse && !searchParams.has('watch') && !searchParams.has('fieldSelector');
	});

/** Lists early, lets `meanwhile` happen once both were asked for, and follows. */
async function followedAfter(meanwhile: () => void = () => undefined): Promise<Follower> {
	cluster.listEarly();
	await expect.poll(() => lists('nodes').length + lists('leases').length).toBe(2);
	meanwhile();
	return stack.use(new Follower(cluster));
}

test('a watch begins with the lists that were requested before it, and goes on from there', async () => {
	const opened = [server.nextWatch('nodes'), server.nextWatch('leases')];
	const follower = await followedAfter(() => server.apply('nodes', rawNode('n2')));
	await follower.untilReceived('nodeApplied n2');
	await Promise.all(opened);
	expect(follower.received.toSorted()).toEqual([
		'leaseApplied kube-node-lease/n1',
		'nodeApplied n1',
		'nodeApplied n2',
	]);
	expect([lists('nodes').length, lists('leases').length]).toEqual([1, 1]);
});

test('a list that failed is requested again', async () => {
	const heal = server.refuse(503, 'starting', ({resource}) => resource === 'nodes');
	const follower = await followedAfter(heal);
	await follower.untilReceived('nodeApplied n1');
	expect(lists('nodes')).toHaveLength(2);
});

test('a second watch lists anew', async () => {
	const first = await followedAfter();
	await first.untilReceived('nodeApplied n1');
	await first[Symbol.asyncDispose]();
	server.remove('nodes', 'n1');
	server.apply('nodes', rawNode('n2'));
	const second = stack.use(new Follower(cluster));
	await second.untilReceived('nodeApplied n2');
	expect(second.received).not.toContain('nodeApplied n1');
});

test('a watch that ends does not wait for a list without an answer', async () => {
	server.intercept(({resource}) => resource === 'nodes');
	const follower = await followedAfter();
	await follower[Symbol.asyncDispose]();
	expect(follower.received).toEqual([]);
});
