import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isControllerManagerLease} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import type {Observation, ObservationSink, Provenance, SinkEntry} from '../core/model/observation.ts';
import {type Disrupter, disrupters, type Pod} from '../core/model/pod.ts';
import {beginningOfTime, type Duration, type Instant, minute} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Forecaster} from '../forecast/forecaster.ts';
import {ActionLedger} from '../forecast/ledger/actionLedger.ts';
import type {ActionObject, ControllerAction} from '../forecast/ledger/controllerAction.ts';
import type {Interval} from '../forecast/observe/interval.ts';
import {watchDelivery} from '../forecast/observe/latencies.ts';
import {earliestOf, ObservedTime, readSince} from '../forecast/observe/observedTime.ts';
import type {ClusterStore, StoreSubscriber, StoreUpdate} from '../store/clusterStore.ts';
import {ActionFinder} from './compare/actionFinder.ts';
import {ClusterHistory} from './compare/clusterHistory.ts';
import {ControllerWatch, remembered} from './compare/controllerWatch.ts';
import {DivergenceBook} from './compare/divergenceBook.ts';
import {Judge} from './compare/judge.ts';
import {ObservationGaps} from './compare/observationGaps.ts';
import type {ControllerState, ShadowListener, ShadowView} from './shadowView.ts';

type ShadowOptions = Readonly<{
	startedAt: Instant;
	/** Has the current settings of forecasts, also as a list to display. */
	forecaster: Pick<Forecaster, 'settings' | 'settingList'>;
	listeners: readonly ShadowListener[];
	store: ClusterStore;
}>;

/** Interval of dropping old history. */
const forgetPeriod: Duration = minute;

/** Compares what the controllers do with forecasts, and reports each divergence with its reason. It never acts on the cluster. */
export class Shadow implements StoreSubscriber, ObservationSink {
	readonly #parts: ShadowOptions;
	readonly #world: ClusterHistory;
	readonly #finder: ActionFinder;
	readonly #ledger = new ActionLedger();
	readonly #seenTime = new ObservedTime();
	readonly #controllers = new ControllerWatch(this.#seenTime);
	readonly #gaps = new ObservationGaps();
	readonly #book: DivergenceBook;
	readonly #judge: Judge;
	#settings: ControllerSettings;
	#forecast: Forecast | undefined;
	#hasSynced = false;
	readonly #disrupted = new Map<Disrupter, number>(disrupters.map((one) => [one, 0]));
	#lastForgotAt: Instant = beginningOfTime;

	constructor(parts: ShadowOptions) {
		this.#parts = parts;
		this.#world = new ClusterHistory(parts.store);
		this.#finder = new ActionFinder(this.#world);
		this.#settings = parts.forecaster.settings;
		this.#book = new DivergenceBook((divergence) => {
			for (const {diverged} of parts.listeners) diverged?.(divergence);
		});
		this.#judge = new Judge({
			world: this.#world,
			ledger: this.#ledger,
			controllers: this.#controllers,
			gaps: this.#gaps,
			book: this.#book,
			settings: () => this.#settings,
			matched: (match) => {
				for (const {matched} of parts.listeners) matched?.(match);
			},
		});
	}

	/** Receives an update of the store. The first one is the initial state. */
	take({changes, arrivedAt, provenance}: StoreUpdate) {
		this.#seenTime.observe(arrivedAt, provenance);
		if (provenance) this.#followProvenance(provenance, arrivedAt);
		if (provenance?.type === 'watchLost') {
			// Listeners are updated at once: the next forecast may take a while.
			if (this.#forecast) this.#notify(this.#forecast, arrivedAt);
			return;
		}
		const happened = this.#happened(arrivedAt, provenance);
		if (!this.#hasSynced) this.#gaps.begin(arrivedAt);
		this.#hasSynced = true;
		this.#world.heardAt = arrivedAt;
		const since = readSince(provenance, arrivedAt);
		this.#world.hear(changes, provenance?.type === 'late' ? provenance.since : since);
		const {actions, disturbances, disrupters} = this.#finder.observe(changes, arrivedAt, happened);
		for (const one of disrupters) this.#disrupted.set(one, (this.#disrupted.get(one) ?? 0) + 1);
		// Without leader election, a leftover lease shows nothing about the controllers.
		if (this.#settings.leaderElection) this.#followLeader(changes, arrivedAt);
		if (disturbances.some(({type}) => type === 'leader')) this.#judge.startAnew();
		this.#ledger.disturb(disturbances);
		// A zone's state follows from its nodes' conditions, so those changes of a batch come first.
		const inOrder = actions.toSorted((a, b) => Number(isSetUnknown(b)) - Number(isSetUnknown(a)));
		for (const action of inOrder) this.#judge.judgeAction(action, arrivedAt);
	}

	/** Objects without an expected change: the API server is asked for them. */
	get unconfirmed(): readonly ActionObject[] {
		return this.#gaps.isLost ? [] : this.#judge.unconfirmed;
	}

	/** Receives such an object as it was at `askedAt`; changes that the watch has not delivered yet are left to it. */
	answered(object: Node | Pod | undefined, askedAt: Instant) {
		if (object) this.#world.confirm(object, askedAt);
	}

	push(entry: SinkEntry) {
		if (entry.type === 'problems') this.#gaps.reportProblems(entry.problems);
	}

	/**
	 * Receives a forecast of everything observed so far, checks what is overdue, and updates the listeners.
	 *
	 * @param now later than the forecast if this is reused for a while
	 */
	add(forecast: Forecast, now: Instant = forecast.observedAt) {
		this.tick(now);
		this.#followSettings();
		this.#ledger.add(forecast, !this.#controllers.isDown(this.#seenTime.at(now)));
		this.#judge.endWithdrawn(this.#seenTime.at(now));
		this.#forecast = forecast;
		this.#notify(forecast, now);
	}

	#notify(forecast: Forecast, now: Instant) {
		const view = this.viewOf(forecast, now);
		for (const {changed} of this.#parts.listeners) changed?.(view);
	}

	tick(now: Instant) {
		const seenUntil = this.#seenTime.at(now);
		this.#controllers.checkLease(seenUntil);
		this.#judge.checkDue(seenUntil);
		if (now - this.#lastForgotAt < forgetPeriod) return;
		this.#lastForgotAt = now;
		this.#world.forgetBefore(now - remembered);
		this.#judge.forgetBefore(now - remembered);
	}

	/** The complete view, with a forecast. */
	viewOf(forecast: Forecast, observedAt: Instant): ShadowView {
		return {
			observedAt,
			startedAt: this.#parts.startedAt,
			hasSynced: this.#hasSynced,
			forecast,
			controller: this.#controllerAt(observedAt),
			divergences: this.#book.all,
			divergenceCounts: this.#book.counts,
			gaps: this.#gaps.gaps,
			gapCount: this.#gaps.gapCount,
			disrupted: new Map(this.#disrupted),
			settings: this.#parts.forecaster.settingList,
		};
	}

	/** While our watch is lost, an old lease shows nothing about the controllers. */
	#controllerAt(now: Instant): ControllerState {
		const state = this.#controllers.stateAt(now);
		return this.#gaps.isLost ? {...state, isUp: null, leaderSince: null} : state;
	}

	#followLeader(changes: readonly Observation[], arrivedAt: Instant) {
		for (const one of changes) {
			if (one.type === 'leaseApplied' && isControllerManagerLease(one.lease))
				this.#controllers.observe(one.lease, arrivedAt);
		}
	}

	#followProvenance(provenance: Provenance, arrivedAt: Instant) {
		this.#gaps.take(provenance, arrivedAt);
		if (provenance.type === 'historyLost' || provenance.type === 'late') this.#judge.startAnew();
		if (provenance.type === 'watchLost' || provenance.type === 'late' || provenance.type === 'historyLost')
			this.#judge.doubt();
	}

	/** When a batch happened; undefined if it only shows the current state. */
	#happened(arrivedAt: Instant, provenance: Provenance | undefined): Interval | undefined {
		if (!this.#hasSynced || provenance?.type === 'firstLook') return undefined;
		return {lo: Math.min(earliestOf(provenance, arrivedAt), arrivedAt - watchDelivery), hi: arrivedAt};
	}

	/** After a change of settings, earlier predictions no longer apply. */
	#followSettings() {
		const {settings} = this.#parts.forecaster;
		if (settings === this.#settings) return;
		this.#settings = settings;
		this.#ledger.forget();
	}
}

const isSetUnknown = ({action}: ControllerAction) => action === 'SetUnknown';
