import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {valueAt} from '../../../src/demo/encode/apiObject.ts';
import {ObjectStore} from '../../../src/demo/world/objectStore.ts';
import {largeCluster, scenarioNamed, scenarios} from '../../../src/demo/world/scenarios.ts';
import {World} from '../../../src/demo/world/world.ts';
import {drawnTimeout, isDeep} from '../../support/drawn.ts';
import {now} from '../fixtures.ts';

function worldOf(name: string, seed = 1) {
	// Five thousand nodes follow the same rules as five hundred, but are slower.
	const isSmaller = name === 'large-cluster' && !isDeep;
	const scenario = isSmaller ? largeCluster(167) : scenarioNamed(name);
	if (!scenario) throw new Error(`no scenario ${name}`);
	const store = new ObjectStore({historyLimit: 100_000});
	const world = new World(scenario, store, {now, gitVersion: 'v1.36.3', seed});
	return {store, world};
}

const objectsOf = (store: ObjectStore, resource: 'nodes' | 'pods' | 'events') =>
	store.entriesAt(resource)?.map(({object}) => object) ?? [];

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

test('a node that dies stops renewing, is Unknown after the grace period, and loses pods by their tolerations', () => {
	const {store, world} = worldOf('node-dies');
	world.advanceTo(now + 50 * second);
	expect(readyOf(store, 'b2')).toBe('True');
	const silentSince = renewTimeOf(store, 'b2');
	expect(silentSince).toBeLessThan(now + 11 * second);

	world.advanceTo(now + 70 * second);
	expect(readyOf(store, 'b2')).toBe('Unknown');
	expect(renewTimeOf(store, 'b2')).toBe(silentSince);
	expect(renewTimeOf(store, 'b1')).toBeGreaterThan(now + 59 * second);
	expect(noExecuteTaints(store)).toEqual(['b2']);
	expect(terminating(store)).toEqual([]);

	world.advanceTo(now + 8 * minute);
	expect(terminating(store).toSorted()).toEqual([
		'cart-1',
		expect.stringMatching(/^checkout-/),
		'import-prices',
		expect.stringMatching(/^search-/),
		expect.stringMatching(/^storefront-/),
	]);
	// The Deployments' pods are replaced, the StatefulSet's waits for its node, and the bare one is lost.
	expect(store.get('statefulsets', 'cart', 'shop')).toHaveProperty('status.replicas', 2);
	expect(store.get('deployments', 'storefront', 'shop')).toHaveProperty('status.readyReplicas', 6);
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

test('while all zones are down only nodes that the controller overlooked lose pods', () => {
	const {store, world} = worldOf('all-zones-down');
	world.advanceTo(now + 5 * minute - second);
	expect(readyOf(store, 'a1')).toBe('Unknown');
	// The pass removes taints from nodes as they were at its start; a node that was tainted during it stays tainted.
	const overlooked = noExecuteTaints(store);
	expect(overlooked.length).toBeLessThan(3);
	const evicted = objectsOf(store, 'pods').filter(({metadata}) => metadata.deletionTimestamp !== undefined);
	const elsewhere = evicted.filter((pod) => !overlooked.includes(String(valueAt(pod, 'spec.nodeName'))));
	// Pods without tolerations may have been evicted before the taint was removed.
	expect(elsewhere.filter(({metadata}) => !metadata.name.startsWith('session-cache-'))).toEqual([]);
});

test('a zone that is partially down loses the nodes that were tainted before, and no more', () => {
	const {store, world} = worldOf('partial-small-zone');
	world.advanceTo(now + 10 * minute);
	expect(readyOf(store, 'b3')).toBe('Unknown');
	expect(noExecuteTaints(store)).toEqual(['b1', 'b2']);
});

test('a restarted controller manager leads under another name, and counts down anew', () => {
	const {store, world} = worldOf('controller-restart');
	const lease = () => store.get('leases', 'kube-controller-manager', 'kube-system');
	const holder = lease()?.['spec'];
	world.advanceTo(now + 2 * minute + 20 * second);
	const idleSince = renewTimeOf(store, 'kube-controller-manager', 'kube-system');
	expect(idleSince).toBeLessThanOrEqual(now + 2 * minute + 10 * second);
	world.advanceTo(now + 3 * minute);
	expect(lease()?.['spec']).toMatchObject({leaseTransitions: 1});
	expect(lease()?.['spec']).not.toMatchObject({
		holderIdentity: (holder as {holderIdentity: string}).holderIdentity,
	});
	expect(renewTimeOf(store, 'kube-controller-manager', 'kube-system')).toBeGreaterThan(now + 178 * second);
});

test('one seed makes one world, in one step or in many; another seed another', () => {
	const play = (seed: number, step: number) => {
		const {store, world} = worldOf('zone-dies', seed);
		for (let at = now; at < now + 6 * minute; at += step) world.advanceTo(at + step);
		return JSON.stringify([store.resourceVersion, store.entriesAt('pods'), store.entriesAt('leases')]);
	};
	const once = play(1, 6 * minute);
	expect(play(1, 6 * minute)).toBe(once);
	expect(play(1, 7500)).toBe(once);
	expect(play(2, 6 * minute)).not.toBe(once);
});

test.for(scenarios)(
	'$name runs for minutes and no pod is owned by nobody',
	{timeout: drawnTimeout},
	({name}, {expect}) => {
		const {store, world} = worldOf(name);
		// At least until taints are added.
		world.advanceTo(now + (name === 'large-cluster' ? 3 : 15) * minute);
		const unowned = objectsOf(store, 'pods').filter(({metadata}) => metadata.ownerReferences === undefined);
		expect(unowned.map(({metadata}) => metadata.name).filter((pod) => pod !== 'import-prices')).toEqual([]);
	},
);
