import {expect, test} from 'vitest';
import type {ClusterApi} from '../../../src/core/client/clusterApi.ts';
import type {Next} from '../../../src/core/client/routines.ts';
import {type PodDeletionStep, runPodDeletion} from '../../../src/core/tainteviction/podDeletion.ts';

test('after five failed tries the pod is left alone', () => {
	const withoutPods: Pick<ClusterApi, 'pod'> = {pod: () => undefined};
	const trail: string[] = [];
	let next: Next<PodDeletionStep> = {type: 'call', next: {do: 'deletePod', pod: 'shop/web', attempt: 1}};
	while (next.type === 'call' || next.type === 'sleep') {
		trail.push(next.type === 'sleep' ? `wait ${next.for}` : next.next.do);
		next = runPodDeletion(next.next, withoutPods as ClusterApi, {podDisruptionConditions: true});
	}
	const again = ['wait 10', 'podRead'];
	expect(trail).toEqual(['deletePod', 'podRead', ...again, ...again, ...again, ...again]);
});
