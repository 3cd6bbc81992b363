import {maxOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {
	type DueDeletions,
	throttleDelayFor,
	throttledEnds,
} from '../observe/countdowns/deletionThrottleDelay.ts';
import {notBefore, wholeSecond} from '../observe/interval.ts';
import type {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {PodOutcomes} from './podOutcomes.ts';

/** Deletions that are due this close together wait alike. */
const step: Duration = second / 10;

/**
 * The deletions of all pods by the taint-eviction controller, first in, first out, at the pace of its client: those of running
 * countdowns, those of taints to come, and those that new controllers do again.
 */
export class DeletionQueue {
	readonly #simulated: Simulated;
	/** The longest wait of a deletion that is due in each step. */
	#longest: ReadonlyMap<number, Duration> | undefined;
	readonly #waits = new Map<string, Duration>();

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	/** How long a deletion that is due within a range waits for others at most, over all runs. */
	waitWithin({earliest, latest}: Pick<Range, 'earliest' | 'latest'>): Duration {
		this.#longest ??= longestWaits({...this.#simulated, deletions: this});
		if (this.#longest.size === 0) return 0;
		const [first, last] = [Math.floor(earliest / step), Math.floor((latest ?? earliest) / step)];
		return kept(this.#waits, `${first} ${last}`, () => {
			let longest = 0;
			for (const [at, wait] of this.#longest ?? [])
				if (at >= first && at <= last) longest = Math.max(longest, wait);
			return longest;
		});
	}
}

function longestWaits(
	situation: Simulated & {readonly deletions: DeletionQueue},
): ReadonlyMap<number, Duration> {
	const {affected, evidence, runs, settings, deletionsAgain, now} = situation;
	const longest = new Map<number, Duration>();
	const pods = affected.nodes.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
	if (throttleDelayFor(pods + deletionsAgain.length, settings) === 0) return longest;
	const outcomes = affected.nodes.map((one) => new PodOutcomes(one, situation));
	const again = deletionsAgain.map((at) => ({...at, count: 1}));
	const before = deletedJustNow(situation);
	for (const run of runs) {
		const due = [...again, ...outcomes.flatMap((ofNode) => ofNode.dueIn(run))];
		const bounds = [throttledEnds([...due, ...before], settings)];
		// One that is overdue waits for the client, which then has no call left.
		if (due.some(({hi}) => hi < now))
			bounds.push(
				throttledEnds(
					due.map((at) => ({...notBefore({lo: now, hi: now}, at), count: at.count})),
					{...settings, kubeApiBurst: 0},
				),
			);
		for (const [index, {hi}] of due.entries()) {
			const from = Math.max(now, hi);
			const at = Math.floor(from / step);
			const wait = maxOf(bounds.map((ends) => ends[index] ?? from)) - from;
			if (wait > (longest.get(at) ?? 0)) longest.set(at, wait);
		}
	}
	return longest;
}

/** When pods were deleted in the last minute: their events may still be posted. */
const deletedJustNow = ({affected, evidence, now}: Simulated): readonly DueDeletions[] =>
	affected.nodes.flatMap(({node}) =>
		evidence.pods.onNode(node.name).flatMap(({deletionTimestamp = 0, deletionGracePeriodSeconds = 0}) => {
			const lo = deletionTimestamp - deletionGracePeriodSeconds * second;
			return lo > now - minute ? {...wholeSecond(lo), count: 1} : [];
		}),
	);
