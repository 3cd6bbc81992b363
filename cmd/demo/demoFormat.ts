import {timeOfDay} from '../../src/dates/format.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {Prediction} from '../../src/forecast/ledger/prediction.ts';

/** When a deletion was to come. */
export function formatPrediction({range: {earliest, latest}}: Prediction, zone: TimeZone): string {
	const [from, to] = [timeOfDay(earliest, zone), latest === null ? 'open' : timeOfDay(latest, zone)];
	return from === to ? from : `${from} to ${to}`;
}
