import {nothingRelated, type Related} from '../src/core/model/related.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {PodForecast} from '../src/forecast/podForecast.ts';
import type {Steps} from '../src/forecast/steps.ts';
import {podsWithAfterInSteps, problemsWith} from '../src/impact/withAfter.ts';
import type {PausingPredictor} from '../src/live/unhurried.ts';

/** What is known by now of what belongs to the pods of a forecast. */
export type RelatedBy = (forecast: Forecast) => Related;

/** Makes forecasts say what becomes of their pods; of the same pods, with the same belongings, it is worked out once. */
export class Afterwards {
	readonly #relatedBy: RelatedBy;
	#told: {
		readonly from?: readonly PodForecast[];
		readonly related?: Related;
		readonly pods?: readonly PodForecast[];
	} = {};

	constructor(relatedBy: RelatedBy = () => nothingRelated) {
		this.#relatedBy = relatedBy;
	}

	/** Tells it of one forecast. */
	*tell(plain: Forecast): Steps<Forecast> {
		const related = this.#relatedBy(plain);
		const {from, related: before, pods: known} = this.#told;
		const isSame = from === plain.pods && before === related;
		const pods = isSame && known ? known : yield* podsWithAfterInSteps(plain, related);
		this.#told = {from: plain.pods, related, pods};
		return {...plain, pods, problems: problemsWith(plain, related)};
	}

	/** A predictor whose forecasts say it. */
	toldBy(predictor: PausingPredictor): PausingPredictor {
		const {tell} = this;
		return {
			observe: (observations, arrivedAt, sight) => predictor.observe(observations, arrivedAt, sight),
			forecastInSteps: (now) => then(predictor.forecastInSteps(now), (plain) => tell.call(this, plain)),
			get changedAt() {
				return predictor.changedAt;
			},
		};
	}
}

function* then(steps: Steps<Forecast>, next: (forecast: Forecast) => Steps<Forecast>): Steps<Forecast> {
	return yield* next(yield* steps);
}
