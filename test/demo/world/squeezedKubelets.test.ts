import {expect, test} from 'vitest';
import {decodeSummary} from '../../../src/cluster/kubelet/decodeSummary.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {get, serve} from '../fixtures.ts';

const start = Date.UTC(2026, 0, 31, 14);

function squeezed() {
	const store = objectStore(1);
	const scenario = demoScenario('node-pressure');
	return {store, world: demoWorld(scenario, store, {now: start, gitVersion: 'v1.36.3', seed: 1})};
}

type Raw = {
	readonly spec: {readonly taints?: readonly {readonly key: string}[]};
	readonly status: {
		readonly phase?: string;
		readonly reason?: string;
		readonly conditions: readonly {
			readonly type: string;
			readonly status: string;
			readonly reason?: string;
		}[];
	};
};

test('a path behind a node’s proxy is its kubelet’s', async () => {
	const {store} = squeezed();
	const server = await serve(store, {kubeletAnswer: (node, path) => ({kind: `${node}: ${path}`})});
	expect(await get(server, '/api/v1/nodes/b2/proxy/stats/summary')).toEqual({kind: 'b2: stats/summary'});
	expect(await get(server, '/api/v1/nodes/b2')).toMatchObject({kind: 'Node', metadata: {name: 'b2'}});
});

test('every kubelet that lives tells its statistics, and knows no other path', () => {
	const {world} = squeezed();
	const {node, pods} = decodeSummary(JSON.parse(JSON.stringify(world.kubeletAnswer('a1', 'stats/summary'))));
	expect(Number(node.memory?.availableBytes)).toBeGreaterThan(4 * 2 ** 30);
	expect(pods.length).toBeGreaterThan(2);
	expect(world.kubeletAnswer('a1', 'configz')).toMatchObject({kubeletconfig: {evictionHard: {}}});
	expect(world.kubeletAnswer('a1', 'exec/shop/cart')).toBeUndefined();
	expect(world.kubeletAnswer('nobody', 'stats/summary')).toBeUndefined();
});

test('a kubelet that runs short says so, evicts, and the pod is replaced elsewhere', () => {
	const {world, store} = squeezed();
	world.advanceTo(start + 2 * minute + 30 * second);
	const node = store.get('nodes', 'b2') as unknown as Raw;
	const condition = node.status.conditions.find(({type}) => type === 'MemoryPressure');
	expect(condition).toMatchObject({status: 'True', reason: 'KubeletHasInsufficientMemory'});
	// The simulated node lifecycle controller taints it because of the condition.
	expect(node.spec.taints?.map(({key}) => key)).toEqual(['node.kubernetes.io/memory-pressure']);
	world.advanceTo(start + 4 * minute);
	const pods = store.all('pods');
	const failed = pods.filter((pod) => (pod as unknown as Raw).status.phase === 'Failed');
	expect(failed.map(({metadata}) => metadata.labels?.['app'])).toEqual(['search']);
	expect(failed[0]).toMatchObject({status: {reason: 'Evicted'}});
	const running = pods.filter(
		(pod) => pod.metadata.labels?.['app'] === 'search' && (pod as unknown as Raw).status.phase === 'Running',
	);
	expect(running).toHaveLength(3);
	const reasons = store.all('events').map((event) => (event as unknown as {reason: string}).reason);
	expect(reasons).toEqual(expect.arrayContaining(['EvictionThresholdMet', 'Evicted']));
});
