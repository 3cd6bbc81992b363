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

/** How often what was seen is thought over. */
const pause: Duration = 10 * second;
/** And how often where controllers have acted since: what they do shows most of their settings. */
const pauseAfterAct: Duration = second;
/** What was seen once, and not for so long since, casts no doubt any more. */
const doubtLasts: Duration = 10 * minute;

/** A store, a forecaster of what it holds, and who learns the settings for it: what a session that goes on begins with. */
export type Learning = {
	readonly store: ClusterStore;
	readonly forecaster: Forecaster;
	readonly learner: SettingsLearner;
};

/** @param onLearned is told what was learned from watching, also before, whenever that was thought over */
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
	/** Whether a node has turned Unknown or back, or was tainted, since what was seen was thought over. */
	#hasAct = false;
	/** What the times of objects showed until now, also of those that look otherwise by now. */
	#byLook: LearnedSettings = {};
	/** What was seen lately that the defaults do not explain: the latest for each combination of settings, and when. */
	readonly #doubts = new Map<string, {readonly doubt: SettingDoubt; readonly raisedAt: Instant}>();
	/** Who runs the control plane; undefined until nodes are seen. */
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
	 * Behaviour is learned from what was seen as it happened: after a gap it is watched from the present state on. A first
	 * look at pods is no gap, and one in the watch of pods leaves what is known of nodes and leases.
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

	/** Thinks over what was seen, where that is due: before each forecast. */
	learn(now: Instant): void {
		// What was not seen teaches nothing.
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
		// Once: nodes of another vendor do not join a cluster.
		if (isRecognised)
			this.#managed = managedControlPlane(this.#evidence.serverVersion, nodes.values()) ?? 'none';
		const managed = this.#managed === 'none' ? undefined : this.#managed;
		const doubts = [...this.#doubts.values()].map(({doubt}) => doubt);
		const resolved = resolveSettings({...this.#evidence, managed, learned, doubts});
		// The times of objects alone may mislead: only what was watched is told, to be saved.
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
		const {settings} = this.#resolved;
		const {nodeMonitorPeriod: period, nodeEvictionRate: rate} = this.#evidence.learned;
		const behaviour = this.#log.behaviourAt(now);
		const base = baseOf(behaviour, this.#forecaster.store.nodes, settings);
		return learnSettings(behaviour, {
			...base,
			longestPeriod: Math.max(base.longestPeriod, period?.range[1] ?? 0),
			isLargeThresholdGiven: this.#isGiven('large-cluster-size-threshold'),
			slowestRate: Math.min(base.slowestRate, rate?.range[0] ?? base.slowestRate),
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
