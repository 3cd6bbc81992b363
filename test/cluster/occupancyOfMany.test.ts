import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {systemClock} from '../../src/live/clock.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {FakeApiServer} from '../support/fakeApiServer.ts';
import {rawPod} from '../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

const troubled = (count: number) => Array.from({length: count}, (_, index) => `none-${index}`);

test('of a large cluster it is read node by node what runs there, of those that are asked for', async () => {
	const scenario = demoScenario('zone-dies');
	const demo = await startDemo(scenario, {port: 0, clock: systemClock.now, speed: () => 1, seed: 1});
	const cluster = await connect({server: demo.url}, bareEnvironment(), instantTiming());
	const query = {namespaces: new Set(['payments']), ownerKinds: new Set(['ReplicaSet'])};
	const occupancyOf = async (nodeCount: number, of: Parameters<typeof cluster.related>[0]['nodesOfMany']) =>
		(await cluster.related({...query, nodeCount, ...(of && {nodesOfMany: of})})).occupancy;
	try {
		const all = await occupancyOf(12, undefined);
		if (typeof all === 'string') throw new Error(all);
		const [first = '', second = ''] = all.nodes.keys();
		let owners: Related['controllers'] = new Map();
		const some = await occupancyOf(201, (controllers) => {
			owners = controllers;
			return {candidates: [first], troubled: [second]};
		});
		if (typeof some === 'string') throw new Error(some);
		expect([...owners.values()].map(({kind}) => kind)).toContain('Deployment');
		expect([...(some.read ?? [])]).toEqual([first]);
		expect([...some.nodes.keys()].toSorted()).toEqual([first, second].toSorted());
		expect(some.nodes.get(first)).toEqual(all.nodes.get(first));
		expect(some.waiting).toEqual(all.waiting);
		expect(await occupancyOf(201, () => ({candidates: [], troubled: []}))).toMatch(/more than 200 nodes/);
		expect(await occupancyOf(201, () => ({candidates: [first], troubled: troubled(61)}))).toMatch(
			/more than 60 nodes in trouble/,
		);
	} finally {
		await cluster.close();
		await demo.close();
	}
});

test('the pods of single nodes are asked for from the memory of the API server, all on one page', async () => {
	await using server = await FakeApiServer.start();
	for (let index = 0; index < 3; index++) server.apply('pods', rawPod('shop', `cart-${index}`, 'n1'));
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const query = {namespaces: new Set(['shop']), ownerKinds: new Set(['ReplicaSet']), nodeCount: 201};
	const nodesOfMany = () => ({candidates: ['n1'], troubled: ['n2']});
	const {occupancy} = await cluster.related({...query, nodesOfMany});
	await cluster.close();
	if (typeof occupancy === 'string') throw new Error(occupancy);
	expect(occupancy.nodes.get('n1')?.pods).toBe(3);
	const asked = server.asked.filter(({resource}) => resource === 'pods').map(({url}) => url.searchParams);
	expect(asked.map((params) => params.get('fieldSelector')?.split(',')[0])).toEqual([
		'spec.nodeName=',
		'spec.nodeName=n2',
		'spec.nodeName=n1',
	]);
	expect(asked.map((params) => params.get('resourceVersion'))).toEqual(['0', '0', '0']);
});
