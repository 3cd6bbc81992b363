import {untilFirstEnds} from '../async/taskGroup.ts';
import type {Observation, Sight} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {finish, type Pausable} from '../forecast/pausable.ts';
import type {Clock} from '../live/clock.ts';
import {inSlices, type Slicing, systemSlicing} from '../live/inSlices.ts';
import type {ClusterStore, StoreSubscriber} from '../store/clusterStore.ts';
import {Bell} from './bell.ts';

/** Takes in what a source tells. */
export type SourceSink = {
	observe(observations: readonly Observation[], arrivedAt: Instant, provenance?: Sight): void;
};

/** Tells what changes in the cluster until the signal; fails where the cluster cannot be watched at all. */
export type Feed = (sink: SourceSink, signal: AbortSignal) => Promise<void>;

/** Makes forecasts of what the store of a session holds. */
export type SessionForecaster = StoreSubscriber & {
	forecastInSteps(now: Instant): Pausable<Forecast>;
	/** When something last happened that was more than a renewal. */
	changedAt(now: Instant): Instant;
};

/** Adds something to each forecast. */
export type ForecastStage = {tell(forecast: Forecast): Pausable<Forecast>};

/** A ledger of what was predicted: hears what happens before it is forecast, and what is forecast before it is shown. */
export type SessionLedger = StoreSubscriber & {add(forecast: Forecast): void};

/** What a screen needs that answers keys while forecasts are made. */
export type ScreenParts = {
	/** What else is worked out of a forecast before it is shown. */
	readonly prepare: (forecast: Forecast) => Pausable<void>;
	/** What else is asked of the forecaster: work that is done before the next forecast; undefined where there is none. */
	readonly aside?: () => Pausable<void> | undefined;
	/** So much of the time may go into forecasts, where one takes long, while things change. */
	readonly share?: number;
};

/** From the source to the consumers. */
export type SessionParts = {
	readonly clock: Clock;
	readonly feed: Feed;
	/** Told of all at once, also of what has to wait while a forecast is being made. */
	readonly taps?: readonly SourceSink[];
	readonly store: ClusterStore;
	readonly forecaster: SessionForecaster;
	/** Told of what the store takes in before the forecaster is, in this order; the ledger comes first. */
	readonly observers?: readonly StoreSubscriber[];
	readonly ledger?: SessionLedger;
	/** In this order. */
	readonly stages?: readonly ForecastStage[];
	/** Shows a forecast; the next waits until it is shown. */
	readonly publish: (forecast: Forecast, now: Instant) => Promise<void>;
	/** Absent where nobody waits for keys: forecasts are made in one piece then, and as often as they are due. */
	readonly screen?: ScreenParts;
};

const shortestPause: Duration = second / 4;
const longestPause: Duration = second;
const usualShare = 0.1;
/** The same while nodes only renew. */
const shareOfQuiet = 0.015;
/** One that takes a moment may be made as often as it is asked for, in milliseconds. */
const quick = 20;

/** A forecast that was made, and what that took. */
type Made = {
	readonly forecast: Forecast;
	readonly at: Instant;
	readonly endedAt: number;
	readonly cost: number;
};

/**
 * Follows one cluster: what its source tells goes into the store, of which forecasts are made and published: each second,
 * and after a change, but at most four times a second, so that a burst of changes makes one forecast.
 *
 * Where a screen shows them, it makes room for its keys: each forecast is made in slices, what the cluster tells meanwhile
 * is taken in once it is shown, as a forecast is of one instant, and they are made less often where they take long.
 */
export class Session implements SourceSink {
	readonly #parts: SessionParts;
	readonly #slicing: Slicing;
	readonly #change = new Bell();
	readonly #first = new Bell();
	/** What came while a forecast was being made. */
	#waiting: Parameters<SourceSink['observe']>[] = [];
	#isBusy = false;
	#last: Made | undefined;
	#noted: Forecast | undefined;

	constructor(parts: SessionParts, slicing: Slicing = systemSlicing) {
		this.#parts = parts;
		this.#slicing = slicing;
		const {store, ledger, observers = [], forecaster} = parts;
		for (const one of [...(ledger ? [ledger] : []), ...observers, forecaster]) store.subscribe(one);
	}

	/** Runs until the signal, or until the source ends. The first forecast waits for the first change, which brings all. */
	async run(signal: AbortSignal): Promise<void> {
		await untilFirstEnds(
			signal,
			(end) => this.#parts.feed(this, end),
			(end) => this.#first.rung(end).then(() => this.#publishUntil(end)),
		);
	}

	/** Takes in what the source tells. */
	observe(observations: readonly Observation[], arrivedAt: Instant, provenance?: Sight): void {
		for (const tap of this.#parts.taps ?? []) tap.observe(observations, arrivedAt, provenance);
		if (this.#isBusy) this.#waiting.push([observations, arrivedAt, provenance]);
		else {
			this.#parts.store.apply(observations, arrivedAt, provenance);
			this.#announce();
		}
	}

	#announce(): void {
		this.#first.ring();
		this.#change.ring();
	}

	/** Makes one forecast and publishes it; undefined where the signal came before it was made. */
	async step(now: Instant, signal: AbortSignal): Promise<Forecast | undefined> {
		const {ledger, publish, screen} = this.#parts;
		this.#isBusy = screen !== undefined;
		const forecast = screen ? await this.#makeFor(screen, now, signal) : finish(this.#steps(now));
		if (!forecast) return undefined;
		// One that is shown again says nothing new.
		if (forecast !== this.#noted) ledger?.add(forecast);
		this.#noted = forecast;
		await publish(forecast, now);
		this.#isBusy = false;
		for (const batch of this.#waiting.splice(0)) {
			this.#parts.store.apply(...batch);
			this.#announce();
		}
		return forecast;
	}

	async #publishUntil(signal: AbortSignal): Promise<void> {
		const {clock} = this.#parts;
		while (!signal.aborted) {
			const startedAt = clock.now();
			this.#change.reset();
			if (!(await this.step(startedAt, signal))) break;
			// A forecast of a large cluster takes its time; at least half of it is left to the watches.
			const busy = clock.now() - startedAt;
			await this.#change.rungOr(startedAt + longestPause, clock, signal);
			await clock.sleepUntil(startedAt + Math.max(shortestPause, 2 * busy), signal);
		}
	}

	async #makeFor(
		{aside, share = usualShare}: ScreenParts,
		now: Instant,
		signal: AbortSignal,
	): Promise<Forecast | undefined> {
		const asked = aside?.();
		if (asked && !(await inSlices(asked, signal, this.#slicing))) return undefined;
		if (this.#last && this.#mayRest(this.#last, now, share)) return this.#last.forecast;
		const made = await inSlices(this.#steps(now), signal, this.#slicing);
		if (made) this.#last = {forecast: made.result, at: now, endedAt: this.#slicing.clock(), cost: made.cost};
		return made?.result;
	}

	#mayRest({at, endedAt, cost}: Made, now: Instant, shareOfChange: number): boolean {
		if (cost < quick) return false;
		const share = this.#parts.forecaster.changedAt(now) > at ? shareOfChange : shareOfQuiet;
		return this.#slicing.clock() < endedAt + cost / share;
	}

	*#steps(now: Instant): Pausable<Forecast> {
		const {forecaster, stages = [], screen} = this.#parts;
		let forecast = yield* forecaster.forecastInSteps(now);
		for (const stage of stages) forecast = yield* stage.tell(forecast);
		if (screen) yield* screen.prepare(forecast);
		return forecast;
	}
}
