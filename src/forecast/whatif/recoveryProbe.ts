import type {Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {concludedOf} from '../conclude/concluded.ts';
import {PodOutcomes} from '../conclude/podOutcomes.ts';
import type {HiddenStates, Spread} from '../infer/hiddenStates.ts';
import {inferredOf} from '../infer/inferred.ts';
import type {SettingsSpan} from '../infer/settingsSpan.ts';
import type {Pausable} from '../pausable.ts';
import type {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import {runAll} from '../simulate/ensemble.ts';
import type {Run} from '../simulate/run.ts';
import {horizonFor, RunCheckpoints, type Supposed} from '../simulate/runTrajectory.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {SpreadOf} from '../simulate/spread.ts';
import {affectedWith} from './affectedWith.ts';
import {statesFor} from './whatIf.ts';

/** How long after its countdown a pod is deleted at the latest: two passes, and calls. */
const deletedWithin: Duration = 12 * second;

/**
 * Answers whether the return of a node saves a pod, with the same result as a what-if, but for many pods of one situation. It
 * skips what a what-if computes for all nodes, simulates only until the pod's countdown ends, and shares the time before the
 * returns among all pods.
 */
export class RecoveryProbe {
	readonly #situation: Simulated;
	readonly #span: SettingsSpan;
	readonly #checkpoints = new RunCheckpoints();
	/** By how many are tried. */
	readonly #known = new Map<string, HiddenStates>();

	constructor(situation: Simulated, span: SettingsSpan) {
		this.#situation = situation;
		this.#span = span;
	}

	/** Whether a pod that is evicted in a range certainly stays if its node's kubelet is back at an instant. */
	*save(pod: Pod, {latest}: Range, at: Instant): Pausable<boolean> {
		const situation = this.#situation;
		const changes: readonly Change[] = [{type: 'nodeBack', node: pod.nodeName, at}];
		const affected = affectedWith(changes, situation);
		const one = affected.nodes.find(({node}) => node.name === pod.nodeName);
		if (!one) return false;
		const isAsObserved = affected.nodes.length === situation.affected.nodes.length;
		const find = isAsObserved ? this.#find.bind(this) : undefined;
		const {states: found} = yield* statesFor(changes, affected, situation, this.#span, find);
		// In those with the latest pass a return most often comes too late: they answer before the others are run.
		const states = {...found, hypotheses: found.hypotheses.toReversed()};
		const farthest = horizonFor(affected, situation.settings);
		const checkpoints = isAsObserved ? this.#checkpoints : new RunCheckpoints();
		const supposed: Supposed = {
			...{affected, states, situation, changes, ofQuestion: changes},
			horizon: latest === null ? farthest : Math.min(farthest, Math.max(0, latest - at) + deletedWithin),
			focus: {node: pod.nodeName, checkpoints},
		};
		const inferred = inferredOf({...situation, affected}, states.passes, situation.zones);
		const mayGo = (runs: readonly Run[]) =>
			new PodOutcomes(one, concludedOf(inferred, {changes, runs})).mayGo(pod);
		return !mayGo(yield* runAll(supposed, inferred, mayGo));
	}

	/** How far away a return is only decides how many states are tried: as many are the same, with their checkpoints. */
	*#find(spreadOf: SpreadOf, search: () => Pausable<HiddenStates>): Pausable<HiddenStates> {
		const [any] = this.#known.values();
		const alike = any && this.#known.get(keyOf(spreadOf(any.passes.phase)));
		if (alike) return alike;
		const states = yield* search();
		this.#known.set(keyOf(spreadOf(states.passes.phase)), states);
		return states;
	}
}

const keyOf = ({phases, quantiles}: Spread): string => `${phases} ${quantiles}`;
