import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {DriverParts} from './drive.ts';

/** Sees all that happens and all that is said of it, in that order. */
export type Witness = {
	observe(observations: readonly Observation[], arrivedAt: Instant): void;
	add(forecast: Forecast): void;
};

/** The same parts with a witness, who sees each forecast before it is shown. */
export function witnessed(parts: DriverParts, witness: Witness): DriverParts {
	return {
		...parts,
		feed: (onChange, signal) =>
			parts.feed((observations, arrivedAt) => {
				witness.observe(observations, arrivedAt);
				onChange(observations, arrivedAt);
			}, signal),
		publish: (forecast, now) => {
			witness.add(forecast);
			return parts.publish(forecast, now);
		},
	};
}
