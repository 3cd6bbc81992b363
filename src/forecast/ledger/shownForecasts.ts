import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {Range} from '../range.ts';
import {endOf, missedBy, tolerance} from './prediction.ts';

/** How many were held against a deletion, and how many of these were right. */
type Tally = {readonly judged: number; readonly inside: number};

/** How all did that was shown, whatever changed meanwhile. */
export type ShownScore = {
	/** For how long ranges were shown of pods that then were evicted, or should have been. */
	readonly time: Duration;
	/** For how long of that the range was one in which the pod then was evicted. */
	readonly insideTime: Duration;
	/** The first range that was shown of each pod. */
	readonly first: Tally;
	/** What was shown of each pod a minute before it was evicted. */
	readonly minuteBefore: Tally;
	/** Pods that were evicted while they were shown as Held or Stays. */
	readonly falseHeld: number;
};

/** What is shown of a pod from an instant on: null where it is to stay; undefined once a change has overtaken that. */
type Shown = {readonly from: Instant; readonly range: Range | null | undefined};
type PodHistory = readonly Shown[];

/** Of a pod that is shown with ever new ranges, every second one is left out beyond so many. */
const mostKept = 32;

const none: Tally = {judged: 0, inside: 0};

/** Keeps what was shown of each pod in trouble, until it is evicted or has nothing to fear any more, and judges it then. */
export class ShownForecasts {
	/** By UID. */
	readonly #pods = new Map<string, PodHistory>();
	#score: ShownScore = {time: 0, insideTime: 0, first: none, minuteBefore: none, falseHeld: 0};

	get score(): ShownScore {
		return this.#score;
	}

	/** Takes in a forecast as it is shown. */
	add({observedAt: from, pods}: Pick<Forecast, 'observedAt' | 'pods'>): void {
		let last:
			| {readonly before: PodHistory | undefined; readonly shown: Shown; readonly after: PodHistory}
			| undefined;
		for (const {uid, verdict, eviction} of pods) {
			const before = this.#pods.get(uid);
			if (verdict === 'Safe') {
				if (before) this.#rescued(uid, before, from);
				continue;
			}
			const range = verdict === 'Held' || verdict === 'Stays' ? null : eviction;
			if (verdict === 'Terminating' || isSame(before?.at(-1), range)) continue;
			// The pods of a node are alike, and come one after another: one history serves them all.
			if (last?.before !== before || last?.shown.range !== range || !last) {
				const shown = {from, range};
				last = {before, shown, after: [...thinned(before ?? []), shown]};
			}
			this.#pods.set(uid, last.after);
		}
	}

	/** Something has happened to a pod that no forecast could know of. */
	changed(uid: string, at: Instant): void {
		const before = this.#pods.get(uid);
		if (before) this.#pods.set(uid, [...thinned(before), {from: at, range: undefined}]);
	}

	/** The same of all pods. */
	changedAll(at: Instant): void {
		for (const uid of this.#pods.keys()) this.changed(uid, at);
	}

	/** A pod is gone, and nobody saw when. */
	forget(uid: string): void {
		this.#pods.delete(uid);
	}

	/** A pod is deleted; by somebody else, that tells nothing. */
	deleted(uid: string, at: Instant, isEviction: boolean): void {
		const history = this.#pods.get(uid);
		this.#pods.delete(uid);
		if (!history || !isEviction) return;
		let {time, insideTime, first, minuteBefore, falseHeld} = this.#score;
		for (const [index, {from, range}] of history.entries()) {
			if (!range) continue;
			const shownFor = Math.max(0, (history[index + 1]?.from ?? at) - from);
			time += shownFor;
			if (missedBy({range}, at) === 0) insideTime += shownFor;
		}
		first = counted(first, history.find(({range}) => range)?.range, at);
		minuteBefore = counted(minuteBefore, shownAt(history, at - minute), at);
		const isOvertaken = history.some(({from, range}) => range === undefined && from > at - second);
		if (shownAt(history, at - second) === null && !isOvertaken) falseHeld += 1;
		this.#score = {time, insideTime, first, minuteBefore, falseHeld};
	}

	/** A pod has nothing to fear any more: what should have come by then, with nothing changed, was wrong. */
	#rescued(uid: string, history: PodHistory, at: Instant): void {
		this.#pods.delete(uid);
		for (const [index, {from, range}] of history.entries()) {
			if (!range) continue;
			const change = history.find((one) => one.range === undefined && one.from >= from)?.from ?? at;
			if (endOf({range}) + tolerance >= Math.min(change, at)) continue;
			const shownFor = (history[index + 1]?.from ?? at) - from;
			this.#score = {...this.#score, time: this.#score.time + shownFor};
		}
	}
}

const isSame = (last: Shown | undefined, range: Shown['range']): boolean =>
	last?.range === range ||
	(!!last?.range && !!range && last.range.earliest === range.earliest && last.range.latest === range.latest);

const thinned = (history: PodHistory): PodHistory =>
	history.length < mostKept ? history : history.filter((_, index) => index % 2 === 0);

/** What was on the screen at an instant. */
const shownAt = (history: PodHistory, at: Instant): Shown['range'] =>
	history.findLast(({from}) => from <= at)?.range;

const counted = ({judged, inside}: Tally, range: Shown['range'], at: Instant): Tally =>
	range === undefined
		? {judged, inside}
		: {judged: judged + 1, inside: inside + (range && missedBy({range}, at) === 0 ? 1 : 0)};
