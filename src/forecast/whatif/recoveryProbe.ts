import type {Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {PodOutcomes} from '../conclude/podOutcomes.ts';
import {manyAffected} from '../infer/hiddenStates.ts';
import type {SettingsSpan} from '../infer/settingsSpan.ts';
import type {Pausable} from '../pausable.ts';
import type {Range} from '../podForecast.ts';
import type {Change} from '../simulate/change.ts';
import {Checkpoints} from '../simulate/checkpoints.ts';
import type {Question} from '../simulate/runTrajectory.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {runTrials, type Trial} from '../simulate/trials.ts';
import {affectedWith} from './affectedWith.ts';
import {horizonFor, statesFor} from './whatIf.ts';

/** Beyond the end of a countdown nothing saves its pod any more: two passes, and calls. */
const tail: Duration = 12 * second;

/**
 * Answers whether the return of a node saves a pod: the same as a what-if does, for many pods of one situation. What a
 * what-if works out for all nodes is left out, what it tries is run no farther than the pod's countdown, and what comes
 * before a return is run once for all of them.
 */
export class RecoveryProbe {
	readonly #situation: Simulated;
	readonly #span: SettingsSpan;
	readonly #checkpoints = new Checkpoints();
	#known: {readonly states: Question['states']; readonly gap: Duration} | undefined;

	constructor(situation: Simulated, span: SettingsSpan) {
		this.#situation = situation;
		this.#span = span;
	}

	/** Whether a pod that goes in a range surely stays if its node's kubelet is back at an instant. */
	*save(pod: Pod, {latest}: Range, at: Instant): Pausable<boolean> {
		const change: Change = {type: 'nodeBack', node: pod.nodeName, at};
		const affected = affectedWith([change], this.#situation);
		const {states, gap} = yield* this.#statesFor(change, affected);
		const farthest = horizonFor(affected, this.#situation);
		const question: Question = {
			...{affected, states, situation: this.#situation, changes: [change]},
			horizon: latest === null ? farthest : Math.min(farthest, Math.max(0, latest - at) + tail),
			focus: {node: pod.nodeName, checkpoints: this.#checkpoints},
		};
		const mayGo = (trials: readonly Trial[]) =>
			new PodOutcomes(question, trials, gap).of(pod).happens !== 'never';
		return !mayGo(yield* runTrials(question, (trial) => mayGo([trial])));
	}

	/** Of many nodes as many states are tried, however far off a change is; of few, that takes no time. */
	*#statesFor(change: Change, affected: Question['affected']) {
		const isLarge = affected.nodes.length > manyAffected;
		const isShared = isLarge && affected.nodes.length === this.#situation.affected.nodes.length;
		if (isShared && this.#known) return this.#known;
		const found = yield* statesFor([change], affected, this.#situation, this.#span);
		if (isShared) this.#known = found;
		return found;
	}
}
