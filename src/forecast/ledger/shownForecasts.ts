import {latest} from '../../core/collections/latest.ts';
import type {Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {Likely, Range} from '../range.ts';
import {missedBy, tolerance} from './prediction.ts';

/** How many were compared with a deletion, and how many of these were right. */
type Tally = {readonly judged: number; readonly inside: number};

/** How well the odds held: of how many evictions, how many came before `expected`, how many within `likely`. */
type OddsTally = {readonly judged: number; readonly before: number; readonly likely: number};

/** The score of everything that was shown, whatever changed meanwhile. */
export type ShownScore = Readonly<{
	/** How long ranges were shown for pods that then were evicted, or should have been. */
	time: Duration;
	/** How long of that the range contained the later eviction. */
	insideTime: Duration;
	/** The first range that was shown for each pod. */
	first: Tally;
	/** What was shown for each pod a minute before it was evicted. */
	minuteBefore: Tally;
	/** The odds of the first range, if it was wide: pods of a node are evicted together, so one of them counts. */
	odds: OddsTally;
	/** Pods that were evicted while they were shown as Held or Stays. */
	falseHeld: number;
}>;

/** What is shown for a pod from an instant on: null if it is to stay; undefined once a change has overtaken that. */
type Shown = {readonly from: Instant; readonly range: Range | null | undefined};
type ShownHistory = readonly Shown[];

/** If a pod is shown with more ranges than this, every second one is dropped. */
const mostKept = 32;

const none: Tally = {judged: 0, inside: 0};
const noOdds: OddsTally = {judged: 0, before: 0, likely: 0};

/** Keeps what was shown for each pod in trouble, until it is evicted or safe again, and then judges it. */
export function shownForecasts() {
	/** By UID. */
	const histories = new Map<string, ShownHistory>();
	const score = {time: 0, insideTime: 0, falseHeld: 0, first: none, minuteBefore: none, odds: noOdds};
	/** Nodes whose odds were judged, by when they were first shown. */
	const judgedNodes = new Set<string>();

	/** A pod is safe again: predictions that should have come by then, without a change, were wrong. */
	function rescued(uid: string, history: ShownHistory, at: Instant) {
		histories.delete(uid);
		for (const [index, {from, range}] of history.entries()) {
			if (!range) continue;
			const change = history.find((one) => one.range === undefined && one.from >= from)?.from ?? at;
			if (range.end + tolerance < Math.min(change, at)) score.time += (history[index + 1]?.from ?? at) - from;
		}
	}

	function changed(uid: string, at: Instant) {
		const before = histories.get(uid);
		if (before) histories.set(uid, [...thinned(before), {from: at, range: undefined}]);
	}

	return {
		get score(): ShownScore {
			return {...score};
		},
		add({observedAt: from, pods}: Pick<Forecast, 'observedAt' | 'pods'>) {
			// The pods of a node are alike and adjacent, so they share one history.
			const after = latest(
				(before: ShownHistory | undefined, range: Range | null): ShownHistory => [
					...thinned(before ?? []),
					{from, range},
				],
			);
			for (const {uid, verdict, eviction} of pods) {
				const before = histories.get(uid);
				if (verdict === 'Safe') {
					if (before) rescued(uid, before, from);
					continue;
				}
				const range = verdict === 'Held' || verdict === 'Stays' ? null : eviction;
				if (verdict !== 'Terminating' && !isSame(before?.at(-1), range))
					histories.set(uid, after(before, range));
			}
		},
		/** Takes in a change of a pod that no forecast could predict. */
		changed,
		/** The same for all pods. */
		changedAll(at: Instant) {
			for (const uid of histories.keys()) changed(uid, at);
		},
		/** Takes in that a pod is gone whose deletion was not seen. */
		forget: (uid: string) => void histories.delete(uid),
		/** Takes in a deletion; one by others proves nothing. */
		deleted({uid, nodeName}: Pod, at: Instant, isEviction: boolean) {
			const history = histories.get(uid);
			histories.delete(uid);
			if (!history || !isEviction) return;
			for (const [index, {from, range}] of history.entries()) {
				if (!range) continue;
				const shownFor = Math.max(0, (history[index + 1]?.from ?? at) - from);
				score.time += shownFor;
				if (missedBy(range, at) === 0) score.insideTime += shownFor;
			}
			const first = history.find(({range}) => range);
			score.first = counted(score.first, first?.range, at);
			const node = `${nodeName} ${first?.from}`;
			if (first?.range?.isWorthOdds && !judgedNodes.has(node)) {
				judgedNodes.add(node);
				score.odds = weighed(score.odds, first.range, at);
			}
			score.minuteBefore = counted(score.minuteBefore, shownAt(history, at - minute), at);
			const isOvertaken = history.some(({from, range}) => range === undefined && from > at - second);
			if (shownAt(history, at - second) === null && !isOvertaken) score.falseHeld += 1;
		},
	};
}

const isSame = (last: Shown | undefined, range: Shown['range']) =>
	last?.range === range ||
	(!!last?.range && !!range && last.range.earliest === range.earliest && last.range.latest === range.latest);

const thinned = (history: ShownHistory): ShownHistory =>
	history.length < mostKept ? history : history.filter((_, index) => index % 2 === 0);

const shownAt = (history: ShownHistory, at: Instant): Shown['range'] =>
	history.findLast(({from}) => from <= at)?.range;

const counted = ({judged, inside}: Tally, range: Shown['range'], at: Instant): Tally =>
	range === undefined
		? {judged, inside}
		: {judged: judged + 1, inside: inside + (range && missedBy(range, at) === 0 ? 1 : 0)};

const weighed = ({judged, before, likely}: OddsTally, range: Range, at: Instant): OddsTally => ({
	judged: judged + 1,
	before: before + (at < range.expected ? 1 : 0),
	likely: likely + (isWithin(range.likely, at) ? 1 : 0),
});

const isWithin = (likely: Likely | null, at: Instant) =>
	likely !== null && missedBy({earliest: likely.from, end: likely.until}, at) === 0;
