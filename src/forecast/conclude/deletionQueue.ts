import {ascending} from '../../core/collections/ascending.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {firstIndex} from '../../core/collections/firstIndex.ts';
import {kept} from '../../core/collections/kept.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {
	type DueDeletions,
	throttleDelayFor,
	throttledEnds,
	type UsualWaits,
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
	waitOf({expected}: Range, {earliest, latest}: Range): TurnWait {
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
	const {affected, evidence, runs, settings, span, deletionsAgain, now} = situation;
	const longest = new Map<number, Duration>();
	const usual: UsualWaits[] = [];
	const pods = affected.nodes.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
	if (throttleDelayFor(pods + deletionsAgain.length, settings) === 0) return {longest, usual};
	const outcomes = affected.nodes.map((one) => new PodOutcomes(one, situation));
	const again = deletionsAgain.map((at) => ({...at, count: 1}));
	const before = deletedJustNow(situation);
	for (const run of runs) {
		const ofNodes = outcomes.flatMap((ofNode) => ofNode.dueIn(run));
		const others = otherOrders(ofNodes);
		const due = [...again, ...ofNodes, ...others.due];
		// Where nothing waits, the burst is left.
		const justBefore = (wait: Duration) =>
			throttleDelayFor(others.just, wait > 0 ? {...settings, kubeApiBurst: 0} : settings);
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
			const own = maxOf(bounds.map((ends) => ends[index] ?? from)) - from;
			const wait = own + justBefore(own);
			if (wait > (longest.get(at) ?? 0)) longest.set(at, wait);
		}
		usual.push(usualWaits([...again, ...ofNodes], span.usual, now));
	}
	return {longest, usual};
}

/** What another order than a run's may add to the deletions of its nodes. */
type OtherOrders = {
	/** Deletions with the tokens, if these go to the nodes with most pods first. */
	readonly due: readonly DueDeletions[];
	/** How many more than usual a token may bring just before any deletion. */
	readonly just: number;
};

function otherOrders(due: readonly DueOfNode[]): OtherOrders {
	const afterTokens = due.filter(({after}) => after !== undefined);
	const ofTokens = [...Map.groupBy(afterTokens, ({after, node}) => `${after} ${node}`).values()].flatMap(
		(ones) => (ones[0] ? {...ones[0], count: ones.reduce((sum, {count}) => sum + count, 0)} : []),
	);
	const groups = [...Map.groupBy(ofTokens, ({after}) => after).values()];
	return {
		due: groups.flatMap((tokens) => {
			const most = tokens.map(({count}) => count).toSorted((a, b) => b - a);
			return tokens
				.toSorted(ascending(({lo}) => lo))
				.map((token, index) => ({...token, count: Math.max(0, (most[index] ?? 0) - token.count)}));
		}),
		just: groups.reduce((sum, tokens) => {
			const counts = tokens.map(({count}) => count);
			return sum + maxOf(counts) - minOf(counts);
		}, 0),
	};
}

/** When pods were deleted in the last minute: their events may still be posted. */
const deletedJustNow = ({affected, evidence, now}: Simulated): readonly DueDeletions[] =>
	affected.nodes.flatMap(({node}) =>
		evidence.pods.onNode(node.name).flatMap(({deletionTimestamp = 0, deletionGracePeriodSeconds = 0}) => {
			const lo = deletionTimestamp - deletionGracePeriodSeconds * second;
			return lo > now - minute ? {...wholeSecond(lo), count: 1} : [];
		}),
	);
