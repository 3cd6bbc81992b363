import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {controllerManagerLease} from '../core/model/lease.ts';
import {isUnknownNode} from '../core/model/node.ts';
import {podKey} from '../core/model/pod.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import type {StoreChange} from '../store/change.ts';
import {ClusterStore, type StoreUpdate} from '../store/clusterStore.ts';
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
	readonly learner: ReturnType<typeof settingsLearner>;
};

export function learning(evidence: SettingsEvidence): Learning {
	const store = new ClusterStore();
	const resolved = resolveSettings(evidence);
	const forecaster = new Forecaster(resolved.settings, resolved, store, versionOf(evidence));
	return {store, forecaster, learner: settingsLearner(evidence, resolved, forecaster)};
}

/**
 * Looks again and again at what the controllers that run now did, and remembers it as long as they lead. The forecaster starts
 * again with settings that contradict those in use.
 */
function settingsLearner(evidence: SettingsEvidence, first: ResolvedSettings, forecaster: Forecaster) {
	/** As last evaluated. */
	let resolved = first;
	let learnedAt: Instant = beginningOfTime;
	/** Whether a node turned Unknown or back, or was tainted, since the last evaluation. */
	let hasAct = false;
	/** Who leads, and since when: another leader may have other flags. */
	let leader: string | undefined;
	/** What was seen of this leader until now, also by objects that have changed since. */
	let learned: LearnedSettings = {};
	/** Recent observations that the defaults do not explain: the latest for each combination of settings, and when. */
	const doubts = new Map<string, {readonly doubt: SettingDoubt; readonly raisedAt: Instant}>();
	/** The vendor of the control plane; undefined until nodes are seen. */
	let managed: ManagedControlPlane | 'none' | undefined;

	/** Forgets what former controllers did. */
	function followLeader() {
		const lease = forecaster.store.leases.get(podKey(controllerManagerLease));
		const leads = lease && `${lease.holderIdentity} ${lease.acquireTime}`;
		if (leads === leader) return;
		leader = leads;
		learned = {};
		doubts.clear();
	}

	/** Evaluates the observations if that is due; called before each forecast. */
	function learn(now: Instant) {
		// Time that was not observed teaches nothing.
		const seenUntil = forecaster.seenAt(now);
		if (seenUntil - learnedAt < (hasAct ? pauseAfterAct : pause)) return;
		learnedAt = seenUntil;
		hasAct = false;
		followLeader();
		const seen = forecaster.learnByLook(seenUntil);
		learned = mergeLearned(learned, seen.learned);
		for (const doubt of seen.doubts) doubts.set(doubt.about.join(), {doubt, raisedAt: seenUntil});
		for (const [about, {raisedAt}] of doubts) if (seenUntil - raisedAt >= doubtLasts) doubts.delete(about);
		const {nodes} = forecaster.store;
		const isRecognised = managed === undefined && nodes.size > 0;
		// Determined once: a cluster does not change its vendor.
		if (isRecognised) managed = managedControlPlane(evidence.serverVersion, nodes.values()) ?? 'none';
		const found = resolveSettings({
			...evidence,
			...seen,
			managed: managed === 'none' ? undefined : managed,
			learned,
			doubts: [...doubts.values()].map(({doubt}) => doubt),
		});
		const {settings} = resolved;
		const isStill = isStillPossible(settings, found, isRecognised ? {} : learned);
		// A value that still fits is kept, so that forecasts do not jump as ranges narrow.
		resolved = isStill ? {...found, settings} : found;
		if (isStill) forecaster.narrow(found);
		else forecaster.startAgain(found, seenUntil);
	}

	return {
		evidence,
		get resolved() {
			return resolved;
		},
		take({changes}: StoreUpdate) {
			hasAct ||= changes.some(isAct);
		},
		learn,
	};
}

const isAct = (change: StoreChange) =>
	change.type === 'nodeApplied' &&
	change.before !== undefined &&
	(isUnknownNode(change.node) !== isUnknownNode(change.before) ||
		noExecuteTaints(change.node).length > noExecuteTaints(change.before).length);

/** Whether the settings in use still agree with what was learned. */
const isStillPossible = (used: ControllerSettings, {settings}: ResolvedSettings, learned: LearnedSettings) =>
	(Object.keys(used) as (keyof ControllerSettings)[]).every((key) => {
		const setting = learned[key];
		const value = used[key];
		return (
			settings[key] === value ||
			(setting !== undefined && typeof value === 'number' && isWithin(value, setting.range))
		);
	});
