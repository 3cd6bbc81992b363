import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {controllerManagerLease} from '../core/model/lease.ts';
import {isUnknownNode} from '../core/model/node.ts';
import {podKey} from '../core/model/pod.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import type {StoreChange} from '../store/change.ts';
import {ClusterStore, type StoreSubscriber, type StoreUpdate} from '../store/clusterStore.ts';
import {Forecaster} from './forecaster.ts';
import {
	isWithin,
	type LearnedSettings,
	mergeLearned,
	type SettingDoubt,
} from './settings/learned/learnedSetting.ts';
import {type ManagedControlPlane, managedControlPlane} from './settings/managedControlPlane.ts';
import {type ResolvedSettings, resolveSettings} from './settings/resolve.ts';
import {type SettingsEvidence, versionOf} from './settings/settingsEvidence.ts';

/** How often observations are evaluated. */
const pause: Duration = 10 * second;
/** The same after actions of the controllers: these show most of their settings. */
const pauseAfterAct: Duration = second;
/** A doubt is dropped if nothing has raised it again for this time. */
const doubtLasts: Duration = 10 * minute;

/** What a session that follows a cluster starts with: a store, its forecaster, and the learner of its settings. */
export type Learning = {
	readonly store: ClusterStore;
	readonly forecaster: Forecaster;
	readonly learner: SettingsLearner;
};

export function learning(evidence: SettingsEvidence): Learning {
	const store = new ClusterStore();
	const resolved = resolveSettings(evidence);
	const forecaster = new Forecaster(resolved.settings, resolved, store, versionOf(evidence));
	return {store, forecaster, learner: new SettingsLearner(evidence, resolved, forecaster)};
}

/**
 * Looks again and again at what the controllers that run now did, and remembers it as long as they lead. The forecaster starts
 * again with settings that contradict those in use.
 */
class SettingsLearner implements StoreSubscriber {
	readonly #evidence: SettingsEvidence;
	readonly #forecaster: Forecaster;
	/** Whether a node turned Unknown or back, or was tainted, since the last evaluation. */
	#hasAct = false;
	/** Who leads, and since when: another leader may have other flags. */
	#leader: string | undefined;
	/** What was seen of this leader until now, also by objects that have changed since. */
	#learned: LearnedSettings = {};
	/** Recent observations that the defaults do not explain: the latest for each combination of settings, and when. */
	readonly #doubts = new Map<string, {readonly doubt: SettingDoubt; readonly raisedAt: Instant}>();
	/** The vendor of the control plane; undefined until nodes are seen. */
	#managed: ManagedControlPlane | 'none' | undefined;
	#resolved: ResolvedSettings;
	#learnedAt: Instant = beginningOfTime;

	constructor(evidence: SettingsEvidence, resolved: ResolvedSettings, forecaster: Forecaster) {
		this.#evidence = evidence;
		this.#forecaster = forecaster;
		this.#resolved = resolved;
	}

	/** The settings as last evaluated. */
	get resolved(): ResolvedSettings {
		return this.#resolved;
	}

	take({changes}: StoreUpdate): void {
		this.#hasAct ||= changes.some(isAct);
	}

	/** Evaluates the observations if that is due; called before each forecast. */
	learn(now: Instant): void {
		// Time that was not observed teaches nothing.
		const seenUntil = this.#forecaster.seenAt(now);
		if (seenUntil - this.#learnedAt < (this.#hasAct ? pauseAfterAct : pause)) return;
		this.#learnedAt = seenUntil;
		this.#hasAct = false;
		this.#followLeader();
		const seen = this.#forecaster.learnByLook(seenUntil);
		this.#learned = mergeLearned(this.#learned, seen.learned);
		for (const doubt of seen.doubts) this.#doubts.set(doubt.about.join(), {doubt, raisedAt: seenUntil});
		for (const [about, {raisedAt}] of this.#doubts)
			if (seenUntil - raisedAt >= doubtLasts) this.#doubts.delete(about);
		const {nodes} = this.#forecaster.store;
		const isRecognised = this.#managed === undefined && nodes.size > 0;
		// Determined once: a cluster does not change its vendor.
		if (isRecognised)
			this.#managed = managedControlPlane(this.#evidence.serverVersion, nodes.values()) ?? 'none';
		const resolved = resolveSettings({
			...this.#evidence,
			...seen,
			managed: this.#managed === 'none' ? undefined : this.#managed,
			learned: this.#learned,
			doubts: [...this.#doubts.values()].map(({doubt}) => doubt),
		});
		const {settings} = this.#resolved;
		if (isStillPossible(settings, resolved, isRecognised ? {} : this.#learned)) {
			// A value that still fits is kept, so that forecasts do not jump as ranges narrow.
			this.#resolved = {...resolved, settings};
			this.#forecaster.narrow(resolved);
		} else {
			this.#resolved = resolved;
			this.#forecaster.startAgain(resolved, seenUntil);
		}
	}

	/** Forgets what former controllers did. */
	#followLeader(): void {
		const lease = this.#forecaster.store.leases.get(podKey(controllerManagerLease));
		const leader = lease && `${lease.holderIdentity} ${lease.acquireTime}`;
		if (leader === this.#leader) return;
		this.#leader = leader;
		this.#learned = {};
		this.#doubts.clear();
	}
}

const isAct = (change: StoreChange): boolean =>
	change.type === 'nodeApplied' &&
	change.before !== undefined &&
	(isUnknownNode(change.node) !== isUnknownNode(change.before) ||
		noExecuteTaints(change.node).length > noExecuteTaints(change.before).length);

/** Whether the settings in use still agree with what was learned. */
const isStillPossible = (
	used: ControllerSettings,
	{settings}: ResolvedSettings,
	learned: LearnedSettings,
): boolean =>
	(Object.keys(used) as (keyof ControllerSettings)[]).every((key) => {
		const setting = learned[key];
		const value = used[key];
		return (
			settings[key] === value ||
			(setting !== undefined && typeof value === 'number' && isWithin(value, setting.range))
		);
	});
