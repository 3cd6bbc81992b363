import {podKey} from '../../core/model/pod.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import {missedBy, oldEnough, type Prediction} from './prediction.ts';

type EvictionPrediction = Prediction & {
	readonly isCertain: boolean;
	/** What the node is short of. */
	readonly signals: readonly string[];
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
};

/** One eviction is told by an event, and a moment later by its pod, each with a time of its own. */
const sameEviction = minute;

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
		for (const {pod, when, isCertain, signals} of pressure.flatMap(({evictions}) => evictions)) {
			const said = this.#said.get(podKey(pod)) ?? [];
			// One that is shown again says nothing new.
			if (said.at(-1)?.range === when) continue;
			this.#said.set(podKey(pod), [...said, {madeAt, verdict: 'Expected', range: when, isCertain, signals}]);
		}
	}

	#isKnown(pod: string, at: Instant): boolean {
		return this.#evictions.some((one) => one.pod === pod && Math.abs(one.at - at) < sameEviction);
	}

	/** Holds an eviction against what was said of its pod, of which no more is said then. @param pod `namespace/name` */
	judge(pod: string, node: string, at: Instant): KubeletEviction {
		const said = (this.#said.get(pod) ?? []).filter(({madeAt}) => madeAt <= at - oldEnough);
		const certain = said.filter(({isCertain}) => isCertain);
		this.#said.delete(pod);
		return {
			...{pod, node, at, said, first: certain[0]},
			missed: certain.find((one) => missedBy(one, at) !== 0),
		};
	}
}
