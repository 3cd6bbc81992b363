import {compareValues} from '../../core/collections/compareValues.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {matchingTolerations} from '../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Pausable} from '../pausable.ts';
import type {PodForecast, PodVerdict} from '../podForecast.ts';
import type {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import type {RecoveryProbe} from './recoveryProbe.ts';
import type {PodChange, WhatIf} from './whatIf.ts';

/** A possible action for a pod, and its simulated effect. */
export type Remedy = Readonly<{
	kind: 'NodeBack' | 'Tolerate' | 'Untaint' | 'StopControllers';
	/** Until when it certainly helps; undefined if it does not. */
	until: Instant | undefined;
	/** The effect on the eviction. */
	effect: 'Saves' | 'Delays' | 'Nothing';
	/** When the pod is evicted then; null if it stays. */
	eviction: Range | null;
	/** Whether a later time may help as well: `until` follows from what is known of other pods, and is not the latest. */
	isEarly?: boolean;
	/** Whether it saves the pod if it comes before the eviction, though that is not sure; its effect is Nothing then. */
	mayHelp?: boolean;
	/** For stopped controllers: the pod's verdict once new ones start. */
	afterRestart?: PodVerdict;
	/** The simulated change, at its latest instant. */
	change: Change;
}>;

/** Runs a what-if. @param only the key of the only pod whose change is wanted; all if absent */
export type Ask = (changes: readonly Change[], only?: string) => Pausable<WhatIf>;

/** The longest time from a call to the API server until controllers see its effect. */
const callTakes: Duration = second;
/** What must be done within this time must be done at once: to read and paste a command takes as long. */
export const atOnce: Duration = 5 * second;
/** What is shown as an example should leave this time, for a person to read it and to act. */
export const timeToAct: Duration = 30 * second;
/** Until when a node that is not Unknown yet must be back to stay ready: the pass that would find it silent sees its renewal. */
export const beforeUnknown = ({earliest}: Range): Instant => earliest - callTakes;

/** How exactly the latest return is searched. */
const stepBack: Duration = 2.5 * second;

/** The tolerations of a pod if it tolerates a lost node for this many seconds, or forever. */
export function tolerating({tolerations}: Pod, seconds: number | undefined): readonly Toleration[] {
	const keys = [taintNotReady, taintUnreachable];
	const covers = (toleration: Toleration, key: string) =>
		matchingTolerations([{key, value: '', effect: 'NoExecute'}], [toleration], false) !== undefined;
	const changed = tolerations.map((toleration): Toleration => {
		if (!keys.some((key) => covers(toleration, key))) return toleration;
		const {tolerationSeconds: _, ...rest} = toleration;
		return seconds === undefined ? rest : {...rest, tolerationSeconds: seconds};
	});
	const added = keys
		.filter((key) => !changed.some((toleration) => covers(toleration, key)))
		.map(
			(key): Toleration => ({
				key,
				operator: 'Exists',
				value: '',
				effect: 'NoExecute',
				...(seconds !== undefined && {tolerationSeconds: seconds}),
			}),
		);
	return [...changed, ...added];
}

/** What saves after this time saves later, too, as nothing changes any more. A countdown may take years. */
const longestSimulated: Duration = 360 * minute;

/** By when a kubelet must be back: a pass must see its heartbeat, and remove the taint, before the countdown ends. */
export const returnBefore = ({earliest}: Range, period: Duration): Instant => earliest - period - callTakes;

/**
 * The latest time at which a returning kubelet certainly saves a pod, as a pass must see its heartbeat before.
 *
 * @param forecast of the pod, which is evicted at a known time
 * @param period from one pass to the next
 * @param guesses until when the node may have to be back, by the answers for other pods: they are tried first
 */
export function* latestReturn(
	pod: Pod,
	{node, eviction}: PodForecast,
	period: Duration,
	now: Instant,
	returns: RecoveryProbe,
	guesses: readonly Instant[] = [],
): Pausable<Remedy | undefined> {
	if (!eviction) return undefined;
	const save = (at: Instant) => returns.save(pod, eviction, at);
	const last = Math.max(now, returnBefore(eviction, period));
	const farthest = Math.min(last, now + longestSimulated);
	const found = yield* latestSaving(save, farthest, now, guesses);
	const until = found === farthest && farthest < last ? last - period : found;
	const change: Change = {type: 'nodeBack', node, at: until ?? now};
	// The return may be too late, but is not certainly so.
	return until === undefined
		? {kind: 'NodeBack', until, effect: 'Nothing', eviction: eviction.until(null), change}
		: {kind: 'NodeBack', until, effect: 'Saves', eviction: null, change};
}

/**
 * The latest instant up to which a return saves, to within one `stepBack`; undefined if not even one now does. A return
 * may help only until a pass reaches the node, long before a countdown ends.
 */
function* latestSaving(
	save: (at: Instant) => Pausable<boolean>,
	last: Instant,
	now: Instant,
	guesses: readonly Instant[],
): Pausable<Instant | undefined> {
	const most = Math.ceil((last - now) / stepBack);
	const instantOf = (steps: number) => Math.max(now, last - steps * stepBack);
	if (yield* save(last)) return last;
	let late = 0;
	let saving = most + 1;
	const tried = function* (steps: number): Pausable<boolean> {
		const saves = yield* save(instantOf(steps));
		if (saves) saving = steps;
		else late = steps;
		return saves;
	};
	const guessed = guesses.map((guess) => Math.ceil((last - guess) / stepBack));
	const likely = guessed.flatMap((steps) => [1, 2, steps - 1, steps]).toSorted(compareValues);
	// That a return saves takes longest to find out: later ones are tried first, until one does.
	for (const steps of likely) if (steps > late && steps < saving) yield* tried(steps);
	// The answers for other pods are often those for this one.
	if (saving <= most && saving - late > 1) yield* tried(saving - 1);
	// Where a return now does not help, no later one does.
	if (saving > most && (late >= most || !(yield* tried(most)))) return undefined;
	for (let stride = 1; saving - late > 1; stride *= 2)
		if (yield* tried(Math.min(late + stride, (saving + late) >> 1))) stride = most;
	return instantOf(saving);
}

/** In what remedies are tried: controllers of a managed control plane cannot be stopped. */
type RemedyScene = {readonly now: Instant; readonly isManaged: boolean; readonly ask: Ask};

/** Other possible actions for a pod, done at once: each is simulated, whether it helps or not. */
export function* otherRemedies(
	pod: Pod,
	forecast: PodForecast,
	taints: readonly string[],
	{now, isManaged, ask}: RemedyScene,
): Pausable<readonly Remedy[]> {
	const at = now + callTakes;
	const changes: readonly (readonly [Remedy['kind'], Change])[] = [
		...taints.map((taint) => {
			const change = {type: 'untaint', node: pod.nodeName, key: taint, effect: 'NoExecute', at} as const;
			return ['Untaint', change] as const;
		}),
		...(isManaged ? [] : [['StopControllers', {type: 'controllersDown', at}] as const]),
	];
	const remedies = [yield* toleration(pod, forecast, now, ask)];
	for (const [kind, change] of changes) {
		const played = yield* simulated(kind, change, forecast, ask);
		const afterRestart =
			kind === 'StopControllers' && played.effect !== 'Nothing'
				? (yield* changeBy({type: 'controllersStart', at: now}, podKey(pod), ask))?.after.verdict
				: undefined;
		remedies.push(afterRestart ? {...played, afterRestart} : played);
	}
	return remedies;
}

/** That a pod tolerates the taint of its node forever. */
export function* toleration(pod: Pod, forecast: PodForecast, now: Instant, ask: Ask): Pausable<Remedy> {
	const tolerations = tolerating(pod, undefined);
	const change: Change = {type: 'tolerations', pod: podKey(pod), tolerations, at: now + callTakes};
	return yield* simulated('Tolerate', change, forecast, ask);
}

function* simulated(kind: Remedy['kind'], change: Change, forecast: PodForecast, ask: Ask): Pausable<Remedy> {
	const {eviction} = forecast;
	const remedy = remedyOf(kind, change, yield* changeBy(change, podKey(forecast), ask));
	// A call must have its effect before the countdown ends.
	return remedy.effect !== 'Nothing' && eviction ? {...remedy, until: eviction.earliest - callTakes} : remedy;
}

function* changeBy(change: Change, key: string, ask: Ask): Pausable<PodChange | undefined> {
	const {pods} = yield* ask([change], key);
	return pods.find(({after}) => podKey(after) === key);
}

function remedyOf(kind: Remedy['kind'], change: Change, pod: PodChange | undefined): Remedy {
	if (pod?.effect === 'avoided' && pod.after.eviction === null) {
		// A held pod is evicted later, when evictions resume.
		const effect = pod.after.verdict === 'Held' ? 'Delays' : 'Saves';
		return {kind, until: undefined, effect, eviction: null, change};
	}
	const isDelayed = pod?.effect === 'moved' && (pod.shift ?? 0) > second;
	const eviction = pod?.after.eviction ?? null;
	// A pod that tolerates its taint is evicted only before that.
	const mayHelp = kind === 'Tolerate' && pod?.after.verdict === 'Unsure' && pod.after.cause?.kind === 'Taint';
	return {kind, until: undefined, effect: isDelayed ? 'Delays' : 'Nothing', eviction, mayHelp, change};
}
