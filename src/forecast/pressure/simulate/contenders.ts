import {unique} from '../../../core/collections/unique.ts';
import {protectionOf} from '../../../core/nodepressure/criticalPod.ts';
import {exceededLimits} from '../../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {rankPods} from '../../../core/nodepressure/ranking.ts';
import {statsByUid} from '../../../core/nodepressure/summary.ts';
import type {Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../../core/time/instant.ts';
import type {PressureSituation} from '../situation.ts';
import {podsAhead} from './projection.ts';

/** More pods than this are unlikely to come first. */
const mostContenders = 8;

/**
 * The pods that may be the first to be evicted for a signal at some instants: those that would be if they grew as much as
 * possible and all others as little; the likeliest first.
 */
export function contenders(
	situation: PressureSituation,
	signal: Signal,
	instants: readonly Instant[],
): readonly NodePod[] {
	const {pods, fileSystems, newest, killed} = situation;
	const course = (share: number) => podsAhead(situation, [signal], {share: () => share, isSlow: false});
	const [least, most] = [course(0), course(1)];
	const able = pods.filter((pod) => !protectionOf(pod) && !killed.has(pod.uid));
	const found = instants.flatMap((at) => {
		const [low, high] = [least, most].map((one) => {
			const stats = newest.summary.pods.map((ofPod) => one(ofPod, at, false));
			return statsByUid({pods: stats});
		});
		if (!low || !high) return [];
		const [first] = rankPods(able, low, signal, fileSystems);
		const firsts = able.filter((pod) => {
			if (!first || pod.uid === first.pod.uid) return true;
			const own = high.get(pod.uid);
			const stats = own ? new Map(low).set(pod.uid, own) : low;
			// Of two that tie, the one listed first comes first.
			return rankPods([pod, first.pod], stats, signal, fileSystems)[0]?.pod === pod;
		});
		return rankPods(firsts, high, signal, fileSystems).map(({pod}) => pod);
	});
	return unique(found).slice(0, mostContenders);
}

/** The pods that may exceed a limit of their own storage by an instant. */
export function limitContenders(situation: PressureSituation, until: Instant): readonly NodePod[] {
	const {pods, fileSystems, newest, killed, settings} = situation;
	if (!settings.localStorageCapacityIsolation) return [];
	const most = podsAhead(situation, [], {share: () => 1, isSlow: false});
	const stats = statsByUid(newest.summary);
	return pods
		.filter((pod) => {
			const own = stats.get(pod.uid);
			if (!own || protectionOf(pod) || killed.has(pod.uid)) return false;
			return exceededLimits(pod, most(own, until, false), fileSystems).length > 0;
		})
		.slice(0, mostContenders);
}
