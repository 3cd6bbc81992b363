import type {Pod} from '../../core/model/pod.ts';
import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type Concluded, concludedOf} from '../conclude/concluded.ts';
import {PodOutcomes} from '../conclude/podOutcomes.ts';
import type {HiddenStates} from '../infer/hiddenStates.ts';
import {inferredOf} from '../infer/inferred.ts';
import type {Pausable} from '../pausable.ts';
import type {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import {runAll} from '../simulate/ensemble.ts';
import type {Run} from '../simulate/run.ts';
import {horizonFor, RunCheckpoints, type Supposed} from '../simulate/runTrajectory.ts';
import {statesFor} from './whatIf.ts';

/** How long after its countdown a pod is deleted at the latest: two passes, and calls. */
const deletedWithin: Duration = 12 * second;

/**
 * Answers whether the return of a node saves a pod, with the same result as a what-if, but for many pods of one situation. It
 * skips what a what-if computes for all nodes, simulates only until the pod's countdown ends, and shares the time before the
 * returns among all pods.
 */
export function recoveryProbe(situation: Concluded, span: SettingsSpan) {
	const {affected, settings} = situation;
	const checkpoints = new RunCheckpoints();
	/** By how many are tried. */
	const known = new Map<string, HiddenStates>();
	return {
		/** Whether a pod that is evicted in a range certainly stays if its node's kubelet is back at an instant. */
		*save(pod: Pod, {latest}: Range, at: Instant): Pausable<boolean> {
			const one = affected.nodes.find(({node}) => node.name === pod.nodeName);
			if (!one) return false;
			const changes: readonly Change[] = [{type: 'nodeBack', node: pod.nodeName, at}];
			const {states: found} = yield* statesFor(changes, affected, situation, span, known);
			// In those with the latest pass a return most often comes too late: they answer before the others are run.
			const states = {...found, hypotheses: found.hypotheses.toReversed()};
			const farthest = horizonFor(affected, settings);
			const supposed: Supposed = {
				affected,
				states,
				situation,
				changes,
				ofQuestion: changes,
				horizon: latest === null ? farthest : Math.min(farthest, Math.max(0, latest - at) + deletedWithin),
				focus: {node: pod.nodeName, checkpoints},
			};
			const inferred = inferredOf(situation, states.passes, situation.zones);
			const mayGo = (runs: readonly Run[]) =>
				new PodOutcomes(one, concludedOf(inferred, {changes, runs})).mayGo(pod);
			return !mayGo(yield* runAll(supposed, inferred, mayGo));
		},
	};
}

export type RecoveryProbe = ReturnType<typeof recoveryProbe>;
