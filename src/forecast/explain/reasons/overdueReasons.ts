import type {Pod} from '../../../core/model/pod.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {formatAtLeast} from '../../../dates/duration.ts';
import {triesAfter} from '../../observe/countdowns/deletionThrottleDelay.ts';
import type {PodTimer} from '../../observe/countdowns/podTimers.ts';
import {type Leader, mayBeGone} from '../../observe/leader.ts';
import {Range} from '../../range.ts';
import {flag, isoTime} from '../../words.ts';
import {fact, isoRange, type ReasonDraft} from '../explanation.ts';
import type {Situation} from '../situation.ts';
import {eventFact} from '../steps/eventFacts.ts';

/** Why a pod may still exist though its countdown has ended. None of these reasons can be proven from outside. */
export function overdueReasons(pod: Pod, timer: PodTimer, situation: Situation): readonly ReasonDraft[] {
	const {now, leader, delayOfDue, settings} = situation;
	const {fires, ranOut} = timer;
	const tries = triesAfter(fires, delayOfDue, settings);
	const overdue: ReasonDraft = {
		reason: 'Overdue',
		effect: 'MayPrevent',
		at: Range.over(fires),
		what: 'its countdown ended, but it was not deleted',
		rule: 'the controller tries five times, 10ms apart, and gives up: after that only a change of the taints or of its tolerations, or a restart of the controller manager, makes it try again',
		evidence: () => [
			fact('controller', 'countdown ended', isoRange(fires), 'no deletionTimestamp'),
			fact(
				'controller',
				'five tries',
				isoRange(tries),
				tries.hi < now ? 'the last of them has failed, too' : 'they may not be over yet',
			),
		],
	};
	return [
		overdue,
		deletionDenied(pod, timer),
		// A controller that has begun to delete the pod is running, and does not confuse it with an earlier one.
		...(pod.evictedAt !== undefined || ranOut
			? []
			: [...(settings.keepsFinishedWork ? [leftoverKey] : []), mayBeDisabled]),
		...mayNotRun(leader),
	];
}

/** The controller patches the status before it deletes: if that was seen, only the delete can have failed. */
function deletionDenied(pod: Pod, {fires, ranOut}: PodTimer): ReasonDraft {
	const {evictedAt} = pod;
	const rule = 'a denied delete counts as one of the five tries';
	const denied = {reason: 'DeletionDenied', effect: 'MayPrevent'} as const;
	if (evictedAt !== undefined)
		return {
			...denied,
			at: evictedAt,
			what: 'the controller tried to delete it and was refused, most likely by an admission webhook (the log of kube-controller-manager says by which)',
			rule: `${rule}; its status is changed before`,
			evidence: () => [
				fact(
					pod,
					'status.conditions[?(@.type=="DisruptionTarget")].lastTransitionTime',
					isoTime(evictedAt),
					'set by the controller right before it deletes',
				),
			],
		};
	return ranOut
		? {
				...denied,
				at: Range.over(fires),
				what: 'an event says that its deletion was tried, but it failed: an admission webhook may have denied it (see the log of kube-controller-manager)',
				rule,
				evidence: () => [eventFact(ranOut)],
			}
		: {
				...denied,
				what: 'an admission webhook may have denied its deletion, or the status change before it (see the events and the log of kube-controller-manager)',
				rule,
			};
}

const leftoverKey: ReasonDraft = {
	reason: 'LeftoverKey',
	effect: 'MayPrevent',
	what: 'an earlier pod of the same name may have left its key in the controller, which then never evicts this one until it is restarted (until v1.32; possible, but never provable from outside)',
	rule: 'until v1.32 a finished key is emptied, not removed: where the event of the deletion came before the call returned, the next pod of that name is passed over',
};

export const mayBeDisabled: ReasonDraft = {
	reason: 'ControllerDisabled',
	effect: 'MayPrevent',
	what: 'the taint-eviction controller may be switched off: then nodes get their taints, and pods stay',
	rule: flag('controllers', '-taint-eviction-controller'),
};

/** A leader renews its lease every two seconds (leader-elect-retry-period): after this time, two renewals are missing. */
const missesRenewals: Duration = 5 * second;

/** While its lease is not seen, or is late, there may be no running controller manager. */
export function mayNotRun(leader: Leader): readonly ReasonDraft[] {
	if (leader.type === 'absent') return [];
	if (leader.type === 'running' && leader.missedFor < missesRenewals) return [];
	const lease =
		leader.type === 'unseen'
			? 'its leader lease cannot be seen'
			: `its leader lease was not renewed for ${formatAtLeast(leader.missedFor)}`;
	const next = mayBeGone(leader) ? '; the next one begins every grace period and every countdown anew' : '';
	const what = `it may be that no controller manager runs: ${lease}${next}`;
	return [{reason: 'ControllerDown', effect: 'MayPrevent', what}];
}
