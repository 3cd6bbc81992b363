import type {Instant} from '../../src/core/time/instant.ts';
import {formatTimestampSeconds} from '../../src/dates/utc.ts';
import type {Prediction} from '../../src/forecast/ledger/prediction.ts';

/** The time of day in UTC: a demo does not last for days. */
export const formatClock = (instant: Instant): string => formatTimestampSeconds(instant).slice(11, 19);

/** When a deletion was to come. */
export function formatPrediction({range: {earliest, latest}}: Prediction): string {
	const [from, to] = [formatClock(earliest), latest === null ? 'open' : formatClock(latest)];
	return from === to ? from : `${from} to ${to}`;
}
