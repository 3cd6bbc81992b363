import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {ClusterStore, type StoreSubscriber, type StoreUpdate} from '../store/clusterStore.ts';
import {Forecaster} from './forecaster.ts';
import {BehaviourLog} from './settings/learned/behaviourLog.ts';
import {learnSettings} from './settings/learned/learn.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSettings,
	mergeLearned,
} from './settings/learned/learnedSetting.ts';
import {type ResolvedSettings, resolveSettings, type SettingsEvidence} from './settings/resolve.ts';

/** How often what was seen is thought over. */
const pause: Duration = 10 * second;

/** A store, a forecaster of what it holds, and who learns the settings for it: what a session that goes on begins with. */
export type Learning = {
	readonly store: ClusterStore;
	readonly forecaster: Forecaster;
	readonly learner: SettingsLearner;
};

/** @param onLearned is told all that is known whenever that was thought over */
export function learning(
	evidence: SettingsEvidence,
	onLearned: (learned: LearnedSettings) => void = () => undefined,
): Learning {
	const store = new ClusterStore();
	const resolved = resolveSettings(evidence);
	const forecaster = new Forecaster(resolved.settings, resolved, store);
	return {store, forecaster, learner: new SettingsLearner(evidence, resolved, forecaster, onLearned)};
}

/**
 * Learns the controllers' settings while a cluster is watched. Where behaviour contradicts what was assumed, the
 * forecaster starts again with what was learned.
 */
class SettingsLearner implements StoreSubscriber {
	readonly #evidence: SettingsEvidence;
	readonly #forecaster: Forecaster;
	readonly #onLearned: (learned: LearnedSettings) => void;
	#log: BehaviourLog;
	/** Whether something came that is not logged, as nobody saw when it happened. */
	#hasGap = false;
	#resolved: ResolvedSettings;
	#learnedAt: Instant = Number.NEGATIVE_INFINITY;

	constructor(
		evidence: SettingsEvidence,
		resolved: ResolvedSettings,
		forecaster: Forecaster,
		onLearned: (learned: LearnedSettings) => void,
	) {
		this.#evidence = evidence;
		this.#forecaster = forecaster;
		this.#onLearned = onLearned;
		this.#resolved = resolved;
		this.#log = new BehaviourLog(resolved.settings);
	}

	/** Behaviour is learned from what was seen as it happened: after a gap it is watched from the present state on. */
	take({changes, arrivedAt, provenance}: StoreUpdate): void {
		if (provenance?.type === 'watchLost') return;
		const isOld = provenance !== undefined && provenance.type !== 'confirmed';
		if (!isOld && this.#hasGap) this.#log = new BehaviourLog(this.#resolved.settings);
		if (!isOld) this.#log.observe(this.#hasGap ? this.#forecaster.store.asChanges : changes, arrivedAt);
		this.#hasGap = isOld;
	}

	/** Thinks over what was seen, where that is due: before each forecast. */
	learn(now: Instant): void {
		// What was not seen teaches nothing.
		const seenUntil = this.#forecaster.seenAt(now);
		if (seenUntil - this.#learnedAt < pause) return;
		this.#learnedAt = seenUntil;
		const {settings} = this.#resolved;
		const learned = mergeLearned(this.#evidence.learned, this.#learnUntil(seenUntil));
		const resolved = resolveSettings({...this.#evidence, learned});
		this.#onLearned(learned);
		if (isStillPossible(settings, resolved, learned)) {
			// A value that still fits is kept, so that forecasts do not jump as ranges narrow.
			this.#resolved = {...resolved, settings};
			this.#forecaster.narrow(resolved);
		} else {
			this.#resolved = resolved;
			this.#forecaster.startAgain(resolved, seenUntil);
		}
	}

	#learnUntil(now: Instant): LearnedSettings {
		const {settings} = this.#resolved;
		const {learned: before} = this.#evidence;
		const slowest = Math.min(
			settings.nodeEvictionRate,
			before.nodeEvictionRate?.range[0] ?? settings.nodeEvictionRate,
		);
		return learnSettings(this.#log.behaviourAt(now), {
			longestPeriod: Math.max(settings.nodeMonitorPeriod, before.nodeMonitorPeriod?.range[1] ?? 0),
			largeThreshold: settings.largeClusterSizeThreshold,
			// At a rate of 1 a zone may stand still for ever, whatever its share.
			slowestRate: Math.fround(settings.nodeEvictionRate) === 1 ? 0 : slowest,
			nodes: this.#log.nodeCount,
		});
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
