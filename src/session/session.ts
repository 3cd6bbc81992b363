import {untilFirstEnds} from '../async/taskGroup.ts';
import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import {type Instant, never, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Forecaster} from '../forecast/forecaster.ts';
import {finish, type Pausable} from '../forecast/pausable.ts';
import type {Clock} from '../live/clock.ts';
import {type CooperativeScheduler, runCooperatively, systemScheduler} from '../live/cooperativeTask.ts';
import {type Cadence, liveCadence, playThrough, type TapeEntry} from '../live/tape.ts';
import type {ClusterStore, StoreSubscriber} from '../store/clusterStore.ts';

/** Delivers the changes of a cluster until the signal; rejects if the cluster cannot be watched at all. */
export type Source = {run(sink: ObservationSink, signal: AbortSignal): Promise<void>};

/** Adds something to each forecast; receives store updates after the forecaster. */
export type ForecastStage = Partial<StoreSubscriber> & {
	extend(forecast: Forecast): Pausable<Forecast>;
	/** When it last learned something that is not in the cluster's objects. */
	readonly changedAt?: Instant | undefined;
};

/** The prediction ledger: receives updates before the forecaster, and forecasts before they are shown. */
export type SessionLedger = StoreSubscriber & {add(forecast: Forecast): void};

/** Shows forecasts; the next one waits for it. @param hasNews whether anything but renewals came since the last one */
export type Display = {publish(forecast: Forecast, now: Instant, hasNews: boolean): Promise<void> | void};

export type SessionParts = {
	readonly store: ClusterStore;
	readonly forecaster: Pick<Forecaster, 'take' | 'forecastInSteps' | 'changedAt' | 'newsArrivedAt'>;
	/** Learns settings from store updates; evaluated before each forecast. */
	readonly learner?: StoreSubscriber & {learn(now: Instant): void};
	/** Receive every entry at once, also while a forecast is being made. */
	readonly taps?: readonly ObservationSink[];
	/** Receive store updates before the forecaster, in this order, after the ledger. */
	readonly observers?: readonly Partial<StoreSubscriber>[];
	readonly ledger?: SessionLedger;
	/** Applied in this order. */
	readonly stages?: readonly ForecastStage[];
	/** Absent if no forecast is wanted. */
	readonly display?: Display;
	/** Absent without keys: forecasts are then made in one piece. */
	readonly screen?: {
		/** Computes more from a forecast before it is shown. */
		readonly prepare: (forecast: Forecast) => Pausable<void>;
		/** Other work for the forecaster, done before the next forecast; undefined if there is none. */
		readonly sideWork?: (() => Pausable<void> | undefined) | undefined;
	};
	/** Maximum share of time spent on forecasts while things change; by default a tenth with a screen, half without. */
	readonly share?: number;
};

/** Maximum share of time spent on forecasts that take long. */
const [shareWithScreen, shareWithout] = [0.1, 0.5];
/** Maximum share of time spent on them while nodes only renew their leases. */
const shareWhileOnlyRenewals = 0.015;
/** Maximum share without a screen, if time alone changes the output: pods become overdue, ranges narrow. */
const shareWhileWaiting = 0.1;
/** Milliseconds per slice of the first forecast: it must not wait for each page of pods. */
const firstSlice = 40;
/** Forecasts that take less than this (milliseconds) are not limited. */
const quick = 20;

/** With more nodes, forecasts take so long that a live watch makes fewer while nodes only renew. */
const manyNodes = 500;
/** Cadence while nodes only renew: if no pod will be evicted, and if time alone changes the output. */
const quietCadence: Cadence = {shortest: 10 * second, longest: 10 * second};
const waitingCadence: Cadence = {shortest: 2 * second, longest: 2 * second};

type StoredEntry = Extract<SinkEntry, {type: 'batch' | 'pressure'}>;

type Made = {
	readonly forecast: Forecast;
	readonly at: Instant;
	readonly endedAt: number;
	readonly cost: number;
};

/**
 * Connects a source with consumers: entries go into the store, forecasts are made from the store and shown.
 *
 * A live cluster is followed (`run`): a forecast is made each second, and after a change, at most four times a second, so
 * that a burst of changes makes one forecast; on a screen, a renewal waits for the next second. As long as a new
 * forecast would exceed its share of the time, the last one is shown again; the share is small while nodes only renew.
 *
 * With a screen, forecasts are made in slices, so that keys are handled. Entries that arrive meanwhile are applied after the
 * forecast is shown, as a forecast is of one instant.
 */
export class Session implements ObservationSink {
	readonly #parts: SessionParts;
	readonly #scheduler: CooperativeScheduler;
	/** Aborted to end the wait for the next change. */
	#change = new AbortController();
	#isAnyKnown = false;
	/** Entries that arrived during a forecast. */
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

	/** Whether a batch arrived; the first one brings the whole state. */
	get isAnyKnown(): boolean {
		return this.#isAnyKnown;
	}

	/** The source's current problems. */
	get problems(): readonly Problem[] {
		return this.#problems;
	}

	/** The objects related to pods, as last delivered. */
	get related(): Related {
		return this.#related;
	}

	/** Follows a source until the signal, or its end. The first forecast waits for the first batch, the whole state. */
	async run(source: Source, clock: Clock, signal: AbortSignal) {
		const {display} = this.#parts;
		const following = (end: AbortSignal) => source.run(this, end);
		const showing = (end: AbortSignal) => this.#publishUntil(clock, end);
		await untilFirstEnds(signal, ...(display ? [following, showing] : [following]));
	}

	async #publishUntil(clock: Clock, signal: AbortSignal) {
		if (!this.#isAnyKnown) await this.#changeOr(never, clock, signal);
		while (!signal.aborted) {
			const startedAt = clock.now();
			this.#change = new AbortController();
			if (!(await this.step(startedAt, signal))) break;
			// A forecast of a large cluster takes long: the pause after it is at least as long, so that the watches get
			// their time.
			const busy = clock.now() - startedAt;
			await this.#changeOr(startedAt + liveCadence.longest, clock, signal);
			await clock.sleepUntil(startedAt + Math.max(liveCadence.shortest, 2 * busy), signal);
		}
	}

	#changeOr(at: Instant, clock: Clock, signal: AbortSignal) {
		return clock.sleepUntil(at, AbortSignal.any([this.#change.signal, signal]));
	}

	/**
	 * Plays a recording as fast as forecasts can be made, each at the instant at which a live watch would make it.
	 *
	 * @returns the last instant of the recording; undefined if it is empty
	 */
	play(
		entries: AsyncIterable<TapeEntry>,
		cadence: (now: Instant) => Cadence = this.#cadenceForViewer,
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

	/** The cadence of a live watch: slower for a large cluster while nodes only renew. */
	readonly #cadenceForViewer = (now: Instant): Cadence =>
		this.#parts.store.nodes.size > manyNodes ? this.cadenceOfChanges(now) : liveCadence;

	/** The cadence without a viewer: slower while nodes only renew. */
	readonly cadenceOfChanges = (now: Instant): Cadence => {
		const last = this.#noted;
		if (!last || this.#parts.forecaster.changedAt(now) > last.observedAt) return liveCadence;
		return areAllSafe(last) ? quietCadence : waitingCadence;
	};

	push(entry: SinkEntry) {
		if (entry.type === 'problems') this.#problems = entry.problems;
		else if (entry.type === 'related') this.#related = entry.related;
		for (const tap of this.#parts.taps ?? []) tap.push(entry);
		if (entry.type === 'problems' || entry.type === 'related') return;
		if (this.#isBusy) this.#waiting.push(entry);
		else this.#take(entry);
	}

	#take(entry: StoredEntry) {
		const {store, forecaster, screen} = this.#parts;
		if (entry.type === 'pressure') {
			store.applyPressure(entry.news, entry.at);
			return;
		}
		const isFirst = !this.#isAnyKnown;
		this.#isAnyKnown = true;
		store.apply(entry.observations, entry.at, entry.provenance);
		const wakes = isFirst || !screen || forecaster.newsArrivedAt >= entry.at;
		// Aborting twice would cost more than everything else that a renewal causes.
		if (wakes && !this.#change.signal.aborted) this.#change.abort();
	}

	/** Makes one forecast, or reuses the last one, and shows it; undefined if the signal came first. */
	async step(now: Instant, signal: AbortSignal): Promise<Forecast | undefined> {
		const {screen, display} = this.#parts;
		const {clock} = this.#scheduler;
		this.#isBusy = screen !== undefined;
		const sideWork = screen?.sideWork?.();
		if (sideWork && !(await runCooperatively(sideWork, signal, this.#scheduler))) return undefined;
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

	/** Makes a forecast from the store; if it is shown, runs the stages on it, and prepares it for the screen. */
	*forecastInSteps(now: Instant, isShown = true): Pausable<Forecast> {
		const {forecaster, learner, stages = [], screen} = this.#parts;
		learner?.learn(now);
		let forecast = yield* forecaster.forecastInSteps(now);
		if (!isShown) return forecast;
		for (const stage of stages) forecast = yield* stage.extend(forecast);
		if (screen) yield* screen.prepare(forecast);
		return forecast;
	}

	/** A reused forecast is added to the ledger only once. */
	#note(forecast: Forecast) {
		if (forecast !== this.#noted) this.#parts.ledger?.add(forecast);
		this.#noted = forecast;
	}

	/** Whether something other than a renewal happened since an instant. */
	#hasNews(since: Instant, now: Instant): boolean {
		const {forecaster, stages = []} = this.#parts;
		return [forecaster.changedAt(now), ...stages.map((stage) => stage.changedAt ?? since)].some(
			(changedAt) => changedAt > since,
		);
	}

	#isStillGood({forecast, endedAt, cost}: Made, hasNews: boolean): boolean {
		if (cost < quick) return false;
		const {screen, share = screen ? shareWithScreen : shareWithout} = this.#parts;
		const atRest = screen || areAllSafe(forecast) ? shareWhileOnlyRenewals : shareWhileWaiting;
		const allowed = hasNews ? share : Math.min(share, atRest);
		return this.#scheduler.clock() < endedAt + cost / allowed;
	}
}

/** Whether no pod will be evicted. */
const areAllSafe = ({pods}: Forecast) => pods.every(({verdict}) => verdict === 'Safe');

/** What takes the forecasts of a session, and what they hold. */
export type Consumer = Pick<
	SessionParts,
	'taps' | 'observers' | 'ledger' | 'display' | 'screen' | 'share'
> & {
	/** Absent if forecasts need no node pressure. */
	readonly pressure?: ForecastStage;
	/** Absent if forecasts need not say what becomes of pods. */
	readonly impact?: ForecastStage | undefined;
};

/** A session that forecasts with these settings for a consumer, from whatever source it is given. */
export function sessionOn(
	{store, forecaster, learner}: Required<Pick<SessionParts, 'store' | 'forecaster' | 'learner'>>,
	{pressure, impact, ...consumer}: Consumer,
): Session {
	const stages = [pressure, impact].filter((stage) => stage !== undefined);
	return new Session({store, forecaster, learner, stages, ...consumer});
}
