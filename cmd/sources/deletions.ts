import {podKey} from '../../src/core/model/pod.ts';
import type {PressureNews} from '../../src/core/nodepressure/pressureLook.ts';
import {type Instant, never, oldestFirst} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {kubeletEvictions, sameEviction} from '../../src/forecast/ledger/kubeletEvictions.ts';
import {
	type ObservedDeletion,
	pastEvictions,
	reportedEvictions,
} from '../../src/forecast/ledger/observedDeletion.ts';
import {PredictionLedger} from '../../src/forecast/ledger/predictionLedger.ts';
import type {ClusterStore, StoreUpdate} from '../../src/store/clusterStore.ts';

/** A limit, so that an outage of hours does not fill the memory. */
const maxKept = 5000;

/** Those that are not known yet: the pods of a node that gets into trouble are listed then, and tell once more of what was told. */
function unknownOf(told: readonly ObservedDeletion[], known: readonly ObservedDeletion[]) {
	const ofPods = Map.groupBy(known, podKey);
	return told.filter(
		(one) =>
			!ofPods.get(podKey(one))?.some(({uid, at}) => uid === one.uid || Math.abs(at - one.at) < sameEviction),
	);
}

/**
 * The deletions that a dashboard or a watch shows, each judged by its prediction, and their score.
 *
 * @param store holds each update before it comes here
 * @param namespace of the pods that are judged; undefined for all
 */
export function deletionLedger(store: ClusterStore, namespace?: string) {
	/** Oldest first; the same array until there is a new one. */
	let happenings: readonly ObservedDeletion[] = [];
	let hasBegun = false;
	/** When kubelets evicted pods, by UID; by the event's key if there is no UID. */
	const ended = new Map<string, Instant>();
	const kubelets = kubeletEvictions();
	/** The time of the first prediction. */
	let beganAt: Instant = never;

	const judged = (deletion: ObservedDeletion, isEnd: boolean): ObservedDeletion => {
		const {namespace: where, name, node, at} = deletion;
		if (at < beganAt) return {...deletion, isBefore: true};
		const {prediction, isInside} = kubelets.judge(`${where}/${name}`, node, at, isEnd);
		return {...deletion, firstPrediction: prediction, isInside};
	};

	/** A pod deleted before the event of its kubelet's eviction comes (as StatefulSets do); undefined if that was counted. */
	const ofKubelet = (deletion: ObservedDeletion): ObservedDeletion | undefined => {
		const {uid, at} = deletion;
		const event = `event ${podKey(deletion)}`;
		if (ended.has(uid) || at - (ended.get(event) ?? 0) < sameEviction) return undefined;
		for (const key of [uid, event]) ended.set(key, at);
		return judged(deletion, true);
	};

	const keeper = new PredictionLedger(
		store,
		({pod, at, isEviction, prediction: firstPrediction, isInside, actor}) => {
			const {uid, name, nodeName: node} = pod;
			const deletion = {
				at,
				namespace: pod.namespace,
				name,
				uid,
				node,
				isEviction,
				firstPrediction,
				isInside,
				actor,
			};
			const added = actor?.kind === 'Kubelet' ? ofKubelet(deletion) : deletion;
			if (added) happenings = [...happenings, added].slice(-maxKept);
		},
		namespace,
	);

	const insert = (found: readonly ObservedDeletion[]) => {
		if (found.length > 0) happenings = [...found, ...happenings].toSorted(oldestFirst).slice(-maxKept);
	};

	return {
		happenings: () => happenings,
		score: () => keeper.score,
		add(forecast: Forecast) {
			keeper.add(forecast);
			kubelets.addPredictions(forecast);
			beganAt = Math.min(beganAt, forecast.observedAt);
		},
		end: () => keeper.end(),
		take(update: StoreUpdate) {
			keeper.take(update);
			const {changes, provenance, arrivedAt} = update;
			// A live watch passes all first lists in one update, which is confirmed.
			const isFirstLook = !hasBegun || provenance?.type === 'firstLook';
			hasBegun ||= changes.length > 0;
			if (!isFirstLook) return;
			const events = changes.flatMap((change) => (change.type === 'eventApplied' ? change.event : []));
			const pods = changes.flatMap((change) => (change.type === 'podApplied' ? change.pod : []));
			const past = pastEvictions(events, [...store.pods.values()], arrivedAt, pods);
			for (const {uid, at, actor} of past) if (actor?.kind === 'Kubelet') ended.set(uid, at);
			if (past.length > 0) insert(unknownOf(past, happenings));
		},
		/** Takes in kubelet reports. A pod that its kubelet evicts ends, but is not deleted. */
		takePressure(news: PressureNews) {
			if (news.type !== 'reported') return;
			const fresh = reportedEvictions(news.reports).filter(({uid}) => !ended.has(uid));
			for (const {uid, at} of fresh) ended.set(uid, at);
			insert(fresh.map((one) => judged(one, false)));
		},
	};
}
