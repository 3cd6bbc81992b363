import {expect, test} from 'vitest';
import type {Next} from '../../../src/core/client/routines.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {type PodRemovalStep, runPodRemoval} from '../../../src/core/podgc/gcSteps.ts';
import {ClusterState} from '../../../src/core/simulation/clusterState.ts';
import {Kubelets} from '../../../src/core/simulation/kubelets.ts';
import {SimulatedApi} from '../../../src/core/simulation/simulatedApi.ts';
import {aPod} from '../../support/builders.ts';

type After = (step: PodRemovalStep, state: ClusterState) => void;

/** Removes a pod from a cluster with these objects; returns the calls, the result, the writes, and what is left. */
function remove(
	pod: Pod,
	isOrphan: boolean,
	present: readonly Pod[] = [pod],
	after: After = () => undefined,
	podDisruptionConditions = true,
) {
	const state = new ClusterState();
	for (const one of present) state.putPod(one);
	const written: Pod[] = [];
	const api = new SimulatedApi(
		state,
		new Kubelets(),
		{isClosed: true},
		{
			now: () => 0,
			emit: () => undefined,
			putNode: () => undefined,
			putPod: (changed) => {
				written.push(changed);
				state.putPod(changed);
			},
			removePod: (gone) => state.deletePod(podKey(gone)),
			eventPosted: () => undefined,
		},
	);
	const calls: string[] = [];
	let step: PodRemovalStep | undefined = {do: 'removePod', pod, isOrphan};
	let ok = true;
	while (step) {
		const next: Next<PodRemovalStep> = runPodRemoval(step, {api, settings: {podDisruptionConditions}});
		after(step, state);
		ok = next.type !== 'done' || next.ok;
		step = next.type === 'call' ? next.next : undefined;
		if (step) calls.push(step.do);
	}
	return {calls, ok, written, left: state.pods.size};
}

test.for(['Succeeded', 'Failed'])('a pod that has finished is deleted without a word of why: %s', (phase) => {
	const {calls, ok, written, left} = remove(aPod('job', {phase}), true);
	expect(calls).toEqual(['podRemoved']);
	expect([ok, written, left]).toEqual([true, [], 0]);
});
