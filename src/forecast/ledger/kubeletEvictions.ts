import {maxOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {podKey} from '../../core/model/pod.ts';
import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import {leastAge, missedBy, type Prediction} from './prediction.ts';

type EvictionPrediction = Pick<Prediction, 'madeAt' | 'range'> & {
	readonly isCertain: boolean;
	/** What the node is short of. */
	readonly signals: readonly string[];
	/** The longest time that the pod takes to end once it is killed. */
	readonly killTimeout: Duration;
};

/** A pod that its kubelet evicted, and the predictions of that. */
export type KubeletEviction = Readonly<{
	/** `namespace/name`. */
	pod: string;
	node: string;
	at: Instant;
	/** All predictions for it, the oldest first. */
	predictions: readonly EvictionPrediction[];
	/** The prediction that counts: a certain one, if possible one that it missed; an uncertain one has no end. */
	prediction: EvictionPrediction | undefined;
	/** Whether it lies within that; undefined if there is no prediction. */
	isInside: boolean | undefined;
}>;

/** An eviction appears as an event, and a moment later in its pod, each with its own time. */
export const sameEviction = minute;

/** Compares predictions of kubelets' evictions with those that are seen. */
export function kubeletEvictions() {
	const predicted = new Map<string, EvictionPrediction[]>();
	const evictions: KubeletEviction[] = [];
	const isKnown = (pod: string, at: Instant) =>
		evictions.some((one) => one.pod === pod && Math.abs(one.at - at) < sameEviction);

	function addPredictions({pressure = [], observedAt: madeAt}: Pick<Forecast, 'pressure' | 'observedAt'>) {
		for (const {pod, when, isCertain, signals, graceSeconds} of pressure.flatMap((one) => one.evictions)) {
			const earlier = kept(predicted, podKey(pod), () => []);
			// A repeated prediction adds nothing.
			if (earlier.at(-1)?.range === when) continue;
			const timeout = killTimeout(maxOf(graceSeconds, 1));
			earlier.push({madeAt, range: when, isCertain, signals, killTimeout: timeout});
		}
	}

	/**
	 * Compares an eviction with the predictions for its pod, which are then dropped.
	 *
	 * @param pod `namespace/name`
	 * @param isEnd whether `at` is the end of the pod, which its kubelet killed a while before
	 */
	function judge(pod: string, node: string, at: Instant, isEnd = false): KubeletEviction {
		const predictions = (predicted.get(pod) ?? []).filter(({madeAt}) => madeAt <= at - leastAge);
		const certain = predictions.filter(({isCertain}) => isCertain);
		predicted.delete(pod);
		const misses = (one: EvictionPrediction) => missedBy(one.range, isEnd ? killedAt(one, at) : at) !== 0;
		const prediction = certain.find(misses) ?? certain[0] ?? predictions[0];
		return {
			pod,
			node,
			at,
			predictions,
			prediction,
			isInside: prediction && !misses(prediction),
		};
	}

	/** Takes in the evictions and predictions of a forecast. @param startedAt earlier evictions could not be predicted */
	function add(forecast: Forecast, startedAt: Instant) {
		for (const {node, happenings} of forecast.pressure ?? []) {
			for (const {reason, pod, at} of happenings.toReversed()) {
				const isNew = pod !== null && at !== null && at >= startedAt && !isKnown(pod, at);
				if (reason === 'Evicted' && isNew) evictions.push(judge(pod, node, at));
			}
		}
		addPredictions(forecast);
	}

	return {evictions, add, addPredictions, judge};
}

/** When a pod that ended was killed: of the possible times, the nearest to the prediction. */
const killedAt = ({range, killTimeout: timeout}: EvictionPrediction, endedAt: Instant): Instant =>
	Math.min(endedAt, Math.max(endedAt - timeout, range.latest ?? endedAt));
