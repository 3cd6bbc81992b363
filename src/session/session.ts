import {untilFirstEnds} from '../async/taskGroup.ts';
import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import {nothingRelated} from '../core/model/workloads/related.ts';
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

/** The prediction ledger: receives updates before the forecaster, and forecasts before they are shown. `end` ends what it waits for. */
export type SessionLedger = StoreSubscriber & {add(forecast: Forecast): void; end(): void};

/** Shows forecasts; the next one waits for it. @param hasNews whether anything but renewals came since the last one */
export type Display = {publish(forecast: Forecast, now: Instant, hasNews: boolean): Promise<void> | void};

export type SessionParts = Readonly<{
	store: ClusterStore;
	forecaster: Pick<Forecaster, 'take' | 'forecastInSteps' | 'changedAt' | 'newsArrivedAt'>;
	/** Learns settings from store updates; evaluated before each forecast. */
	learner?: StoreSubscriber & {learn(now: Instant): void};
	/** Receive every entry at once, also while a forecast is being made. */
	taps?: readonly ObservationSink[];
	/** Receive store updates before the forecaster, in this order, after the ledger. */
	observers?: readonly Partial<StoreSubscriber>[];
	ledger?: SessionLedger;
	/** Applied in this order. */
	stages?: readonly (ForecastStage | undefined)[];
	/** Absent if no forecast is wanted. */
	display?: Display;
	/** Absent without keys: forecasts are then made in one piece. */
	screen?: {
		/** Computes more from a forecast before it is shown. */
		readonly prepare: (forecast: Forecast) => Pausable<void>;
		/** Other work for the forecaster, done before the next forecast; undefined if there is none. */
		readonly sideWork?: (() => Pausable<void> | undefined) | undefined;
		/** What is worked out about a forecast once it is shown, before anything else is observed; undefined if nothing is. */
		readonly afterwards?: (forecast: Forecast) => Pausable<void> | undefined;
	};
	/** Maximum share of time spent on forecasts while things change; by default a tenth with a screen, half without. */
	share?: number;
}>;

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

type Made = Readonly<{
	forecast: Forecast;
	at: Instant;
	endedAt: number;
	cost: number;
}>;

/** Whether no pod will be evicted. */
const areAllSafe = ({pods}: Forecast) => pods.every(({verdict}) => verdict === 'Safe');

/** Makes the forecasts of a session, as often as they may take their time. */
function forecastMaker(parts: SessionParts, scheduler: CooperativeScheduler) {
	const {forecaster, learner, ledger, screen} = parts;
	const stages = stagesOf(parts);
	let last: Made | undefined;
	let noted: Forecast | undefined;

	/** Makes a forecast from the store; if it is shown, runs the stages on it, and prepares it for the screen. */
	function* forecastInSteps(now: Instant, isShown = true): Pausable<Forecast> {
		learner?.learn(now);
		let forecast = yield* forecaster.forecastInSteps(now);
		if (!isShown) return forecast;
		for (const stage of stages) forecast = yield* stage.extend(forecast);
		if (screen) yield* screen.prepare(forecast);
		return forecast;
	}

	/** Whether something other than a renewal happened since an instant. */
	const hasNewsSince = (since: Instant, now: Instant) =>
		[forecaster.changedAt(now), ...stages.map((stage) => stage.changedAt ?? since)].some(
			(changedAt) => changedAt > since,
		);

	const isStillGood = ({forecast, endedAt, cost}: Made, hasNews: boolean) => {
		if (cost < quick) return false;
		const {share = screen ? shareWithScreen : shareWithout} = parts;
		const atRest = screen || areAllSafe(forecast) ? shareWhileOnlyRenewals : shareWhileWaiting;
		const allowed = hasNews ? share : Math.min(share, atRest);
		return scheduler.clock() < endedAt + cost / allowed;
	};

	/** Makes one forecast, or takes the last one again; undefined if the signal came first. */
	const make = async (now: Instant, signal: AbortSignal) => {
		const hasNews = !last || hasNewsSince(last.at, now);
		if (!last || !isStillGood(last, hasNews)) {
			const begunAt = scheduler.clock();
			const slices = last ? scheduler : {...scheduler, slice: firstSlice};
			const made = screen
				? await runCooperatively(forecastInSteps(now), signal, slices)
				: {result: finish(forecastInSteps(now)), cost: scheduler.clock() - begunAt};
			if (!made) return undefined;
			last = {forecast: made.result, at: now, endedAt: scheduler.clock(), cost: made.cost};
		}
		return {forecast: last.forecast, hasNews};
	};

	return {
		forecastInSteps,
		make,
		/** A reused forecast is added to the ledger only once. */
		note(forecast: Forecast) {
			if (forecast !== noted) ledger?.add(forecast);
			noted = forecast;
		},
		/** The cadence without a viewer: slower while nodes only renew. */
		cadenceOfChanges: (now: Instant): Cadence => {
			if (!noted || forecaster.changedAt(now) > noted.observedAt) return liveCadence;
			return areAllSafe(noted) ? quietCadence : waitingCadence;
		},
	};
}

const stagesOf = ({stages = []}: SessionParts) => stages.filter((stage) => stage !== undefined);

/** Takes entries into the store; those that arrive while a forecast is made, after it is shown, as a forecast is of one instant. */
function intake(parts: SessionParts) {
	const {store, ledger, observers = [], learner, forecaster, taps = [], screen} = parts;
	for (const one of [ledger, ...observers, learner, forecaster, ...stagesOf(parts)])
		if (one) store.subscribe(one);
	const waiting: StoredEntry[] = [];
	let isBusy = false;
	/** Aborted to end the wait for the next change. */
	let change = new AbortController();

	const take = (entry: StoredEntry) => {
		if (entry.type === 'pressure') return store.applyPressure(entry.news, entry.at);
		const isFirst = !seen.isAnyKnown;
		seen.isAnyKnown = true;
		store.apply(entry.observations, entry.at, entry.provenance);
		const wakes = isFirst || !screen || forecaster.newsArrivedAt >= entry.at;
		// Aborting twice would cost more than everything else that a renewal causes.
		if (wakes && !change.signal.aborted) change.abort();
	};

	const seen = {
		/** Whether a batch arrived; the first one brings the whole state. */
		isAnyKnown: false,
		/** The source's current problems. */
		problems: [] as readonly Problem[],
		/** The objects related to pods, as last delivered. */
		related: nothingRelated,
		push(entry: SinkEntry) {
			if (entry.type === 'problems') seen.problems = entry.problems;
			else if (entry.type === 'related') seen.related = entry.related;
			for (const tap of taps) tap.push(entry);
			if (entry.type === 'problems' || entry.type === 'related') return;
			if (isBusy) waiting.push(entry);
			else take(entry);
		},
		/** Keeps what arrives, until `release`. */
		hold() {
			isBusy = screen !== undefined;
		},
		release() {
			isBusy = false;
			for (const entry of waiting.splice(0)) take(entry);
		},
		/** Waits from here on for what comes next. */
		forgetChange() {
			change = new AbortController();
		},
		changeOr: (at: Instant, clock: Clock, signal: AbortSignal) =>
			clock.sleepUntil(at, AbortSignal.any([change.signal, signal])),
	};
	return seen;
}

export type Session = Readonly<ReturnType<typeof sessionOn>>;

/**
 * Connects a source with consumers: entries go into the store, forecasts are made from the store and shown.
 *
 * A live cluster is followed (`run`): a forecast is made each second, and after a change, at most four times a second, so
 * that a burst of changes makes one forecast; on a screen, a renewal waits for the next second. As long as a new
 * forecast would exceed its share of the time, the last one is shown again; the share is small while nodes only renew.
 *
 * With a screen, forecasts are made in slices, so that keys are handled.
 */
export function sessionOn(parts: SessionParts, scheduler: CooperativeScheduler = systemScheduler) {
	const {store, display, screen} = parts;
	const maker = forecastMaker(parts, scheduler);
	const seen = intake(parts);

	/** Makes one forecast, or reuses the last one, and shows it; undefined if the signal came first. */
	const step = async (now: Instant, signal: AbortSignal): Promise<Forecast | undefined> => {
		seen.hold();
		const sideWork = screen?.sideWork?.();
		if (sideWork && !(await runCooperatively(sideWork, signal, scheduler))) return undefined;
		const made = await maker.make(now, signal);
		if (!made) return undefined;
		maker.note(made.forecast);
		await display?.publish(made.forecast, now, made.hasNews);
		const more = screen?.afterwards?.(made.forecast);
		if (more) await runCooperatively(more, signal, scheduler);
		seen.release();
		return made.forecast;
	};

	const publishUntil = async (clock: Clock, signal: AbortSignal) => {
		if (!seen.isAnyKnown) await seen.changeOr(never, clock, signal);
		while (!signal.aborted) {
			const startedAt = clock.now();
			seen.forgetChange();
			if (!(await step(startedAt, signal))) break;
			// A forecast of a large cluster takes long: the pause after it is at least as long, so that the watches get
			// their time.
			const busy = clock.now() - startedAt;
			await seen.changeOr(startedAt + liveCadence.longest, clock, signal);
			await clock.sleepUntil(startedAt + Math.max(liveCadence.shortest, 2 * busy), signal);
		}
	};

	/** The cadence of a live watch: slower for a large cluster while nodes only renew. */
	const cadenceForViewer = (now: Instant) =>
		store.nodes.size > manyNodes ? maker.cadenceOfChanges(now) : liveCadence;

	return Object.assign(seen, {
		step,
		forecastInSteps: maker.forecastInSteps,
		cadenceOfChanges: maker.cadenceOfChanges,
		/** Follows a source until the signal, or its end. The first forecast waits for the first batch, the whole state. */
		async run(source: Source, clock: Clock, signal: AbortSignal) {
			const following = (end: AbortSignal) => source.run(seen, end);
			const showing = (end: AbortSignal) => publishUntil(clock, end);
			await untilFirstEnds(signal, ...(display ? [following, showing] : [following]));
		},
		/**
		 * Plays a recording as fast as forecasts can be made, each at the instant at which a live watch would make it.
		 *
		 * @returns the last instant of the recording; undefined if it is empty
		 */
		play(entries: AsyncIterable<TapeEntry>, cadence = cadenceForViewer) {
			const show = (now: Instant, isLast: boolean) => {
				const forecast = finish(maker.forecastInSteps(now));
				maker.note(forecast);
				if (isLast) parts.ledger?.end();
				return display?.publish(forecast, now, true);
			};
			return playThrough(entries, seen, show, cadence);
		},
	});
}
