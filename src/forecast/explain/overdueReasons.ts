import {parseVersion} from '../../core/model/controllerSettings.ts';
import type {PodTimer} from '../podTimers.ts';
import type {Situation} from '../situation.ts';
import type {ReasonDraft} from './draft.ts';
import {eventFact} from './eventFacts.ts';
import {ago, isoRange, rangeOf} from './words.ts';

/** Why a pod may be there still though its countdown is over. From outside none of it can be proven. */
export function overdueReasons({fires, ranOut}: PodTimer, situation: Situation): readonly ReasonDraft[] {
	const {now, leader} = situation;
	const reasons: ReasonDraft[] = [
		{
			reason: 'Overdue',
			effect: 'MayPrevent',
			at: rangeOf(fires),
			what: `its countdown ended, at the latest ${ago(fires.hi, now)} ago, and its deletion was not asked for`,
			detail: () => ({
				rule: 'the controller tries five times, 10ms apart, and gives up: after that only a change of the taints or of its tolerations, or a restart of the controller manager, arms it again',
				evidence: [
					{
						object: 'controller',
						field: 'countdown ended',
						value: isoRange(fires),
						note: 'no deletionTimestamp',
					},
				],
			}),
		},
		{
			reason: 'DeletionDenied',
			effect: 'MayPrevent',
			at: ranOut ? rangeOf(fires) : null,
			what: ranOut
				? 'its deletion was tried, as an event says, and did not come about: an admission webhook may have denied it; the log of kube-controller-manager would say so'
				: 'an admission webhook may have denied its deletion; the events and the log of kube-controller-manager would say so',
			detail: () => ({
				rule: 'a denied delete counts as one of the five tries, and nothing of it is kept in the pod',
				evidence: ranOut ? [eventFact(ranOut)] : [],
			}),
		},
	];
	if (mayLeaveKeys(situation)) reasons.push(leftoverKey);
	if (leader.type === 'unseen') {
		reasons.push({
			reason: 'ControllerDown',
			effect: 'MayPrevent',
			at: null,
			what: 'perhaps no controller manager runs: its leader lease cannot be seen',
			detail: () => ({rule: null, evidence: []}),
		});
	}
	return reasons;
}

const leftoverKey: ReasonDraft = {
	reason: 'LeftoverKey',
	effect: 'MayPrevent',
	at: null,
	what: 'an earlier pod of the same name may have left its key in the controller, which then never evicts this one until it is restarted (until v1.32; possible, but never provable from outside)',
	detail: () => ({
		rule: 'until v1.32 a finished key is emptied, not removed: where the event of the deletion came before the call returned, the next pod of that name is passed over',
		evidence: [],
	}),
};

/** Not where the version is known to be newer. */
function mayLeaveKeys({kubernetesVersion}: Situation): boolean {
	const [major, minor] = (kubernetesVersion && parseVersion(kubernetesVersion)) || [1, 0];
	return major === 1 && minor < 33;
}
