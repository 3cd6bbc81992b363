import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Pausable} from '../forecast/pausable.ts';
import type {After, PodForecast} from '../forecast/podForecast.ts';
import {podsWithAfterInSteps, problemsWith} from '../impact/withAfter.ts';
import {type WorkloadImpact, workloadImpacts} from '../impact/workloadImpact.ts';
import type {ForecastStage} from './session.ts';

/** Provides what is known so far of the workloads of a forecast's pods. */
export type RelatedSource = {of(forecast: Forecast): Related};

/** A pod before and after its outcome was added. */
type DecoratedPod = {readonly plain: PodForecast; readonly withAfter: PodForecast};

/** Adds to forecasts what becomes of their pods; computed once for the same pods and workloads. */
export class ImpactDecorator implements ForecastStage {
	readonly #related: RelatedSource;
	/** Of the last forecast, by UID. */
	#lastPods: ReadonlyMap<string, DecoratedPod> = new Map();
	#last: {
		readonly from?: readonly PodForecast[];
		readonly related?: Related;
		readonly pods?: readonly PodForecast[];
	} = {};

	#impacts: readonly WorkloadImpact[] = [];
	#impactsOf: {readonly pods?: readonly PodForecast[]; readonly related?: Related} = {};

	constructor(related: RelatedSource) {
		this.#related = related;
	}

	/** The impact of the last forecast on workloads; computed once. */
	impactsOf(forecast: Forecast): readonly WorkloadImpact[] {
		const {related = nothingRelated} = this.#last;
		const {pods} = forecast;
		if (this.#impactsOf.pods === pods && this.#impactsOf.related === related) return this.#impacts;
		this.#impactsOf = {pods, related};
		this.#impacts = workloadImpacts(forecast, related);
		return this.#impacts;
	}

	*extend(plain: Forecast): Pausable<Forecast> {
		const related = this.#related.of(plain);
		const {from, related: before, pods: known} = this.#last;
		const isSame = from === plain.pods && before === related;
		if (isSame && known) return {...plain, pods: known, problems: problemsWith(plain, related)};
		const decorated = new Map<string, DecoratedPod>();
		const decoratedPods = yield* podsWithAfterInSteps(plain, related, (pod, after) => {
			const one = this.#decorate(pod, after);
			decorated.set(pod.uid, {plain: pod, withAfter: one});
			return one;
		});
		this.#lastPods = decorated;
		// Results cached by a pod array survive if the pods are the same.
		const pods = known && isEqual(known, decoratedPods) ? known : decoratedPods;
		this.#last = {from: plain.pods, related, pods};
		return {...plain, pods, problems: problemsWith(plain, related)};
	}

	/** A pod without changes keeps its object. */
	#decorate(pod: PodForecast, after: After): PodForecast {
		const known = this.#lastPods.get(pod.uid);
		const isSame = known?.plain === pod && known.withAfter.after && isSameAfter(known.withAfter.after, after);
		return isSame ? known.withAfter : {...pod, after};
	}
}

const isEqual = (a: readonly PodForecast[], b: readonly PodForecast[]): boolean =>
	a.length === b.length && a.every((pod, index) => pod === b[index]);

const isSameAfter = (a: After, b: After): boolean =>
	a.outcome === b.outcome && a.detail === b.detail && a.placement === b.placement && a.ghost === b.ghost;
