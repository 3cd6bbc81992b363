import {unique} from '../../../core/collections/unique.ts';
import {podKey} from '../../../core/model/pod.ts';
import {statsByUid} from '../../../core/nodepressure/summary.ts';
import {resourceOf} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {someOf} from '../../words.ts';
import type {PressureSituation} from '../situation.ts';
import type {PressureProblem} from './pressureEvidence.ts';

/** Statistics are measured every ten seconds; older ones are reported as a problem. */
const staleAfter: Duration = 30 * second;

/** What is unknown of a measured node, and the consequences. */
export function problemsOf(situation: PressureSituation): readonly PressureProblem[] {
	const {problems, newest, now, trends, thresholds, observations, pods} = situation;
	const found: PressureProblem[] = [...problems];
	const add = (reason: PressureProblem['reason'], message: string) => found.push({reason, message});
	const age = Math.round((now - newest.seenAt) / second);
	if (now - newest.seenAt > staleAfter) add('StaleStatistics', `the newest statistics are ${age}s old`);
	const old = [...observations].filter(
		([, {time}]) => time !== undefined && newest.seenAt - time > 2 * staleAfter,
	);
	if (old.length > 0) {
		const names = old.map(([signal]) => signal).join(', ');
		add(
			'StaleStatistics',
			`the kubelet has not measured ${names} for over a minute; the same numbers evict nobody twice`,
		);
	}
	if (trends.signals.size === 0) {
		add(
			'FewStatistics',
			'a trend needs three measurements, ten seconds apart; without one, no time is given',
		);
	}
	const unseen = unique(thresholds.map(({signal}) => signal)).filter((signal) => !observations.has(signal));
	if (unseen.length > 0) {
		add(
			'SignalNotObserved',
			`the kubelet does not measure ${unseen.join(', ')}, so that threshold is never crossed`,
		);
	}
	const stats = statsByUid(newest.summary);
	const without = pods.filter(({uid}) => !stats.has(uid));
	if (without.length > 0) {
		const names = someOf(without.map(podKey), 5);
		add('PodsWithoutStatistics', `no statistics of ${names}: such a pod is evicted first`);
	}
	return found;
}

export function assumptionsOf({thresholds, settings}: PressureSituation): readonly string[] {
	const hasDisk = thresholds.some(({signal}) => ['ephemeral-storage', 'inodes'].includes(resourceOf(signal)));
	const hasSoft = thresholds.some(({gracePeriod}) => gracePeriod > 0);
	return [
		'trends go on as they went in what was seen; a burst comes without one',
		'the phase of the kubelet’s passes is not known: the next is within one interval',
		'a pod that is killed gives back what it used, and nothing takes its place on the node',
		...(hasDisk
			? ['collecting dead containers and unused images may free enough, so that no pod is killed for disk']
			: []),
		...(hasSoft
			? ['between two measurements no soft threshold was left for a moment, which would begin its grace anew']
			: []),
		...(settings.kernelMemcgNotification
			? ['the kernel may call for a pass at once where the node has cgroup v1, which cannot be seen']
			: []),
	];
}
