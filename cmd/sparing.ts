import type {Forecast} from '../src/forecast/forecast.ts';
import type {Predictor} from '../src/live/drive.ts';

/** So much of the time may go into forecasts, where one takes long. */
const share = 0.1;

/**
 * Lets a predictor rest where its forecasts take long, as in clusters of thousands of nodes: the screen that shows them has
 * to answer keys meanwhile. What is shown goes on, since a forecast tells instants; it is made anew a few seconds later.
 *
 * @param clock measures how long a forecast takes, in milliseconds
 */
export function sparing(predictor: Predictor, clock: () => number = () => performance.now()): Predictor {
	let last: Forecast | undefined;
	let restUntil = Number.NEGATIVE_INFINITY;
	return {
		observe: (observations, arrivedAt, sight) => predictor.observe(observations, arrivedAt, sight),
		forecast: (now) => {
			const begin = clock();
			if (last && begin < restUntil) return last;
			last = predictor.forecast(now);
			const end = clock();
			// One that takes a moment may be made as often as asked for.
			restUntil = end - begin < quick ? end : end + (end - begin) / share;
			return last;
		},
	};
}

const quick = 20;
