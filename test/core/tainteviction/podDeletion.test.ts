import {expect, test} from 'vitest';
import type {ClusterApi} from '../../../src/core/client/clusterApi.ts';
import type {Next} from '../../../src/core/client/routines.ts';
import {ClusterState} from '../../../src/core/simulation/clusterState.ts';
import {Kubelets} from '../../../src/core/simulation/kubelets.ts';
import {SimulatedApi} from '../../../src/core/simulation/simulatedApi.ts';
import {type PodDeletionStep, runPodDeletion} from '../../../src/core/tainteviction/podDeletion.ts';
import type {aPod} from '../../support/builders.ts';

/** An API server with these pods that records all writes. */
function serverWith(...pods: readonly ReturnType<typeof aPod>[]) {
	const state = new ClusterState();
	for (const pod of pods) state.putPod(pod);
	const calls: string[] = [];
	const api = new SimulatedApi(
		state,
		new Kubelets(),
		{isClosed: true},
		{
			now: () => 0,
			emit: ({type}) => void calls.push(type),
			putNode: () => undefined,
			putPod: (pod) => {
				calls.push('put');
				state.putPod(pod);
			},
			removePod: () => undefined,
			eventPosted: () => undefined,
		},
	);
	return {api, state, calls};
}

/** Runs a deletion to its end; returns the kinds of its steps, and the waits between its attempts. */
function run(
	api: ClusterApi,
	afterStep: (step: PodDeletionStep) => void = () => undefined,
	podDisruptionConditions = true,
): string[] {
	const trail: string[] = [];
	let next: Next<PodDeletionStep> = {type: 'call', next: {do: 'deletePod', pod: 'shop/web', attempt: 1}};
	while (next.type === 'call' || next.type === 'sleep') {
		const step: PodDeletionStep = next.next;
		trail.push(next.type === 'sleep' ? `wait ${next.for}` : step.do);
		next = runPodDeletion(step, api, {podDisruptionConditions});
		afterStep(step);
	}
	return trail;
}

test('after five failed tries the pod is left alone', () => {
	const {api, calls} = serverWith();
	const trail = run(api);
	expect(trail.filter((step) => step === 'wait 10')).toHaveLength(4);
	expect(trail.filter((step) => step === 'podRead')).toHaveLength(5);
	expect(calls).toEqual([]);
});
