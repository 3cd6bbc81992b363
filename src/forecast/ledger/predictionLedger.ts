import {latest} from '../../core/collections/latest.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {isPodTerminal, type Pod, podKey} from '../../core/model/pod.ts';
import {settingsFor} from '../../core/model/versionProfile.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {deletedIn, type StoreChange} from '../../store/change.ts';
import type {ClusterStore, StoreUpdate} from '../../store/clusterStore.ts';
import type {Forecast} from '../forecast.ts';
import type {PodForecast, PodVerdict} from '../podForecast.ts';
import type {Range} from '../range.ts';
import {Actors, ownerOf, requesterOf} from './actor.ts';
import {type Disturbance, disturbancesOf} from './disturbance.ts';
import {
	type Prediction,
	type PredictionHistory,
	predictionOf,
	withDoubt,
	withPrediction,
} from './prediction.ts';
import {type DeletionRecord, type Judged, type Score, scoreCounter} from './score.ts';
import {shownForecasts} from './shownForecasts.ts';

/** How long after its range a deletion is still expected. */
const patience: Duration = 2 * second;
/** What ends the countdowns of a node's pods, or makes them shorter. A taint of the controllers only starts predicted countdowns. */
const endsCountdowns: readonly string[] = ['nodeGone', 'taintLost', 'taintReplaced', 'taintGivenByOthers'];
/** Verdicts that withdraw all predictions. */
const withdrawing: readonly PodVerdict[] = ['Safe', 'Stays', 'Held'];

/**
 * Keeps what forecasts predict for each pod, until its deletion is seen. A forecast holds if nothing else changes:
 * predictions are dropped when the leader, the pod's tolerations or an earlier taint of its node change, and when a later
 * forecast withdraws them.
 */
export class PredictionLedger {
	readonly #store: ClusterStore;
	readonly #namespace: string | undefined;
	/** By UID: a pod that is created again is another one. */
	readonly #histories = new Map<string, {readonly key: string; history: PredictionHistory}>();
	readonly #tried = new Set<string>();
	/** The UIDs of existing pods whose countdown ended without a deletion, though nothing changed. */
	readonly #alarms = new Set<string>();
	/** When the last event that announced a pod's deletion came, by the pod's key. */
	readonly #announced = new Map<string, {readonly at: Instant; readonly reason: ClusterEvent['reason']}>();
	/** Deletions that an event may still announce, by the pod's key; those were seen as they came that no gap may explain. */
	readonly #unannounced = new Map<string, DeletionRecord & {readonly isSeen: boolean}>();
	/** The owners that created a pod while there are such, by UID. */
	readonly #replacing = new Set<string>();
	/** Whether evicted pods carry the condition. */
	#areMarked = true;
	readonly #actors: Actors;
	readonly #shown = shownForecasts();
	readonly #counter: ReturnType<typeof scoreCounter>;
	#last: Forecast['pods'] | undefined;

	/**
	 * @param store holds each batch before it is taken in here
	 * @param onJudged called for each deletion that is seen
	 * @param namespace of the pods; undefined for all
	 */
	constructor(store: ClusterStore, onJudged: (judged: Judged) => void = () => undefined, namespace?: string) {
		this.#store = store;
		this.#actors = new Actors(store.repair.values());
		this.#counter = scoreCounter(onJudged);
		this.#namespace = namespace;
	}

	get score(): Score {
		return {...this.#counter.counted, falseAlarms: this.#alarms.size, shown: this.#shown.score};
	}

	add({observedAt, pods, kubernetesVersion}: Forecast) {
		this.#areMarked = settingsFor(kubernetesVersion).podDisruptionConditions;
		this.#passOn(observedAt);
		// The same list adds nothing, and the older one counts more.
		if (pods !== this.#last) {
			const share = sharing(observedAt);
			const judged = this.#namespace === undefined ? pods : pods.filter((pod) => this.#isJudged(pod));
			for (const pod of judged) this.#addOne(pod, share);
			this.#shown.add({observedAt, pods: judged});
		}
		this.#last = pods;
		this.#findAlarms(observedAt);
	}

	/** Takes in a batch that the store has just applied. */
	take({changes, arrivedAt, provenance}: StoreUpdate) {
		const isSeen = provenance?.type !== 'historyLost' && provenance?.type !== 'firstLook';
		for (const change of changes) this.#take(change, arrivedAt, isSeen);
	}

	/** Nothing more will come: what an event may still announce is passed on. */
	end() {
		this.#passOn(never);
	}

	/** Drops all predictions, after a change of the world. */
	forget() {
		this.#histories.clear();
		this.#last = undefined;
	}

	#isJudged({namespace}: Pick<Pod, 'namespace'>) {
		return this.#namespace === undefined || namespace === this.#namespace;
	}

	#addOne(pod: PodForecast, share: Share) {
		const known = this.#histories.get(pod.uid);
		if (!known && pod.eviction === null) return;
		const history = share(pod, known?.history);
		if (history && known) known.history = history;
		else if (history) this.#histories.set(pod.uid, {key: podKey(pod), history});
		else if (known && withdrawing.includes(pod.verdict)) this.#drop(pod.uid);
		else if (known && pod.verdict === 'Unsure') known.history = withDoubt(known.history);
	}

	#findAlarms(now: Instant) {
		for (const [uid, {key, history}] of this.#histories) {
			const {scheduled: prediction} = history;
			if (!prediction || now <= prediction.range.end + patience || this.#tried.has(uid)) continue;
			if (this.#store.pods.get(key)?.uid === uid) this.#alarms.add(uid);
		}
	}

	#take(change: StoreChange, at: Instant, isSeen: boolean) {
		this.#actors.take(change, at);
		for (const one of disturbancesOf(change)) this.#disturb(one, at);
		const ended = endedIn(change);
		if (ended && this.#isJudged(ended)) this.#ended(ended, deletionOf(ended, at), isSeen);
		const isCreated = this.#unannounced.size > 0 && change.type === 'podApplied' && !change.before;
		if (isCreated && change.pod.owner) this.#replacing.add(change.pod.owner.uid);
		if (change.type === 'eventApplied' && isAnnouncement(change.event)) this.#announce(change.event, at);
	}

	/**
	 * Ends predictions for pods that a lost leader, a change of the pod, or the end of its countdown makes untrue. Other changes
	 * are predicted, as a taint is, or bring a new forecast themselves.
	 */
	#disturb(one: Disturbance, at: Instant) {
		if (one.type === 'leader') {
			this.forget();
			this.#shown.changedAll(at);
		} else if (one.type === 'podsOf' && endsCountdowns.includes(one.cause)) {
			for (const {uid} of this.#store.pods.onNode(one.node)) this.#end(uid, at);
		} else if (one.type === 'pod' && one.cause === 'changed') this.#end(one.uid, at);
		else if (one.type === 'pod' && one.cause === 'replaced') {
			this.#drop(one.uid);
			this.#shown.forget(one.uid);
		}
	}

	/** Takes in that a deletion was announced. A forecast cannot predict whether the deletion then succeeds. */
	#announce({about: key, reason}: ClusterEvent, at: Instant) {
		const deletion = this.#unannounced.get(key);
		this.#unannounced.delete(key);
		if (deletion) this.#report(announced(deletion, reason));
		else if (!this.#areMarked || reason === 'SuccessfulDelete') this.#announced.set(key, {at, reason});
		const uid = this.#store.pods.get(key)?.uid;
		if (uid !== undefined && reason !== 'SuccessfulDelete' && this.#histories.has(uid)) this.#tried.add(uid);
	}

	#ended(pod: Pod, at: Instant, isSeen: boolean) {
		const node = this.#store.nodes.get(pod.nodeName);
		const history = this.#histories.get(pod.uid)?.history;
		const isTainted = node !== undefined && noExecuteTaints(node).length > 0;
		// The pod garbage collector removes the pods of a node that is gone.
		const isOther = pod.disruptedBy !== undefined;
		const isAnnounced = (pod.evictedAt !== undefined && isTainted) || pod.deviceEvictedAt !== undefined;
		const isCollected = !this.#areMarked || pod.isCollected || pod.evictedAt !== undefined;
		const isOwn = node ? isAnnounced : history !== undefined && isCollected;
		const isEviction = isOwn && !isOther;
		const actor = this.#actors.of(pod, node);
		const deletion: DeletionRecord = {pod, at, history, isEviction, actor};
		const said = this.#announced.get(podKey(pod));
		if (isEviction || isOther || (this.#areMarked ? actor || isPodTerminal(pod) : !node))
			this.#report(deletion);
		else if (said && isRecent(said.at, at)) this.#report(announced(deletion, said.reason));
		else this.#unannounced.set(podKey(pod), {...deletion, isSeen});
		this.#drop(pod.uid);
	}

	/** Passes on deletions that no event announced in time: they were neither the controllers' nor, if it is replaced, the owner's. */
	#passOn(now: Instant) {
		for (const [key, deletion] of this.#unannounced) {
			if (isRecent(deletion.at, now)) continue;
			this.#unannounced.delete(key);
			const {pod, isSeen} = deletion;
			const isReplaced = pod.owner !== undefined && this.#replacing.has(pod.owner.uid);
			const isRequest = this.#areMarked && isSeen;
			this.#report(isRequest ? {...deletion, actor: requesterOf(pod, isReplaced)} : deletion);
		}
		if (this.#unannounced.size === 0) this.#replacing.clear();
		for (const [key, {at}] of this.#announced) if (!isRecent(at, now)) this.#announced.delete(key);
	}

	#report(deletion: DeletionRecord) {
		this.#shown.deleted(deletion.pod, deletion.at, deletion.isEviction);
		this.#counter.take(deletion);
	}

	/** Ends the predictions for a pod after a change that no forecast could predict. */
	#end(uid: string, at: Instant) {
		this.#drop(uid);
		this.#shown.changed(uid, at);
	}

	#drop(uid: string) {
		this.#histories.delete(uid);
		this.#tried.delete(uid);
		this.#alarms.delete(uid);
	}
}

/** The history of a pod after a forecast; undefined if that predicts nothing. */
type Share = (pod: PodForecast, before: PredictionHistory | undefined) => PredictionHistory | undefined;

/** The pods of a node are alike and adjacent, so they share one history. */
function sharing(madeAt: Instant): Share {
	const made = latest(
		(verdict: Prediction['verdict'], range: Range): Prediction => ({madeAt, verdict, range}),
	);
	const joined = latest(withPrediction);
	return (pod, before) => {
		const fresh = predictionOf(pod, madeAt);
		return fresh && joined(before, made(fresh.verdict, fresh.range));
	};
}

/** The pod whose end a change shows first: its deletion, or the shutdown of its node, after which its object remains. */
function endedIn(change: StoreChange): Pod | undefined {
	if (change.type !== 'podApplied' && change.type !== 'podDeleted') return undefined;
	const {before} = change;
	if (before?.isShutDown) return undefined;
	const after = change.type === 'podApplied' && before?.uid === change.pod.uid ? change.pod : undefined;
	return after?.isShutDown && before?.deletionTimestamp === undefined ? after : deletedIn(change);
}

/** What arrives later than this is late: clocks of several API servers differ, and times are in whole seconds. */
const lateBy: Duration = 2 * second;

/** When a pod was deleted, which a watch may bring late, or a list after it: the pod tells it, in whole seconds. */
function deletionOf(pod: Pod, arrivedAt: Instant): Instant {
	const {deletionTimestamp, deletionGracePeriodSeconds} = pod;
	if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return arrivedAt;
	const begun = deletionTimestamp - deletionGracePeriodSeconds * second;
	return arrivedAt - begun > lateBy ? begun + second / 2 : arrivedAt;
}

const isRecent = (at: Instant, now: Instant) => now - at <= patience;

/** A deletion that an event announced: by a controller, or by the pod's owner. */
const announced = (deletion: DeletionRecord, reason: ClusterEvent['reason']): DeletionRecord =>
	reason === 'SuccessfulDelete'
		? {...deletion, actor: ownerOf(deletion.pod)}
		: {
				...deletion,
				isEviction: true,
				actor: {kind: reason === 'NodeControllerEviction' ? 'NodeEviction' : 'TaintEviction'},
			};

const isAnnouncement = ({reason}: ClusterEvent) =>
	reason === 'MarkingForDeletion' || reason === 'NodeControllerEviction' || reason === 'SuccessfulDelete';
