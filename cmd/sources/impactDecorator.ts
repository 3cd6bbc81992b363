import type {Related} from '../../src/core/model/workloads/related.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {After, PodForecast} from '../../src/forecast/podForecast.ts';
import {podsWithAfterInSteps, problemsWith} from '../../src/impact/withAfter.ts';
import {type WorkloadImpact, workloadImpacts} from '../../src/impact/workloadImpact.ts';
import type {ForecastStage} from '../../src/session/session.ts';

/** Knows what belongs to the pods of a forecast, as far as that is known by now. */
export type RelatedSource = {of(forecast: Forecast): Related};

/** A pod, and the same with what becomes of it. */
type PodAndTold = {readonly plain: PodForecast; readonly told: PodForecast};

/** Makes forecasts say what becomes of their pods; of the same pods, with the same belongings, it is worked out once. */
export class ImpactDecorator implements ForecastStage {
	readonly #related: RelatedSource;
	/** By UID, of the last forecast. */
	#toldPods: ReadonlyMap<string, PodAndTold> = new Map();
	#told: {
		readonly from?: readonly PodForecast[];
		readonly related?: Related;
		readonly pods?: readonly PodForecast[];
	} = {};

	#impacts: readonly WorkloadImpact[] = [];
	#impactsOf: {readonly pods?: readonly PodForecast[]; readonly related?: Related} = {};

	constructor(related: RelatedSource) {
		this.#related = related;
	}

	/** What the last forecast means for workloads; asked for, it is worked out once. */
	impactsOf(forecast: Forecast): readonly WorkloadImpact[] {
		const {related} = this.#told;
		const {pods} = forecast;
		if (!related || (this.#impactsOf.pods === pods && this.#impactsOf.related === related))
			return this.#impacts;
		this.#impactsOf = {pods, related};
		this.#impacts = workloadImpacts(forecast, related);
		return this.#impacts;
	}

	/** Tells it of one forecast. */
	*tell(plain: Forecast): Pausable<Forecast> {
		const related = this.#related.of(plain);
		const {from, related: before, pods: known} = this.#told;
		const isSame = from === plain.pods && before === related;
		if (isSame && known) return {...plain, pods: known, problems: problemsWith(plain, related)};
		const toldPods = new Map<string, PodAndTold>();
		const told = yield* podsWithAfterInSteps(plain, related, (pod, after) => {
			const one = this.#tellPod(pod, after);
			toldPods.set(pod.uid, {plain: pod, told: one});
			return one;
		});
		this.#toldPods = toldPods;
		// What is worked out of an array of pods is kept while it holds the same ones.
		const pods = known && isEqual(known, told) ? known : told;
		this.#told = {from: plain.pods, related, pods};
		return {...plain, pods, problems: problemsWith(plain, related)};
	}

	/** A pod of which nothing new is to be told stays the same object, as it does in forecasts. */
	#tellPod(pod: PodForecast, after: After): PodForecast {
		const known = this.#toldPods.get(pod.uid);
		const isSame = known?.plain === pod && known.told.after && saysTheSame(known.told.after, after);
		return isSame ? known.told : {...pod, after};
	}
}

const isEqual = (a: readonly PodForecast[], b: readonly PodForecast[]): boolean =>
	a.length === b.length && a.every((pod, index) => pod === b[index]);

const saysTheSame = (a: After, b: After): boolean =>
	a.outcome === b.outcome && a.detail === b.detail && a.placement === b.placement && a.ghost === b.ghost;
