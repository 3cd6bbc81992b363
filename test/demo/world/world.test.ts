import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {valueAt} from '../../../src/demo/encode/apiObject.ts';
import {type ObjectStore, objectStore} from '../../../src/demo/world/objectStore.ts';
import {largeCluster, scenarioNamed, scenarios} from '../../../src/demo/world/scenarios.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {isDeep} from '../../support/drawn.ts';
import {now} from '../fixtures.ts';

function worldOf(name: string, seed = 1) {
	// Five thousand nodes follow the same rules as five hundred, but are slower.
	const isSmaller = name === 'large-cluster' && !isDeep;
	const scenario = isSmaller ? largeCluster(167) : scenarioNamed(name);
	if (!scenario) throw new Error(`no scenario ${name}`);
	const store = objectStore(100_000);
	const world = demoWorld(scenario, store, {now, gitVersion: 'v1.36.3', seed});
	return {store, world};
}

const objectsOf = (store: ObjectStore, resource: 'nodes' | 'pods' | 'events') => store.all(resource);

const readyOf = (store: ObjectStore, node: string) => {
	const conditions = valueAt(
		store.get('nodes', node) ?? {apiVersion: '', kind: '', metadata: {name: ''}},
		'status.conditions',
	);
	return (conditions as {type: string; status: string}[]).find(({type}) => type === 'Ready')?.status;
};

const noExecuteTaints = (store: ObjectStore) =>
	objectsOf(store, 'nodes').flatMap((node) => {
		const taints = (valueAt(node, 'spec.taints') ?? []) as {effect: string}[];
		return taints.some(({effect}) => effect === 'NoExecute') ? [node.metadata.name] : [];
	});

const terminating = (store: ObjectStore) =>
	objectsOf(store, 'pods')
		.filter(({metadata}) => metadata.deletionTimestamp !== undefined)
		.map(({metadata}) => metadata.name);

const renewTimeOf = (store: ObjectStore, name: string, namespace = 'kube-node-lease') => {
	const lease = store.get('leases', name, namespace);
	return lease ? Date.parse(String(valueAt(lease, 'spec.renewTime'))) : Number.NaN;
};

test('at the beginning all is well, and has been for a while', () => {
	const {store} = worldOf('node-dies');
	const nodes = objectsOf(store, 'nodes');
	expect(nodes).toHaveLength(13);
	expect(nodes.map(({metadata}) => readyOf(store, metadata.name))).toEqual(nodes.map(() => 'True'));
	for (const {metadata} of nodes) {
		const age = now - renewTimeOf(store, metadata.name);
		// The kubelets' clocks are slightly wrong.
		expect(age).toBeGreaterThan(-second);
		expect(age).toBeLessThan(11 * second);
	}
	expect(now - renewTimeOf(store, 'kube-controller-manager', 'kube-system')).toBeLessThanOrEqual(2 * second);
	const events = objectsOf(store, 'events');
	expect(events.map((event) => valueAt(event, 'reason'))).toEqual(nodes.map(() => 'RegisteredNode'));
});

test('a StatefulSet gets its pod back, under another uid, once the node is back', () => {
	const {store, world} = worldOf('recovery');
	const before = store.get('pods', 'prometheus-1', 'monitoring');
	expect(before).toHaveProperty('spec.nodeName', 'b4');
	world.advanceTo(now + 7 * minute);
	expect(terminating(store)).toContain('prometheus-1');
	world.advanceTo(now + 9 * minute);
	expect(terminating(store)).toEqual([]);
	expect(noExecuteTaints(store)).toEqual([]);
	const after = store.get('pods', 'prometheus-1', 'monitoring');
	expect(after).toHaveProperty('status.phase', 'Running');
	expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
});

test('one seed makes one world, in one step or in many; another seed another', () => {
	const play = (seed: number, step: number) => {
		const {store, world} = worldOf('zone-dies', seed);
		for (let at = now; at < now + 6 * minute; at += step) world.advanceTo(at + step);
		return JSON.stringify([store.resourceVersion, store.all('pods'), store.all('leases')]);
	};
	const once = play(1, 6 * minute);
	expect(play(1, 6 * minute)).toBe(once);
	expect(play(1, 7500)).toBe(once);
	expect(play(2, 6 * minute)).not.toBe(once);
});

test.for(scenarios)('$name runs for minutes and no pod is owned by nobody', ({name}, {expect}) => {
	const {store, world} = worldOf(name);
	// At least until taints are added.
	world.advanceTo(now + (name === 'large-cluster' ? 3 : 15) * minute);
	const unowned = objectsOf(store, 'pods').filter(({metadata}) => metadata.ownerReferences === undefined);
	expect(unowned.map(({metadata}) => metadata.name).filter((pod) => pod !== 'import-prices')).toEqual([]);
});
