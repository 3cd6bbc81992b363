import {kept} from '../../../core/collections/kept.ts';
import type {EvictionWorld} from '../../../core/nodepressure/evictionWorld.ts';
import type {Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {thresholdsMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Instant, never, second} from '../../../core/time/instant.ts';
import type {SignalForecast} from '../pressureForecast.ts';
import type {PressureSituation} from '../situation.ts';
import type {PressureHypothesis} from './hypotheses.ts';
import {projection} from './projection.ts';

/** A node in the future of a hypothesis, for the ported manager to run in. */
export function projectedNode(
	situation: PressureSituation,
	near: readonly SignalForecast[],
	hypothesis: PressureHypothesis,
) {
	const {pods, fileSystems, killed} = situation;
	const {rotation, course, isSlow, choice} = hypothesis;
	const signals = near.map(({signal}) => signal);
	const {at, observationsAt, isOverLimitAt} = projection(situation, signals, hypothesis);
	// They may have ended by now, or take as long as possible, which gives others time to be evicted.
	const endsAt = new Map(
		[...killed].map(([uid, until]) => [uid, course === 'median' ? beginningOfTime : until]),
	);
	const turn = rotation % Math.max(1, pods.length);
	const turned = [...pods.slice(turn), ...pods.slice(0, turn)];
	const hasEnded = (uid: string, now: Instant) => now >= (endsAt.get(uid) ?? never);
	const endedBy = (now: Instant) => new Set([...endsAt.keys()].filter((uid) => hasEnded(uid, now)));
	const world: EvictionWorld = {
		fileSystems: () => fileSystems,
		activePods: (now) => turned.filter(({uid}) => !hasEnded(uid, now)),
		measured: (now) => at(now, endedBy(now)),
		// Where that suffices, the thresholds are left out.
		collectGarbage: () => undefined,
		kill({uid}, graceSeconds, now) {
			const most = (Math.max(1, graceSeconds) + 1) * second;
			return kept(endsAt, uid, () => now + (isSlow ? most : 0));
		},
		// A slow node never completes its cleanup; the kubelet gives up after half a minute.
		isCleanedUp: () => !isSlow,
		choose: (candidates) => candidates[choice % candidates.length] ?? candidates[0],
	};

	/** Whether a pass at `now` has anything to do. */
	function isBusyAt(now: Instant, thresholds: readonly Threshold[]) {
		const ended = endedBy(now);
		const observed = observationsAt(now, ended);
		return thresholdsMet(thresholds, observed, false).length > 0 || isOverLimitAt(now, ended);
	}

	return {world, isBusyAt};
}
