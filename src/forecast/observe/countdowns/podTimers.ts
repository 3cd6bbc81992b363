import type {ClusterEvent} from '../../../core/model/clusterEvent.ts';
import {type Pod, podKey} from '../../../core/model/pod.ts';
import type {Taint} from '../../../core/model/taint.ts';
import {matchingTolerations, minTolerationTime} from '../../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, intersect, shift} from '../interval.ts';
import type {ClientLimits} from '../latencies.ts';
import {triesAfter} from './deletionAttempts.ts';
import {throttleDelayFor} from './deletionThrottleDelay.ts';

/** A countdown that the taint-eviction controller keeps for a pod, as far as it can be known. */
export type PodTimer = {
	/** When the controller started it. */
	readonly started: Interval;
	/** When it runs out. */
	readonly fires: Interval;
	/** The seconds that were tolerated when it started, in milliseconds; 0 for a pod that goes at once. */
	readonly tolerated: Duration;
	readonly taint: Taint;
	/** Where the start comes from, in words. */
	readonly source: string;
	/** The event that told that it ran out: its deletion was tried, once. Absent where none did. */
	readonly ranOut?: ClusterEvent;
};

/** How much longer than foretold the tries of a deletion may take. */
const patience: Duration = 2 * second;

/** How the pod stands to its node's NoExecute taints. */
export type TolerationOutcome =
	| {readonly type: 'none'}
	| {readonly type: 'forever'}
	| {readonly type: 'limited'; readonly tolerated: Duration; readonly taint: Taint};

/** What the taints that a node has, or is about to get, mean for a pod. */
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
		return {type: 'limited', tolerated: 0, taint: taint ?? first};
	}
	const tolerated = minTolerationTime(used);
	if (tolerated === undefined) return {type: 'forever'};
	const index = used.findIndex(
		({tolerationSeconds}) => Math.max(0, tolerationSeconds ?? -1) * 1000 === tolerated,
	);
	return {type: 'limited', tolerated, taint: taints[index] ?? first};
}

/**
 * The timers of all pods, followed by the controller's own rule: one that runs is kept while the pod is tolerated for
 * any limited time, whatever changes. One that ran out without an effect is not.
 */
export class PodTimers {
	#timers = new Map<string, PodTimer>();
	readonly #limits: ClientLimits;

	/** @param limits of the controller's client: deletions that wait in its line are not given up yet */
	constructor(limits: ClientLimits) {
		this.#limits = limits;
	}

	get(pod: Pod): PodTimer | undefined {
		return this.#timers.size === 0 ? undefined : this.#timers.get(podKey(pod));
	}

	/** How many timers have surely run out by an instant. */
	dueBy(now: Instant): number {
		let due = 0;
		for (const {fires} of this.#timers.values()) if (fires.hi <= now) due += 1;
		return due;
	}

	/**
	 * The controller looks at a pod against its node's NoExecute taints at some instant within `seen`.
	 *
	 * @param fires narrows or widens what would follow of `seen` and the toleration alone
	 */
	look(pod: Pod, toleration: TolerationOutcome, seen: Interval, source: string, fires?: Interval): void {
		const key = podKey(pod);
		const running = this.#timers.get(key);
		if (toleration.type !== 'limited') {
			this.#timers.delete(key);
		} else if (
			!running ||
			running.ranOut ||
			toleration.tolerated === 0 ||
			this.#isGivenUp(running, seen.lo)
		) {
			const {tolerated, taint} = toleration;
			this.#timers.set(key, {
				started: seen,
				fires: fires ?? shift(seen, tolerated),
				tolerated,
				taint,
				source,
			});
		}
	}

	/** The controller tried to delete a pod: its timer ran out then, and nothing but another look starts one. */
	ranOut(key: string, at: Interval, ranOut: ClusterEvent): void {
		const running = this.#timers.get(key);
		if (!running) return;
		const source = 'the event of the try to delete the pod';
		this.#timers.set(key, {...running, fires: intersect(running.fires, at) ?? at, source, ranOut});
	}

	/** A timer of whose start no more was known than that it lies about the start of the controllers. */
	notBefore(key: string, started: Interval): void {
		const running = this.#timers.get(key);
		if (!running) return;
		const {tolerated, fires} = running;
		this.#timers.set(key, {
			...running,
			started: {lo: started.lo, hi: Math.max(running.started.hi, started.hi)},
			// It may be one of a shorter toleration than is known, which decides how early it may end.
			fires: {lo: fires.lo, hi: Math.max(fires.hi, started.hi + tolerated)},
		});
	}

	/** After five failed tries the controller forgets a pod: the next look at it begins anew. */
	#isGivenUp({fires}: PodTimer, at: Instant): boolean {
		if (fires.hi >= at) return false;
		const {kubeApiQps, kubeApiBurst} = this.#limits;
		const line = throttleDelayFor(this.dueBy(at), kubeApiQps, kubeApiBurst);
		return triesAfter(fires, line, kubeApiQps).hi + patience < at;
	}

	/** A timer that may have been set to any of several limits. */
	mayLast(key: string, limits: readonly Duration[]): void {
		const running = this.#timers.get(key);
		if (!running) return;
		const {started, fires} = running;
		const lo = Math.min(fires.lo, ...limits.map((limit) => started.lo + limit));
		const hi = Math.max(fires.hi, ...limits.map((limit) => started.hi + limit));
		this.#timers.set(key, {...running, fires: {lo, hi}});
	}

	delete(key: string): void {
		this.#timers.delete(key);
	}

	clear(): void {
		this.#timers.clear();
	}
}
