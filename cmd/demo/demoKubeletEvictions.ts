import {podKey} from '../../src/core/model/pod.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {missedBy, type Prediction} from '../../src/forecast/ledger/prediction.ts';
import type {DemoScene} from './demoWatch.ts';

/** A pod that a kubelet of the demo evicted, and what had been said of it. */
export type KubeletEviction = {
	readonly pod: string;
	readonly node: string;
	readonly at: Instant;
	/** The first that was certain; undefined where nothing was. */
	readonly first: Prediction | undefined;
	/** One that it lies outside of, of all that was certain. */
	readonly missed: Prediction | undefined;
};

/** Holds what was said for certain of kubelets’ evictions against those that are seen. */
export class KubeletEvictions {
	readonly #said = new Map<string, Prediction[]>();
	#first: KubeletEviction | undefined;

	/** The first that was seen. */
	get first(): KubeletEviction | undefined {
		return this.#first;
	}

	add({forecast, now, startedAt}: Pick<DemoScene, 'forecast' | 'now' | 'startedAt'>): void {
		for (const {node, evictions, happenings} of forecast.pressure ?? []) {
			for (const {pod, when, isCertain} of evictions) {
				const made: Prediction = {madeAt: now, verdict: 'Expected', range: when};
				if (isCertain) this.#said.set(podKey(pod), [...(this.#said.get(podKey(pod)) ?? []), made]);
			}
			const seen = happenings.findLast(
				({reason, pod, at}) => reason === 'Evicted' && pod !== null && at !== null && at >= startedAt,
			);
			if (!this.#first && seen?.pod && seen.at !== null) {
				this.#first = this.#judged(seen.pod, node, seen.at);
			}
		}
	}

	#judged(pod: string, node: string, at: Instant): KubeletEviction {
		const said = this.#said.get(pod) ?? [];
		const missed = said.find((one) => one.madeAt <= at && missedBy(one, at) !== 0);
		return {pod, node, at, first: said[0], missed};
	}
}
