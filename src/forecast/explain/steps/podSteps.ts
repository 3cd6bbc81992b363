import {type Pod, podKey} from '../../../core/model/pod.ts';
import {formatTaint, type Taint} from '../../../core/model/taint.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {PodTimer, TolerationOutcome} from '../../observe/countdowns/podTimers.ts';
import type {Cause, PodForecast} from '../../podForecast.ts';
import {Range} from '../../range.ts';
import {whenWords} from '../../words.ts';
import {type Draft, type Fact, fact, isoRange, whenOf} from '../explanation.ts';
import {clientFlags, type Situation} from '../situation.ts';
import {eventFact, evictionFacts} from './eventFacts.ts';
import {formatToleration, originOf, originWords, tolerationUses} from './tolerationUse.ts';

/** The steps for a pod's tolerations and countdown; none if it tolerates its node's taints forever. */
export function podSteps(
	pod: Pod,
	toleration: TolerationOutcome,
	taints: readonly Taint[],
	timer: PodTimer | undefined,
	situation: Situation,
): readonly Draft[] {
	if (toleration.type !== 'limited') return [];
	const tolerates = limitedStep(pod, toleration, taints, situation);
	return timer ? [tolerates, timerStep(pod, timer, toleration, situation)] : [tolerates];
}

function limitedStep(
	pod: Pod,
	{tolerated, taint}: Extract<TolerationOutcome, {type: 'limited'}>,
	taints: readonly Taint[],
	situation: Situation,
): Draft {
	const uses = tolerationUses(pod, taints, situation.settings.comparisonOperators);
	const isMatched = uses.find((use) => use.taint === taint)?.toleration !== undefined;
	const name = formatTaint(taint);
	return {
		what:
			tolerated > 0
				? `the pod tolerates ${name} for ${seconds(tolerated)} (tolerationSeconds)`
				: isMatched
					? `the pod tolerates ${name} for 0s (tolerationSeconds)`
					: `the pod does not tolerate ${name}, and is evicted at once`,
		rule: 'the first toleration of the pod that matches a taint counts; for several taints, the shortest time; tolerationSeconds of 0 or less mean at once',
		evidence: () => tolerationFacts(pod, taints, situation),
	};
}

/** Which toleration counts for each taint. */
export function tolerationFacts(
	pod: Pod,
	taints: readonly Taint[],
	{settings, known}: Situation,
): readonly Fact[] {
	return tolerationUses(pod, taints, settings.comparisonOperators).map(({taint, index, toleration}) =>
		fact(
			pod,
			index === undefined ? 'spec.tolerations' : `spec.tolerations[${index}]`,
			toleration ? formatToleration(toleration) : 'no match',
			`for ${formatTaint(taint)}${toleration ? `; ${originWords[originOf(toleration, pod, known.defaultTolerationSeconds)]}` : ''}`,
		),
	);
}

function timerStep(
	pod: Pod,
	timer: PodTimer,
	{tolerated, isAtOnce}: Extract<TolerationOutcome, {type: 'limited'}>,
	{evidence, now}: Situation,
): Draft {
	const {started, fires, source, ranOut} = timer;
	const cancelled = evidence.events.last('CancellingDeletion', podKey(pod));
	const reports = [cancelled?.event, ranOut].flatMap((event) => (event ? [eventFact(event)] : []));
	const isKept = timer.tolerated !== tolerated && !isAtOnce;
	// The end is wider than the start: an earlier countdown may still run.
	const isOlder = fires.lo < started.lo + timer.tolerated - second;
	const older = isOlder
		? `, unless an earlier one still runs, which ends ${whenWords(Range.over(fires).until(null), now)}`
		: '';
	return {
		at: whenOf(started),
		what:
			timer.tolerated > 0
				? `the pod's countdown of ${seconds(timer.tolerated)} began (known from: ${source})${older}`
				: `the taint-eviction controller saw the taint, and the pod is due (known from: ${source})`,
		rule: isKept
			? `a countdown that runs is kept: this one began for ${formatTaint(timer.taint)}, and no shorter or longer toleration since has moved it`
			: isOlder
				? 'a countdown that runs is kept: an earlier one, for a taint that the node had before, may still run; one look cannot tell, a watch can'
				: 'a countdown starts when the controller handles the change, not at timeAdded; then it runs until the taint or the pod is gone',
		evidence: () => [fact('controller', 'countdown ends', isoRange(fires)), ...reports],
	};
}

const deleters: Partial<Record<Cause['kind'], string>> = {
	NodeDeleted: 'the pod garbage collector',
	NodeEviction: 'the node lifecycle controller',
	NodeRepair: 'the removal of its node',
	NodeRemoval: 'the removal of its node',
	NodeShutdown: 'its kubelet, which shuts its node down,',
	DeviceTaint: 'the device taint eviction controller',
};

/** The last step: the API server is asked to delete the pod. */
export function deletionStep(at: Range, {verdict, cause}: PodForecast, situation: Situation): Draft {
	const {settings} = situation;
	const who = (cause && deleters[cause.kind]) ?? 'the taint-eviction controller';
	const calls = cause?.kind === 'NodeEviction' ? 'three' : 'four';
	return {
		at,
		what:
			verdict === 'Overdue'
				? 'the pod was due to be deleted, and was not'
				: `${who} ${cause?.kind === 'NodeShutdown' ? 'ends' : 'deletes'} the pod`,
		rule:
			settings.kubeApiQps > 0
				? `pods that are due together are deleted one after another: ${clientFlags(situation)}, ${calls} calls for each`
				: null,
		evidence: () => (cause && deleters[cause.kind] ? [] : evictionFacts(situation)),
	};
}

/** What deleted a Terminating pod, and when; undefined if the pod does not show when. */
export function deletedStep({
	deletionTimestamp,
	deletionGracePeriodSeconds: grace,
	evictedAt,
	deviceEvictedAt,
}: Pod): (Draft & {readonly at: Instant}) | undefined {
	if (deletionTimestamp === undefined || grace === undefined) return undefined;
	const who =
		evictedAt !== undefined
			? 'the taint-eviction controller deleted the pod'
			: deviceEvictedAt !== undefined
				? 'the device taint eviction controller deleted the pod'
				: 'the pod was deleted';
	return {
		at: deletionTimestamp - grace * second,
		what: `${who}, with a grace period of ${grace}s`,
	};
}

/** Whole seconds, as in tolerationSeconds. */
const seconds = (duration: Duration) => `${Math.round(duration / second)}s`;
