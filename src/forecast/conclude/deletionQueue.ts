import {maxOf} from '../../core/collections/extremes.ts';
import {firstIndex} from '../../core/collections/firstIndex.ts';
import {kept} from '../../core/collections/kept.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {
	type DueDeletions,
	throttleDelayFor,
	throttledEnds,
	usualWaits,
} from '../observe/countdowns/deletionThrottleDelay.ts';
import {notBefore, wholeSecond} from '../observe/interval.ts';
import type {Range, TurnWait} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type DueOfNode, PodOutcomes} from './podOutcomes.ts';

/** Deletions that are due this close together wait alike. */
const step: Duration = second / 10;

/**
 * The deletions of all pods by the taint-eviction controller, first in, first out, at the pace of its client: those of running
 * countdowns, those of taints to come, and those that new controllers do again.
 */
export class DeletionQueue {
	readonly #simulated: Simulated;
	#inRuns: WaitsInRuns | undefined;
	readonly #longest = new Map<string, Duration>();

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	/** How long a deletion waits for others, over all runs. @param range when it is due, or was; `due` does not begin before now */
	waitOf(
		{expected}: Pick<Range, 'expected'>,
		{earliest, latest}: Pick<Range, 'earliest' | 'latest'>,
	): TurnWait {
		this.#inRuns ??= waitsInRuns({...this.#simulated, deletions: this});
		const {longest: steps, usual} = this.#inRuns;
		if (steps.size === 0) return {longest: 0, usual: 0};
		const [first, last] = [Math.floor(earliest / step), Math.floor((latest ?? earliest) / step)];
		const longest = kept(this.#longest, `${first} ${last}`, () => {
			let most = 0;
			for (const [at, wait] of steps) if (at >= first && at <= last) most = Math.max(most, wait);
			return most;
		});
		return {longest, usual: usualWait(usual, expected)};
	}
}

/** When deletions are due, in order, and how long each waits as is usual. */
type UsualWaits = readonly {readonly at: Instant; readonly wait: Duration}[];

type WaitsInRuns = {
	/** The longest wait of a deletion that is due in each step. */
	readonly longest: ReadonlyMap<number, Duration>;
	/** By run. */
	readonly usual: readonly UsualWaits[];
};

/** The mean over all runs of how long the last deletion waits that is due by an instant. */
function usualWait(runs: readonly UsualWaits[], due: Instant): Duration {
	const waits = runs.map(
		(ofRun) => ofRun[firstIndex(ofRun.length, (index) => (ofRun[index]?.at ?? 0) > due) - 1],
	);
	return waits.reduce((sum, found) => sum + (found?.wait ?? 0), 0) / Math.max(1, runs.length);
}

function waitsInRuns(situation: Simulated & {readonly deletions: DeletionQueue}): WaitsInRuns {
	const {affected, evidence, runs, settings, deletionsAgain, now} = situation;
	const longest = new Map<number, Duration>();
	const usual: UsualWaits[] = [];
	const pods = affected.nodes.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
	if (throttleDelayFor(pods + deletionsAgain.length, settings) === 0) return {longest, usual};
	const outcomes = affected.nodes.map((one) => new PodOutcomes(one, situation));
	const again = deletionsAgain.map((at) => ({...at, count: 1}));
	const before = deletedJustNow(situation);
	for (const run of runs) {
		const ofNodes = outcomes.flatMap((ofNode) => ofNode.dueIn(run));
		const due = [...again, ...ofNodes, ...ofOtherOrders(ofNodes)];
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
		usual.push(usualWaits([...again, ...ofNodes], settings, now));
	}
	return {longest, usual};
}

/** What is due besides if, in another order than the run has, the token of a node goes to the one that has the most pods. */
function ofOtherOrders(due: readonly DueOfNode[]): readonly DueDeletions[] {
	const afterTokens = due.filter(({after}) => after !== undefined);
	const ofNodes = [...Map.groupBy(afterTokens, ({after, node}) => `${after} ${node}`).values()].flatMap(
		(ones) => (ones[0] ? {...ones[0], count: ones.reduce((sum, {count}) => sum + count, 0)} : []),
	);
	const most = new Map<string | undefined, number>();
	for (const {after, count} of ofNodes) most.set(after, Math.max(count, most.get(after) ?? 0));
	return ofNodes.map((one) => ({...one, count: (most.get(one.after) ?? 0) - one.count}));
}

/** When pods were deleted in the last minute: their events may still be posted. */
const deletedJustNow = ({affected, evidence, now}: Simulated): readonly DueDeletions[] =>
	affected.nodes.flatMap(({node}) =>
		evidence.pods.onNode(node.name).flatMap(({deletionTimestamp = 0, deletionGracePeriodSeconds = 0}) => {
			const lo = deletionTimestamp - deletionGracePeriodSeconds * second;
			return lo > now - minute ? {...wholeSecond(lo), count: 1} : [];
		}),
	);
