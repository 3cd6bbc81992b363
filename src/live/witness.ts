import type {Observation, Sight} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {DriverParts, Feed} from './drive.ts';

/** Sees all that happens and all that is said of it, in that order. */
export type Witness = {
	observe(observations: readonly Observation[], arrivedAt: Instant): void;
	add(forecast: Forecast): void;
};

/** The same parts with a witness, who sees each forecast before it is shown. */
export function witnessed(parts: DriverParts, witness: Witness): DriverParts {
	let last: Forecast | undefined;
	return {
		...parts,
		feed: overheard(parts.feed, (observations, arrivedAt) => witness.observe(observations, arrivedAt)),
		publish: (forecast, now) => {
			// One that is shown again says nothing new.
			if (forecast !== last) witness.add(forecast);
			last = forecast;
			return parts.publish(forecast, now);
		},
	};
}

/** The same feed with somebody who hears all of it first. */
export function overheard(
	feed: Feed,
	hear: (observations: readonly Observation[], arrivedAt: Instant, sight?: Sight) => void,
): Feed {
	return (onChange, signal) =>
		feed((observations, arrivedAt, sight) => {
			hear(observations, arrivedAt, sight);
			onChange(observations, arrivedAt, sight);
		}, signal);
}
