import {nothingRelated, type Related} from '../../src/core/model/related.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {After, PodForecast} from '../../src/forecast/podForecast.ts';
import {podsWithAfterInSteps, problemsWith} from '../../src/impact/withAfter.ts';
import type {ForecastStage} from '../../src/session/session.ts';

/** What is known by now of what belongs to the pods of a forecast. */
export type RelatedBy = (forecast: Forecast) => Related;

/** Makes forecasts say what becomes of their pods; of the same pods, with the same belongings, it is worked out once. */
export class Afterwards implements ForecastStage {
	readonly #relatedBy: RelatedBy;
	readonly #toldPods = new WeakMap<PodForecast, PodForecast>();
	#told: {
		readonly from?: readonly PodForecast[];
		readonly related?: Related;
		readonly pods?: readonly PodForecast[];
	} = {};

	constructor(relatedBy: RelatedBy = () => nothingRelated) {
		this.#relatedBy = relatedBy;
	}

	/** Tells it of one forecast. */
	*tell(plain: Forecast): Pausable<Forecast> {
		const related = this.#relatedBy(plain);
		const {from, related: before, pods: known} = this.#told;
		const isSame = from === plain.pods && before === related;
		const tellPod = (pod: PodForecast, after: After) => this.#tellPod(pod, after);
		const told = isSame && known ? known : yield* podsWithAfterInSteps(plain, related, tellPod);
		// What is worked out of an array of pods is kept while it holds the same ones.
		const pods = known && isEqual(known, told) ? known : told;
		this.#told = {from: plain.pods, related, pods};
		return {...plain, pods, problems: problemsWith(plain, related)};
	}

	/** A pod of which nothing new is to be told stays the same object, as it does in forecasts. */
	#tellPod(pod: PodForecast, after: After): PodForecast {
		const known = this.#toldPods.get(pod);
		if (known?.after && saysTheSame(known.after, after)) return known;
		const told = {...pod, after};
		this.#toldPods.set(pod, told);
		return told;
	}
}

const isEqual = (a: readonly PodForecast[], b: readonly PodForecast[]): boolean =>
	a.length === b.length && a.every((pod, index) => pod === b[index]);

const saysTheSame = (a: After, b: After): boolean =>
	a.outcome === b.outcome && a.detail === b.detail && a.placement === b.placement && a.ghost === b.ghost;
