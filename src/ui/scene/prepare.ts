import type {Forecast} from '../../forecast/forecast.ts';
import type {Pausable} from '../../forecast/pausable.ts';
import {digestInSteps} from './digest.ts';
import {foldedRows} from './folds.ts';
import {sharedWords} from './sharedNames.ts';

/** Works out what every view shows of a forecast, so that its first frame costs no more than any other. */
export function* prepareForecast(forecast: Forecast): Pausable<void> {
	const {coming, troubled} = yield* digestInSteps(forecast);
	yield;
	foldedRows(coming);
	yield;
	foldedRows(troubled);
	sharedWords(forecast);
}
