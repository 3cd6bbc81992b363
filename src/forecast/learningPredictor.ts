import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Observation, Sight} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Change} from '../store/change.ts';
import {ClusterStore, type StoreUpdate} from '../store/clusterStore.ts';
import type {Explanation, Target} from './explain/explanation.ts';
import type {KnownSources} from './explain/steps/known.ts';
import type {Forecast} from './forecast.ts';
import {Forecaster} from './forecaster.ts';
import {ObservedTime} from './observe/observedTime.ts';
import {finish, type Pausable} from './pausable.ts';
import {BehaviourLog} from './settings/learned/behaviourLog.ts';
import {learnSettings} from './settings/learned/learn.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSettings,
	mergeLearned,
} from './settings/learned/learnedSetting.ts';
import {type ResolvedSettings, resolveSettings, type SettingsEvidence} from './settings/resolve.ts';
import type {Setting} from './settings/setting.ts';

/** How often what was seen is thought over. */
const pause: Duration = 10 * second;

/**
 * A forecaster that learns the controllers' settings while it watches. Where behaviour contradicts what was assumed, it
 * starts again with what it learned, from the present state of the cluster.
 */
export class LearningPredictor {
	readonly #evidence: SettingsEvidence;
	readonly #onLearned: (learned: LearnedSettings) => void;
	#log: BehaviourLog;
	/** Whether something came that is not logged, as nobody saw when it happened. */
	#hasGap = false;
	readonly #store: ClusterStore;
	readonly #seen = new ObservedTime();
	#resolved: ResolvedSettings;
	#forecaster: Forecaster;
	#learnedAt: Instant = Number.NEGATIVE_INFINITY;

	/**
	 * @param onLearned is told all that is known whenever that was thought over
	 * @param store where others read it as well
	 */
	constructor(
		evidence: SettingsEvidence,
		onLearned: (learned: LearnedSettings) => void,
		store = new ClusterStore(),
	) {
		this.#store = store;
		this.#evidence = evidence;
		this.#onLearned = onLearned;
		this.#resolved = resolveSettings(evidence);
		this.#log = new BehaviourLog(this.#resolved.settings);
		this.#forecaster = this.#newForecaster();
	}

	/** Takes in what a watch brought, with the instant at which it arrived by our own clock. */
	observe(observations: readonly Observation[], arrivedAt: Instant, provenance?: Sight): void {
		this.take(this.#store.apply(observations, arrivedAt, provenance));
	}

	/** Takes in what its store holds since a moment ago. */
	take(update: StoreUpdate): void {
		const {changes, arrivedAt, provenance: sight} = update;
		const isOld = sight !== undefined && sight.type !== 'confirmed';
		if (sight?.type !== 'watchLost') this.#watchBehaviour(changes, arrivedAt, isOld);
		this.#forecaster.take(update);
	}

	/** Behaviour is learned from what was seen as it happened: after a gap it is watched from the present state on. */
	#watchBehaviour(changes: readonly Change[], arrivedAt: Instant, isOld: boolean): void {
		if (!isOld && this.#hasGap) this.#log = new BehaviourLog(this.#resolved.settings);
		if (!isOld) this.#log.observe(this.#hasGap ? this.#store.asChanges : changes, arrivedAt);
		this.#hasGap = isOld;
	}

	/** As a forecaster does; the problems tell what behaviour contradicts. */
	forecast(now: Instant): Forecast {
		return finish(this.forecastInSteps(now));
	}

	/** The same with pauses, as a forecaster has them. */
	*forecastInSteps(now: Instant): Pausable<Forecast> {
		// What was not seen teaches nothing.
		const seenUntil = this.#forecaster.seenAt(now);
		if (seenUntil - this.#learnedAt >= pause) this.#learn(seenUntil);
		const forecast = yield* this.#forecaster.forecastInSteps(now);
		return {...forecast, problems: [...forecast.problems, ...this.#resolved.problems]};
	}

	/** When something last happened that was more than a renewal. */
	changedAt(now: Instant): Instant {
		return this.#forecaster.changedAt(now);
	}

	/** Who answers what-ifs: the forecaster of the settings that are known by now. */
	get forecaster(): Forecaster {
		return this.#forecaster;
	}

	/** Says how a forecast comes about for one pod, node or zone; undefined where nothing has that name. */
	explain(target: Target, now: Instant, known: Omit<KnownSources, 'settings'> = {}): Explanation | undefined {
		return this.#forecaster.explain(target, now, {...known, settings: this.#resolved.list});
	}

	/** The settings in force, as of the last forecast. */
	get settings(): readonly Setting[] {
		return this.#resolved.list;
	}

	#learn(now: Instant): void {
		this.#learnedAt = now;
		const {settings} = this.#resolved;
		const {learned: before} = this.#evidence;
		const slowest = Math.min(
			settings.nodeEvictionRate,
			before.nodeEvictionRate?.range[0] ?? settings.nodeEvictionRate,
		);
		const seen = learnSettings(this.#log.behaviourAt(now), {
			longestPeriod: Math.max(settings.nodeMonitorPeriod, before.nodeMonitorPeriod?.range[1] ?? 0),
			largeThreshold: settings.largeClusterSizeThreshold,
			// At a rate of 1 a zone may stand still for ever, whatever its share.
			slowestRate: Math.fround(settings.nodeEvictionRate) === 1 ? 0 : slowest,
			nodes: this.#log.nodeCount,
		});
		const learned = mergeLearned(before, seen);
		const resolved = resolveSettings({...this.#evidence, learned});
		this.#onLearned(learned);
		if (!isStillPossible(settings, resolved, learned)) {
			this.#resolved = resolved;
			this.#startAgain(now);
		} else {
			// A value that still fits is kept, so that forecasts do not jump as ranges narrow.
			this.#resolved = {...resolved, settings};
			this.#forecaster.narrow(resolved.span);
		}
	}

	#startAgain(observedAt: Instant): void {
		this.#forecaster = this.#newForecaster();
		this.#forecaster.take({changes: this.#store.asChanges, arrivedAt: observedAt, provenance: undefined});
	}

	#newForecaster(): Forecaster {
		const {settings, span} = this.#resolved;
		return new Forecaster(settings, span, this.#seen, this.#store);
	}
}

/** Whether the settings in use may still be true, as far as they are not given. */
function isStillPossible(
	used: ControllerSettings,
	{settings}: ResolvedSettings,
	learned: LearnedSettings,
): boolean {
	return (Object.keys(learned) as LearnableKey[]).every((key) => {
		const one = learned[key];
		return settings[key] === used[key] || one === undefined || isPossible(key, used[key], one);
	});
}
