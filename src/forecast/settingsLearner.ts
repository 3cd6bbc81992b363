import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isUnknownNode} from '../core/model/node.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import type {StoreChange} from '../store/change.ts';
import {ClusterStore, type StoreSubscriber, type StoreUpdate} from '../store/clusterStore.ts';
import {Forecaster} from './forecaster.ts';
import {readSince} from './observe/observedTime.ts';
import {BehaviourLog} from './settings/learned/behaviourLog.ts';
import {baseOf, type Learned, learnSettings} from './settings/learned/learn.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSettings,
	mergeLearned,
	type SettingDoubt,
} from './settings/learned/learnedSetting.ts';
import {type ManagedControlPlane, managedControlPlane} from './settings/managedControlPlane.ts';
import {type ResolvedSettings, resolveSettings} from './settings/resolve.ts';
import type {SettingsEvidence} from './settings/settingsEvidence.ts';

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

/** @param onLearned called after each evaluation with what was learned from watching, now and before */
export function learning(
	evidence: SettingsEvidence,
	onLearned: (learned: LearnedSettings) => void = () => undefined,
): Learning {
	const store = new ClusterStore();
	const resolved = resolveSettings(evidence);
	const forecaster = new Forecaster(resolved.settings, resolved, store);
	return {store, forecaster, learner: new SettingsLearner(evidence, resolved, forecaster, onLearned)};
}

/** Learns settings while a cluster is watched; the forecaster starts again with those that contradict the assumed ones. */
class SettingsLearner implements StoreSubscriber {
	readonly #evidence: SettingsEvidence;
	readonly #forecaster: Forecaster;
	readonly #onLearned: (learned: LearnedSettings) => void;
	#log: BehaviourLog;
	/** Whether changes came that are not logged, as their time was not seen. */
	#hasGap = false;
	/** Whether a node turned Unknown or back, or was tainted, since the last evaluation. */
	#hasAct = false;
	/** What the times of objects have shown until now, including objects that have changed since. */
	#byLook: LearnedSettings = {};
	/** Recent observations that the defaults do not explain: the latest for each combination of settings, and when. */
	readonly #doubts = new Map<string, {readonly doubt: SettingDoubt; readonly raisedAt: Instant}>();
	/** The vendor of the control plane; undefined until nodes are seen. */
	#managed: ManagedControlPlane | 'none' | undefined;
	#resolved: ResolvedSettings;
	#learnedAt: Instant = beginningOfTime;

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

	/**
	 * Behaviour is learned only from changes that were seen as they happened: after a gap the log restarts from the present
	 * state. A first look at pods is no gap; a gap in the watch of pods keeps what is known of nodes and leases.
	 */
	take({changes, arrivedAt, provenance}: StoreUpdate): void {
		if (provenance?.type === 'watchLost') return;
		this.#hasAct ||= changes.some(isAct);
		const isOld = provenance?.type === 'late' || provenance?.type === 'historyLost';
		if (isOld && changes.every(isOfPod)) this.#log.missedPods(arrivedAt);
		else if (isOld) this.#hasGap = true;
		else {
			if (this.#hasGap) this.#log = new BehaviourLog(this.#resolved.settings);
			const since = readSince(provenance, arrivedAt);
			this.#log.observe(this.#hasGap ? this.#forecaster.store.asChanges : changes, arrivedAt, since);
			this.#hasGap = false;
		}
	}

	/** Evaluates the observations if that is due; called before each forecast. */
	learn(now: Instant): void {
		// Time that was not observed teaches nothing.
		const seenUntil = this.#forecaster.seenAt(now);
		if (seenUntil - this.#learnedAt < (this.#hasAct ? pauseAfterAct : pause)) return;
		this.#learnedAt = seenUntil;
		this.#hasAct = false;
		const {settings} = this.#resolved;
		const byLook = this.#forecaster.learnByLook(seenUntil);
		this.#byLook = mergeLearned(this.#byLook, byLook.learned);
		const byBehaviour = this.#learnUntil(seenUntil);
		for (const doubt of [...byLook.doubts, ...byBehaviour.doubts])
			this.#doubts.set(doubt.about.join(), {doubt, raisedAt: seenUntil});
		for (const [about, {raisedAt}] of this.#doubts)
			if (seenUntil - raisedAt >= doubtLasts) this.#doubts.delete(about);
		const learned = [this.#byLook, byBehaviour.learned].reduce(mergeLearned, this.#evidence.learned);
		const {nodes} = this.#forecaster.store;
		const isRecognised = this.#managed === undefined && nodes.size > 0;
		// Determined once: a cluster does not change its vendor.
		if (isRecognised)
			this.#managed = managedControlPlane(this.#evidence.serverVersion, nodes.values()) ?? 'none';
		const managed = this.#managed === 'none' ? undefined : this.#managed;
		const doubts = [...this.#doubts.values()].map(({doubt}) => doubt);
		const resolved = resolveSettings({
			...this.#evidence,
			...{managed, learned, doubts, ifDefaults: byLook.ifDefaults},
		});
		// The times of objects alone may mislead: only what was learned from watching is passed on to be saved.
		this.#onLearned(mergeLearned(this.#evidence.learned, byBehaviour.learned));
		const isSame = !isRecognised || isEqual(settings, resolved.settings);
		if (isSame && isStillPossible(settings, resolved, learned)) {
			// A value that still fits is kept, so that forecasts do not jump as ranges narrow.
			this.#resolved = {...resolved, settings};
			this.#forecaster.narrow(resolved);
		} else {
			this.#resolved = resolved;
			this.#forecaster.startAgain(resolved, seenUntil);
		}
	}

	#isGiven(flag: string): boolean {
		const source = this.#resolved.list.find(({name}) => name === flag)?.source.kind;
		return source === 'flag' || source === 'staticPod';
	}

	#learnUntil(now: Instant): Learned {
		const {
			settings,
			span: {lateEnd},
		} = this.#resolved;
		const {nodeMonitorPeriod: period, nodeEvictionRate: rate} = this.#evidence.learned;
		const behaviour = this.#log.behaviourAt(now);
		const base = baseOf(behaviour, this.#forecaster.store.nodes, settings);
		return learnSettings(behaviour, {
			...base,
			longestPeriod: Math.max(base.longestPeriod, period?.range[1] ?? 0),
			isLargeThresholdGiven: this.#isGiven('large-cluster-size-threshold'),
			slowestRate: Math.min(
				base.slowestRate,
				lateEnd.nodeEvictionRate,
				rate?.range[0] ?? Number.POSITIVE_INFINITY,
			),
		});
	}
}

const isEqual = (a: ControllerSettings, b: ControllerSettings): boolean =>
	(Object.keys(a) as (keyof ControllerSettings)[]).every((key) => a[key] === b[key]);

const isAct = (change: StoreChange): boolean =>
	change.type === 'nodeApplied' &&
	change.before !== undefined &&
	(isUnknownNode(change.node) !== isUnknownNode(change.before) ||
		noExecuteTaints(change.node).length > noExecuteTaints(change.before).length);

const isOfPod = ({type}: StoreChange): boolean => type === 'podApplied' || type === 'podDeleted';

/** Whether the settings in use still agree with what was learned. */
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
