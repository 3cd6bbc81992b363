import type {ClusterEvent} from '../../../core/model/clusterEvent.ts';
import {type Pod, podKey} from '../../../core/model/pod.ts';
import type {Taint} from '../../../core/model/taint.ts';
import {matchingTolerations, minTolerationTime} from '../../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {hull, type Interval, intersect, isPrompt, shift} from '../interval.ts';
import type {ClientLimits} from '../latencies.ts';
import {isSameTaints} from '../nodes/lifecycleTaint.ts';
import {throttleDelayFor, triesAfter} from './deletionThrottleDelay.ts';

/** A countdown of the taint-eviction controller for a pod, as far as known. */
export type PodTimer = Readonly<{
	started: Interval;
	fires: Interval;
	/** The same if the present taint began it, right after its own time: rarely it began otherwise. */
	usual: Interval;
	/** The tolerated time when it started, in milliseconds; 0 for a pod that is deleted at once. */
	tolerated: Duration;
	taint: Taint;
	/** What shows the start, in words. */
	source: string;
	/** The event that shows its end, an attempt to delete the pod; absent if there is none. */
	ranOut?: ClusterEvent;
}>;

/** Attempts to delete may take this much longer than computed. */
const patience: Duration = 2 * second;

/** Whether and for how long a pod tolerates its node's NoExecute taints. */
export type TolerationOutcome = {readonly type: 'none'} | {readonly type: 'forever'} | LimitedToleration;

export type LimitedToleration = Readonly<{
	type: 'limited';
	tolerated: Duration;
	taint: Taint;
	/** Whether it does not tolerate one of them. A running countdown is kept only if all are tolerated, even for no time. */
	isAtOnce?: boolean;
}>;

/** Whether and for how long a pod tolerates taints that its node has, or will get. */
export function tolerationOf(
	pod: Pick<Pod, 'tolerations'>,
	taints: readonly Taint[],
	comparisonOperators: boolean,
): TolerationOutcome {
	const used = matchingTolerations(taints, pod.tolerations, comparisonOperators);
	const [first] = taints;
	if (!first) return {type: 'none'};
	if (!used) {
		const taint = taints.find((one) => !matchingTolerations([one], pod.tolerations, comparisonOperators));
		return {type: 'limited', tolerated: 0, taint: taint ?? first, isAtOnce: true};
	}
	const tolerated = minTolerationTime(used);
	if (tolerated === undefined) return {type: 'forever'};
	const index = used.findIndex(
		({tolerationSeconds}) => Math.max(0, tolerationSeconds ?? -1) * 1000 === tolerated,
	);
	return {type: 'limited', tolerated, taint: taints[index] ?? first};
}

/**
 * How long a pod's countdown may last if its node's taints were seen to change at once: the controller may have seen new ones
 * one by one, and keeps the countdown that the first began.
 */
export function toleratedInAnyOrder(
	pod: Pod,
	whole: TolerationOutcome,
	old: readonly Taint[],
	young: readonly Taint[],
	comparisonOperators: boolean,
): readonly Duration[] {
	if (whole.type !== 'limited') return [];
	if (whole.isAtOnce) return [whole.tolerated];
	const kept = young.filter((taint) => old.some((one) => isSameTaints([one], [taint])));
	const added = young.filter((taint) => !kept.includes(taint));
	const byFirst = added.flatMap((first) => {
		const toleration = tolerationOf(pod, [...kept, first], comparisonOperators);
		return toleration.type === 'limited' ? toleration.tolerated : [];
	});
	return [whole.tolerated, ...byFirst];
}

/**
 * Keeps the timers of all pods by the controller's rule: a running timer is kept as long as the pod tolerates the taints for
 * any limited time, whatever else changes. A timer that ended without effect is dropped.
 */
export class PodTimers {
	#timers = new Map<string, PodTimer>();
	readonly #limits: ClientLimits;

	/** @param limits of the controller's client: a deletion that waits for it may still be attempted */
	constructor(limits: ClientLimits) {
		this.#limits = limits;
	}

	get(pod: Pod): PodTimer | undefined {
		return this.#timers.size === 0 ? undefined : this.#timers.get(podKey(pod));
	}

	/** The timers that may have begun before an instant, by the keys of their pods. */
	begunBefore(instant: Instant): readonly (readonly [string, PodTimer])[] {
		const found: [string, PodTimer][] = [];
		for (const entry of this.#timers) if (entry[1].started.lo < instant) found.push(entry);
		return found;
	}

	/** How many timers have certainly ended by an instant. */
	dueBy(now: Instant): number {
		let due = 0;
		for (const {fires} of this.#timers.values()) if (fires.hi <= now) due += 1;
		return due;
	}

	/** The keys of the pods whose timers have certainly ended by an instant. */
	dueBefore(now: Instant): readonly string[] {
		return [...this.#timers].flatMap(([key, {fires}]) => (fires.hi <= now ? [key] : []));
	}

	/**
	 * Takes in that the controller compared a pod with its node's NoExecute taints at some instant within `seen`.
	 *
	 * @param known when the timer ends, if more is known than `seen` and the toleration
	 */
	look(
		pod: Pod,
		toleration: TolerationOutcome,
		seen: Interval,
		source: string,
		known: Partial<Pick<PodTimer, 'fires' | 'usual'>> = {},
	) {
		const key = podKey(pod);
		const running = this.#timers.get(key);
		if (toleration.type !== 'limited') {
			this.#timers.delete(key);
		} else if (!running || running.ranOut || toleration.isAtOnce || this.#isGivenUp(running, seen.lo)) {
			const {tolerated, taint} = toleration;
			const {fires = shift(seen, tolerated), usual = shift(seen, tolerated)} = known;
			this.#timers.set(key, {started: seen, fires, usual, tolerated, taint, source});
		}
	}

	/** Takes over the countdowns that were seen to start, for pods that have one: settings do not change when they started. */
	keepSeen(before: PodTimers) {
		for (const [key, timer] of before.#timers)
			if (this.#timers.has(key) && isPrompt(timer.started)) this.#timers.set(key, timer);
	}

	/** Takes in that the controller attempted to delete a pod: its timer has ended. */
	ranOut(key: string, at: Interval, ranOut: ClusterEvent) {
		const source = 'the event of the try to delete the pod';
		this.#change(key, ({fires}) => ({fires: intersect(fires, at) ?? at, source, ranOut}));
	}

	/** Moves a timer's start after the start of the controllers. */
	notBefore(key: string, {lo, hi}: Interval) {
		this.#change(key, ({tolerated, fires, started}) => ({
			started: {lo, hi: Math.max(started.hi, hi)},
			usual: shift({lo, hi}, tolerated),
			// The timer may come from a shorter toleration than is known: the early end stays.
			fires: hull([fires, {lo: fires.lo, hi: hi + tolerated}]),
		}));
	}

	/** Widens a timer that may have been set to any of several limits. */
	mayLast(key: string, limits: readonly Duration[]) {
		this.#change(key, ({started, fires}) => ({
			fires: hull([fires, ...limits.map((limit) => shift(started, limit))]),
		}));
	}

	#change(key: string, changeOf: (running: PodTimer) => Partial<PodTimer>) {
		const running = this.#timers.get(key);
		if (running) this.#timers.set(key, {...running, ...changeOf(running)});
	}

	/** Whether the controller has forgotten a pod after five failed attempts: then it starts a new timer. */
	#isGivenUp({fires}: PodTimer, at: Instant) {
		if (fires.hi >= at) return false;
		const queueDelay = throttleDelayFor(this.dueBy(at), this.#limits);
		return triesAfter(fires, queueDelay, this.#limits).hi + patience < at;
	}

	delete(key: string) {
		this.#timers.delete(key);
	}

	clear() {
		this.#timers.clear();
	}
}
