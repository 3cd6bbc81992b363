import type {Observation, Sight} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Clock} from './clock.ts';
import {together} from './together.ts';

/** What turns observations into forecasts. */
export type Predictor = {
	observe(observations: readonly Observation[], arrivedAt: Instant, sight?: Sight): void;
	forecast(now: Instant): Forecast;
};

/** One that may take its time; undefined where nobody waits for the forecast any more. */
export type PatientPredictor = Pick<Predictor, 'observe'> & {
	forecast(now: Instant): Forecast | Promise<Forecast | undefined>;
};

/** Tells what changes in the cluster until the signal; fails where the cluster cannot be watched at all. */
export type Feed = (
	onChange: (observations: readonly Observation[], arrivedAt: Instant, sight?: Sight) => void,
	signal: AbortSignal,
) => Promise<void>;

/** What the driver joins. */
export type DriverParts = {
	readonly clock: Clock;
	readonly predictor: PatientPredictor;
	readonly feed: Feed;
	/** Shows a forecast; the next waits until it is shown. */
	readonly publish: (forecast: Forecast, now: Instant) => Promise<void>;
};

const shortestPause: Duration = second / 4;
const longestPause: Duration = second;

/**
 * Feeds what happens to the predictor, and publishes forecasts: each second, and after a change, but at most four times
 * a second, so that a burst of changes makes one forecast. The first waits for the first change,
 * which brings the whole state. Ends with the signal or the feed.
 */
export async function drive(parts: DriverParts, signal: AbortSignal): Promise<void> {
	const change = new Bell();
	const first = new Bell();
	const onChange: Parameters<Feed>[0] = (observations, arrivedAt, sight) => {
		parts.predictor.observe(observations, arrivedAt, sight);
		first.ring();
		change.ring();
	};
	await together(
		signal,
		(end) => parts.feed(onChange, end),
		(end) => first.rung(end).then(() => publishUntil(end, change, parts)),
	);
}

async function publishUntil(signal: AbortSignal, change: Bell, {clock, predictor, publish}: DriverParts) {
	while (!signal.aborted) {
		const startedAt = clock.now();
		change.reset();
		const forecast = await predictor.forecast(startedAt);
		if (!forecast) break;
		await publish(forecast, startedAt);
		// A forecast of a large cluster takes its time; at least half of it is left to the watches.
		const busy = clock.now() - startedAt;
		await change.rungOr(startedAt + longestPause, clock, signal);
		await clock.sleepUntil(startedAt + Math.max(shortestPause, 2 * busy), signal);
	}
}

/** Rings once; whoever waits goes on. */
class Bell {
	#rung = new AbortController();

	ring(): void {
		if (!this.#rung.signal.aborted) this.#rung.abort();
	}

	reset(): void {
		this.#rung = new AbortController();
	}

	rung(signal: AbortSignal): Promise<void> {
		const either = AbortSignal.any([this.#rung.signal, signal]);
		if (either.aborted) return Promise.resolve();
		return new Promise((resolve) => either.addEventListener('abort', () => resolve(), {once: true}));
	}

	rungOr(at: Instant, clock: Clock, signal: AbortSignal): Promise<void> {
		return clock.sleepUntil(at, AbortSignal.any([this.#rung.signal, signal]));
	}
}
