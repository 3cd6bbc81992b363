import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Steps} from '../forecast/steps.ts';
import type {DriverParts, Predictor} from './drive.ts';
import {inSlices, type Slicing, systemSlicing} from './inSlices.ts';

/** A predictor whose forecasts pause now and then. */
export type PausingPredictor = Pick<Predictor, 'observe'> & {
	forecastInSteps(now: Instant): Steps<Forecast>;
	/** When something last happened that was more than a renewal. */
	changedAt(now: Instant): Instant;
};

export type UnhurriedParts = Omit<DriverParts, 'predictor'> & {
	readonly predictor: PausingPredictor;
	/** What else is worked out of a forecast before it is shown. */
	readonly prepare: (forecast: Forecast) => Steps<void>;
	/** What else is asked of the predictor: work that is done before the next forecast; undefined where there is none. */
	readonly aside?: () => Steps<void> | undefined;
	/** So much of the time may go into forecasts, where one takes long, while things change. */
	readonly share?: number;
};

const usualShare = 0.1;
/** The same while nodes only renew. */
const shareOfQuiet = 0.015;
/** One that takes a moment may be made as often as it is asked for, in milliseconds. */
const quick = 20;

/**
 * Makes room for the screen that shows the forecasts, where they take long, as in clusters of thousands of nodes. Each is
 * made in slices, between which keys are answered; what the cluster tells meanwhile is heard once the forecast is shown,
 * as a forecast is of one instant. And they are made less often: what is shown goes on, since it tells instants.
 */
export function unhurried(
	{predictor, feed, publish, prepare, aside, share: shareOfChange = usualShare, ...others}: UnhurriedParts,
	signal: AbortSignal,
	slicing: Slicing = systemSlicing,
): DriverParts {
	const {clock} = slicing;
	const unheard: (() => void)[] = [];
	let isBusy = false;
	let last: {
		readonly forecast: Forecast;
		readonly at: Instant;
		readonly endedAt: number;
		readonly cost: number;
	};
	const mayRest = (now: Instant) => {
		if (!last || last.cost < quick) return false;
		const share = predictor.changedAt(now) > last.at ? shareOfChange : shareOfQuiet;
		return clock() < last.endedAt + last.cost / share;
	};
	const make = function* (now: Instant): Steps<Forecast> {
		const forecast = yield* predictor.forecastInSteps(now);
		yield* prepare(forecast);
		return forecast;
	};
	return {
		...others,
		predictor: {
			observe: (observations, arrivedAt, sight) => predictor.observe(observations, arrivedAt, sight),
			forecast: async (now) => {
				isBusy = true;
				const asked = aside?.();
				if (asked && !(await inSlices(asked, signal, slicing))) return undefined;
				if (mayRest(now)) return last.forecast;
				const made = await inSlices(make(now), signal, slicing);
				if (made) last = {forecast: made.result, at: now, endedAt: clock(), cost: made.cost};
				return made?.result;
			},
		},
		feed: (onChange, end) =>
			feed((...change) => {
				if (isBusy) unheard.push(() => onChange(...change));
				else onChange(...change);
			}, end),
		publish: async (forecast, now) => {
			await publish(forecast, now);
			isBusy = false;
			for (const hear of unheard.splice(0)) hear();
		},
	};
}
