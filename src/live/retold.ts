import type {Forecast} from '../forecast/forecast.ts';
import type {Steps} from '../forecast/steps.ts';
import type {Predictor} from './drive.ts';
import type {PausingPredictor} from './unhurried.ts';

/** What is done besides with what a predictor hears and says. */
type Besides = {
	/** Hears all of it, before the predictor does. */
	readonly hear?: Predictor['observe'];
	/** Makes of each forecast what is told instead. */
	readonly tell?: (forecast: Forecast) => Steps<Forecast>;
};

/** A predictor whose forecasts somebody adds to, or who is overheard. */
export const retold = (predictor: PausingPredictor, {hear, tell}: Besides): PausingPredictor => ({
	observe: (...heard) => {
		hear?.(...heard);
		predictor.observe(...heard);
	},
	*forecastInSteps(now) {
		const forecast = yield* predictor.forecastInSteps(now);
		return tell ? yield* tell(forecast) : forecast;
	},
	changedAt: (now) => predictor.changedAt(now),
});
