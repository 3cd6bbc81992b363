import {expect, test} from 'vitest';
import type {ClusterApi} from '../../../src/core/client/clusterApi.ts';
import type {Taint} from '../../../src/core/model/taint.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {
	type EvictionWake,
	TaintEvictionController,
} from '../../../src/core/tainteviction/taintEvictionController.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import {aNode, aPod} from '../../support/builders.ts';
import {aWorld} from '../../support/simulations.ts';

const taint: Taint = {key: 'maintenance', value: '', effect: 'NoExecute'};
const tolerations = [{key: 'maintenance', operator: 'Exists', value: '', effect: '', tolerationSeconds: 10}];

/**
 * A pod is evicted, and one of its name comes back to the node. The event of the first one's end reaches the controller before
 * or after its delete call returns.
 *
 * @returns the requested deletions, in seconds
 */
function deletions(version: string, isWordFirst: boolean): readonly number[] {
	const node = aNode('n1', {taints: [taint]});
	const pod = aPod('web', {nodeName: 'n1', tolerations});
	const world = aWorld({nodes: [node], pods: [pod]});
	const loop = new EventLoop<EvictionWake>(0);
	const deleted: number[] = [];
	const {state} = world;
	const answers: Pick<ClusterApi, 'nodes' | 'podsOnNode' | 'pod' | 'markDisruptionTarget' | 'eventPosted'> = {
		nodes: () => state.nodes(),
		podsOnNode: (name) => state.podsOnNode(name),
		pod: (key) => state.pod(key),
		markDisruptionTarget: () => 'written',
		eventPosted: () => undefined,
	};
	const api = {
		...answers,
		deletePod: (key: string) => {
			deleted.push(loop.now / 1000);
			if (isWordFirst) controller.podDeleted(key, loop.now);
			return 'written' as const;
		},
	} as ClusterApi;
	const settings = {...settingsFor(version), kubeApiQps: 0};
	const wakeAt = (at: number, wake: EvictionWake) => void loop.schedule(at, wake);
	const controller = new TaintEvictionController(settings, 0, {api, wakeAt});
	const advanceTo = (target: number) => loop.advanceTo(target, (wake, now) => controller.wake(wake, now));
	controller.nodeChanged(undefined, node, 0);
	advanceTo(11_000);
	if (!isWordFirst) controller.podDeleted('shop/web', 11_000);
	controller.podChanged(undefined, pod, 12_000);
	loop.advanceTo(12_000, () => undefined);
	advanceTo(30_000);
	return deleted;
}

test.for(['v1.16.15', 'v1.28.15', 'v1.32.13'])(
	'in %s a pod of the same name is never evicted where word of the first came before its delete call returned',
	(version) => {
		expect(deletions(version, true)).toEqual([10]);
		expect(deletions(version, false)).toEqual([10, 22]);
	},
);

test.for(['v1.33.0', 'v1.36.3'])('in %s it is evicted, whatever came first', (version) => {
	expect(deletions(version, true)).toEqual([10, 22]);
	expect(deletions(version, false)).toEqual([10, 22]);
});
