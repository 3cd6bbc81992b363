import {podKey} from '../../core/model/pod.ts';
import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import {missedBy, oldEnough, type Prediction} from './prediction.ts';

type EvictionPrediction = Prediction & {
	readonly isCertain: boolean;
	/** What the node is short of. */
	readonly signals: readonly string[];
	/** How long the pod takes to end at the most, once it is killed. */
	readonly killTimeout: Duration;
};

/** A pod that its kubelet evicted, and what had been said of it. */
export type KubeletEviction = {
	/** `namespace/name`. */
	readonly pod: string;
	readonly node: string;
	readonly at: Instant;
	/** All that was said of it, the oldest first. */
	readonly said: readonly EvictionPrediction[];
	/** The first that was certain; undefined where nothing was. */
	readonly first: Prediction | undefined;
	/** One that it lies outside of, of all that was certain. */
	readonly missed: Prediction | undefined;
	/** The one that counts: what was not certain had no end, and does so where nothing else was said. */
	readonly told: Prediction | undefined;
	/** Whether it lies in that; undefined where nothing was said. */
	readonly isInside: boolean | undefined;
};

/** One eviction is told by an event, and a moment later by its pod, each with a time of its own. */
export const sameEviction = minute;

/** Holds what was said of kubelets’ evictions against those that are seen. */
export class KubeletEvictions {
	readonly #said = new Map<string, EvictionPrediction[]>();
	readonly #evictions: KubeletEviction[] = [];

	/** All that were seen, in the order in which they were. */
	get evictions(): readonly KubeletEviction[] {
		return this.#evictions;
	}

	/** Takes in the evictions that a forecast shows, and what it says. @param startedAt what was evicted before is nothing that could be foreseen */
	add(forecast: Pick<Forecast, 'pressure' | 'observedAt'>, startedAt: Instant): void {
		for (const {node, happenings} of forecast.pressure ?? []) {
			for (const {reason, pod, at} of happenings.toReversed()) {
				const isNew = pod !== null && at !== null && at >= startedAt && !this.#isKnown(pod, at);
				if (reason === 'Evicted' && isNew) this.#evictions.push(this.judge(pod, node, at));
			}
		}
		this.say(forecast);
	}

	/** Takes in what is said at an instant. */
	say({pressure = [], observedAt: madeAt}: Pick<Forecast, 'pressure' | 'observedAt'>): void {
		for (const {pod, when, isCertain, signals, graceSeconds} of pressure.flatMap((one) => one.evictions)) {
			const said = this.#said.get(podKey(pod)) ?? [];
			// One that is shown again says nothing new.
			if (said.at(-1)?.range === when) continue;
			const timeout = killTimeout(Math.max(1, ...graceSeconds));
			this.#said.set(podKey(pod), [
				...said,
				{...{madeAt, verdict: 'Expected', range: when, isCertain, signals}, killTimeout: timeout},
			]);
		}
	}

	#isKnown(pod: string, at: Instant): boolean {
		return this.#evictions.some((one) => one.pod === pod && Math.abs(one.at - at) < sameEviction);
	}

	/**
	 * Holds an eviction against what was said of its pod, of which no more is said then.
	 *
	 * @param pod `namespace/name`
	 * @param isEnd whether the pod ended at `at`, which its kubelet killed a while before
	 */
	judge(pod: string, node: string, at: Instant, isEnd = false): KubeletEviction {
		const said = (this.#said.get(pod) ?? []).filter(({madeAt}) => madeAt <= at - oldEnough);
		const certain = said.filter(({isCertain}) => isCertain);
		this.#said.delete(pod);
		const misses = (one: EvictionPrediction) => missedBy(one, isEnd ? killedAt(one, at) : at) !== 0;
		const [first, missed] = [certain[0], certain.find(misses)];
		const told = missed ?? first ?? said[0];
		return {...{pod, node, at, said, first, missed, told}, isInside: told && !misses(told)};
	}
}

/** When a pod that ended was killed: of the times that fit, the nearest to what was said. */
const killedAt = ({range, killTimeout: timeout}: EvictionPrediction, endedAt: Instant): Instant =>
	Math.min(endedAt, Math.max(endedAt - timeout, range.latest ?? endedAt));
