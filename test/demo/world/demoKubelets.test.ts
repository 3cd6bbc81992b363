import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {valueAt} from '../../../src/demo/encode/apiObject.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import type {DemoScenario} from '../../../src/demo/world/scenarios.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {now} from '../fixtures.ts';

test('a renewal in the very instant of the stop is seen by clients, since the controllers saw it', () => {
	const scenario: DemoScenario = {
		name: 'stops-at-a-renewal',
		title: '',
		size: {zones: {a: 2}, replicaFactor: 1},
		// A kubelet that returns renews at once, and then every ten seconds.
		steps: [
			{after: 10 * second, do: 'stopKubelets', nodes: ['a1']},
			{after: 2 * minute, do: 'startKubelets', nodes: ['a1']},
			{after: 3 * minute, do: 'stopKubelets', nodes: ['a1']},
		],
	};
	const store = objectStore();
	const world = demoWorld(scenario, store, {now, gitVersion: 'v1.36.3', seed: 1});
	world.advanceTo(now + 4 * minute);
	const lease = store.get('leases', 'a1', 'kube-node-lease');
	const renewTime = lease && Date.parse(String(valueAt(lease, 'spec.renewTime')));
	// By the kubelet's own clock, which is slightly wrong.
	expect(Math.abs((renewTime ?? 0) - (now + 3 * minute))).toBeLessThan(second);
});
