import {untilFirstEnds} from '../async/taskGroup.ts';
import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import {type Instant, never, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {finish, type Pausable} from '../forecast/pausable.ts';
import type {Clock} from '../live/clock.ts';
import {type CooperativeScheduler, runCooperatively, systemScheduler} from '../live/cooperativeTask.ts';
import {type Cadence, liveCadence, playThrough, type TapeEntry} from '../live/tape.ts';
import type {ClusterStore, StoreSubscriber} from '../store/clusterStore.ts';

/** Tells what changes in a cluster until the signal; fails where it cannot be watched at all. */
export type Source = {run(sink: ObservationSink, signal: AbortSignal): Promise<void>};

/** Makes forecasts of what the store of a session holds. */
type SessionForecaster = StoreSubscriber & {
	forecastInSteps(now: Instant): Pausable<Forecast>;
	/** When something last happened that was more than a renewal. */
	changedAt(now: Instant): Instant;
	/** When something last came that was more than a renewal: a node that falls silent is not told of. */
	readonly toldAt: Instant;
};

/** Learns from what the store takes in, and thinks it over before each forecast. */
type SessionLearner = StoreSubscriber & {learn(now: Instant): void};

/** Adds something to each forecast; hears what the store takes in, after the forecaster. */
export type ForecastStage = Partial<StoreSubscriber> & {
	tell(forecast: Forecast): Pausable<Forecast>;
	/** When it last learned of something that the cluster's objects do not tell. */
	readonly changedAt?: Instant | undefined;
};

/** A ledger of what was predicted: hears what happens before it is forecast, and what is forecast before it is shown. */
export type SessionLedger = StoreSubscriber & {add(forecast: Forecast): void};

/** Shows forecasts; the next waits until one is shown. @param hasNews whether more than renewals and time lie behind it */
export type Display = {publish(forecast: Forecast, now: Instant, hasNews: boolean): Promise<void> | void};

/** What a screen needs that answers keys while forecasts are made. */
type ScreenParts = {
	/** What else is worked out of a forecast before it is shown. */
	readonly prepare: (forecast: Forecast) => Pausable<void>;
	/** What else is asked of the forecaster: work that is done before the next forecast; undefined where there is none. */
	readonly aside?: () => Pausable<void> | undefined;
};

/** From the source to the consumers. */
export type SessionParts = {
	readonly store: ClusterStore;
	readonly forecaster: SessionForecaster;
	readonly learner?: SessionLearner;
	/** Told of all at once, also of what has to wait while a forecast is being made. */
	readonly taps?: readonly ObservationSink[];
	/** Told of what the store takes in before the forecaster is, in this order; the ledger comes first. */
	readonly observers?: readonly Partial<StoreSubscriber>[];
	readonly ledger?: SessionLedger;
	/** In this order. */
	readonly stages?: readonly ForecastStage[];
	/** Absent where no forecast is wanted. */
	readonly display?: Display;
	/** Absent where nobody waits for keys: forecasts are made in one piece then. */
	readonly screen?: ScreenParts;
	/** So much of the time may go into forecasts while things change; a tenth with a screen, half without. */
	readonly share?: number;
};

/** So much of the time may go into forecasts, where one takes long. */
const [shareWithScreen, shareWithout] = [0.1, 0.5];
/** The same while nodes only renew. */
const shareOfQuiet = 0.015;
/** The same without a screen, where time alone changes what is printed: pods become overdue, and ranges narrower. */
const shareOfWaiting = 0.1;
/** Before anything is shown, a forecast is worked on for so long at a time: it must not wait for each page of pods, in milliseconds. */
const firstSlice = 40;
/** One that takes a moment may be made as often as it is asked for, in milliseconds. */
const quick = 20;

/** With more nodes than this a forecast takes so long that a live watch makes fewer while nodes only renew. */
const manyNodes = 500;
/** What that comes to where nothing is going to happen, and where time alone changes what is printed. */
const quietCadence: Cadence = {shortest: 10 * second, longest: 10 * second};
const waitingCadence: Cadence = {shortest: 2 * second, longest: 2 * second};

/** What goes into the store. */
type StoredEntry = Extract<SinkEntry, {type: 'batch' | 'pressure'}>;

/** A forecast that was made, and what that took. */
type Made = {
	readonly forecast: Forecast;
	readonly at: Instant;
	readonly endedAt: number;
	readonly cost: number;
};

/**
 * The one way from what shows a cluster to who wants to know what follows: what it is told goes into the store, of which
 * forecasts are made and shown.
 *
 * A live cluster is followed (`run`): a forecast is made each second, and after a change, but at most four times a second,
 * so that a burst of changes makes one; on a screen, a renewal waits for the next second. The last forecast is shown again while making them takes more than a share of the
 * time: a share that is small while nodes only renew.
 *
 * Where a screen shows them, it makes room for its keys: each forecast is made in slices, and what the cluster tells
 * meanwhile is taken in once it is shown, as a forecast is of one instant.
 */
export class Session implements ObservationSink {
	readonly #parts: SessionParts;
	readonly #scheduler: CooperativeScheduler;
	/** Ends the wait for the next change. */
	#change = new AbortController();
	#isAnyKnown = false;
	/** What came while a forecast was being made. */
	readonly #waiting: StoredEntry[] = [];
	#isBusy = false;
	#last: Made | undefined;
	#noted: Forecast | undefined;
	#problems: readonly Problem[] = [];
	#related: Related = nothingRelated;

	constructor(parts: SessionParts, scheduler: CooperativeScheduler = systemScheduler) {
		this.#parts = parts;
		this.#scheduler = scheduler;
		const {store, ledger, observers = [], learner, forecaster, stages = []} = parts;
		for (const one of [ledger, ...observers, learner, forecaster, ...stages]) if (one) store.subscribe(one);
	}

	/** Whether anything was told: the first is all that there is. */
	get isAnyKnown(): boolean {
		return this.#isAnyKnown;
	}

	/** All that is wrong with what is seen, at present. */
	get problems(): readonly Problem[] {
		return this.#problems;
	}

	/** What belongs to pods, as it was last told. */
	get related(): Related {
		return this.#related;
	}

	/** Follows a source until the signal, or its end. The first forecast waits for the first change, which brings all. */
	async run(source: Source, clock: Clock, signal: AbortSignal): Promise<void> {
		const {display} = this.#parts;
		const following = (end: AbortSignal) => source.run(this, end);
		const showing = (end: AbortSignal) => this.#publishUntil(clock, end);
		await untilFirstEnds(signal, ...(display ? [following, showing] : [following]));
	}

	async #publishUntil(clock: Clock, signal: AbortSignal): Promise<void> {
		if (!this.#isAnyKnown) await this.#changeOr(never, clock, signal);
		while (!signal.aborted) {
			const startedAt = clock.now();
			this.#change = new AbortController();
			if (!(await this.step(startedAt, signal))) break;
			// A forecast of a large cluster takes its time; at least half of it is left to the watches.
			const busy = clock.now() - startedAt;
			await this.#changeOr(startedAt + liveCadence.longest, clock, signal);
			await clock.sleepUntil(startedAt + Math.max(liveCadence.shortest, 2 * busy), signal);
		}
	}

	#changeOr(at: Instant, clock: Clock, signal: AbortSignal): Promise<void> {
		return clock.sleepUntil(at, AbortSignal.any([this.#change.signal, signal]));
	}

	/**
	 * Goes through a recording as fast as forecasts can be made, each for when a live watch would have made it.
	 *
	 * @returns the last instant of it; undefined where it is empty
	 */
	play(
		entries: AsyncIterable<TapeEntry>,
		cadence: (now: Instant) => Cadence = this.#liveCadence,
	): Promise<Instant | undefined> {
		return playThrough(
			entries,
			this,
			(now) => {
				const forecast = finish(this.forecastInSteps(now));
				this.#note(forecast);
				return this.#parts.display?.publish(forecast, now, true);
			},
			cadence,
		);
	}

	/** How often a live watch would make forecasts: of a large cluster less often while nodes only renew. */
	readonly #liveCadence = (now: Instant): Cadence =>
		this.#parts.store.nodes.size > manyNodes ? this.cadenceOfChanges(now) : liveCadence;

	/** Where nobody looks on: less often while nodes only renew. */
	readonly cadenceOfChanges = (now: Instant): Cadence => {
		const last = this.#noted;
		if (!last || this.#parts.forecaster.changedAt(now) > last.observedAt) return liveCadence;
		return areAllSafe(last) ? quietCadence : waitingCadence;
	};

	/** Takes in what the source tells. */
	push(entry: SinkEntry): void {
		if (entry.type === 'problems') this.#problems = entry.problems;
		else if (entry.type === 'related') this.#related = entry.related;
		for (const tap of this.#parts.taps ?? []) tap.push(entry);
		if (entry.type === 'problems' || entry.type === 'related') return;
		if (this.#isBusy) this.#waiting.push(entry);
		else this.#take(entry);
	}

	#take(entry: StoredEntry): void {
		const {store, forecaster, screen} = this.#parts;
		if (entry.type === 'pressure') {
			store.applyPressure(entry.news, entry.at);
			return;
		}
		const isFirst = !this.#isAnyKnown;
		this.#isAnyKnown = true;
		store.apply(entry.observations, entry.at, entry.provenance);
		const isAwaited = isFirst || !screen || forecaster.toldAt >= entry.at;
		// An abort costs more than all the rest that is done for a renewal.
		if (isAwaited && !this.#change.signal.aborted) this.#change.abort();
	}

	/** Makes one forecast, or uses the last one again, and shows it; undefined where the signal came before that. */
	async step(now: Instant, signal: AbortSignal): Promise<Forecast | undefined> {
		const {screen, display} = this.#parts;
		const {clock} = this.#scheduler;
		this.#isBusy = screen !== undefined;
		const aside = screen?.aside?.();
		if (aside && !(await runCooperatively(aside, signal, this.#scheduler))) return undefined;
		const hasNews = !this.#last || this.#hasNews(this.#last.at, now);
		if (!this.#last || !this.#isStillGood(this.#last, hasNews)) {
			const begunAt = clock();
			const scheduler = this.#last ? this.#scheduler : {...this.#scheduler, slice: firstSlice};
			const made = screen
				? await runCooperatively(this.forecastInSteps(now), signal, scheduler)
				: {result: finish(this.forecastInSteps(now)), cost: clock() - begunAt};
			if (!made) return undefined;
			this.#last = {forecast: made.result, at: now, endedAt: clock(), cost: made.cost};
		}
		const {forecast} = this.#last;
		this.#note(forecast);
		await display?.publish(forecast, now, hasNews);
		this.#isBusy = false;
		for (const entry of this.#waiting.splice(0)) this.#take(entry);
		return forecast;
	}

	/** Makes a forecast of what the store holds, with all that is added to it, and worked out of it for a screen. */
	*forecastInSteps(now: Instant): Pausable<Forecast> {
		const {forecaster, learner, stages = [], screen} = this.#parts;
		learner?.learn(now);
		let forecast = yield* forecaster.forecastInSteps(now);
		for (const stage of stages) forecast = yield* stage.tell(forecast);
		if (screen) yield* screen.prepare(forecast);
		return forecast;
	}

	/** One that is shown again says nothing new. */
	#note(forecast: Forecast): void {
		if (forecast !== this.#noted) this.#parts.ledger?.add(forecast);
		this.#noted = forecast;
	}

	/** Whether something happened since an instant that was more than a renewal. */
	#hasNews(since: Instant, now: Instant): boolean {
		const {forecaster, stages = []} = this.#parts;
		return [forecaster.changedAt(now), ...stages.map((stage) => stage.changedAt ?? since)].some(
			(changedAt) => changedAt > since,
		);
	}

	#isStillGood({forecast, endedAt, cost}: Made, hasNews: boolean): boolean {
		if (cost < quick) return false;
		const {screen, share = screen ? shareWithScreen : shareWithout} = this.#parts;
		const atRest = screen || areAllSafe(forecast) ? shareOfQuiet : shareOfWaiting;
		const allowed = hasNews ? share : Math.min(share, atRest);
		return this.#scheduler.clock() < endedAt + cost / allowed;
	}
}

/** Whether nothing is going to happen. */
const areAllSafe = ({pods}: Forecast): boolean => pods.every(({verdict}) => verdict === 'Safe');
