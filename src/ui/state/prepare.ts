import type {Forecast} from '../../forecast/forecast.ts';
import type {Pausable} from '../../forecast/pausable.ts';
import {digestInSteps} from './digest.ts';

/** Works out what every view shows of a forecast, so that its first frame costs no more than any other. */
export function* prepareForecast(forecast: Forecast): Pausable<void> {
	yield* digestInSteps(forecast);
}
