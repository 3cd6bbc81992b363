import {mapBy} from '../../core/collections/mapBy.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import {announcedAt, isPodTerminal, namesInKey, type Pod, podKey} from '../../core/model/pod.ts';
import type {KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {type Duration, type Instant, minute, oldestFirst} from '../../core/time/instant.ts';
import {type Actor, Actors} from './actor.ts';
import type {Prediction} from './prediction.ts';

/** A deletion that was seen, compared with its prediction. */
export type ObservedDeletion = Pick<Pod, 'namespace' | 'name' | 'uid'> &
	Readonly<{
		at: Instant;
		/** Whether nothing shows when in the last hour it was; `at` is when it was seen then. */
		isUndated?: boolean;
		/** Empty if unknown. */
		node: string;
		/** The first prediction, and when it was made; undefined if there was none. */
		firstPrediction: Pick<Prediction, 'madeAt' | 'range'> | undefined;
		/** Whether it is of a predicted kind; other deletions happen too. */
		isEviction: boolean;
		/** Who made it; absent if nothing shows. */
		actor?: Actor | undefined;
		/** Whether it was before the start, and known from its event. */
		isBefore?: boolean;
		/** Whether it lies within the prediction; undefined if there was none in time. */
		isInside: boolean | undefined;
	}>;

const unpredicted = {firstPrediction: undefined, isInside: undefined};

/** All evictions from before the start, known from their events and pods, the oldest first. */
export const evictionsBefore = (
	{events = [], pods, observedAt}: Pick<ClusterSnapshot, 'events' | 'pods' | 'observedAt'>,
	reports: readonly KubeletReport[],
): readonly ObservedDeletion[] => {
	const reported = reportedEvictions(reports).map((one) => ({...one, isBefore: true}));
	const uids = new Set(reported.map(({uid}) => uid));
	const past = pastEvictions(events, pods, observedAt).filter(({uid}) => !uids.has(uid));
	return [...past, ...reported].toSorted(oldestFirst);
};

/** What pods announce alone. */
const actors = new Actors([]);

/** Pods tell of evictions as long as the API server keeps events by default. */
const remembered: Duration = 60 * minute;

/**
 * The evictions from before the start, the oldest first: an event may be gone, or not in a file.
 *
 * @param pods all that are there
 * @param telling those of them that are new, and tell of their own evictions
 */
export const pastEvictions = (
	events: readonly ClusterEvent[],
	pods: readonly Pod[],
	now: Instant,
	telling = pods,
): readonly ObservedDeletion[] => {
	const present = mapBy(pods, podKey);
	// The event comes before the attempt: a pod that is still there, and not deleted, was only tried.
	const podOf = ({about, first}: ClusterEvent) => {
		const pod = present.get(about);
		return pod && pod.createdAt <= first.at ? pod : undefined;
	};
	const isTry = (event: ClusterEvent) => {
		const pod = podOf(event);
		return pod !== undefined && pod.deletionTimestamp === undefined;
	};
	const known = {...unpredicted, isBefore: true};
	const byTaint = {...known, isEviction: true, actor: {kind: 'TaintEviction'}} as const;
	const marks = events.filter((event) => event.reason === 'MarkingForDeletion' && !isTry(event));
	const byEvent = marks.map((event): ObservedDeletion => {
		const {namespace, first} = event;
		const {name} = namesInKey(event.about);
		const node = podOf(event)?.nodeName ?? '';
		return {at: first.at, namespace, name, uid: `event ${namespace}/${event.name}`, node, ...byTaint};
	});
	const marksOf = Map.groupBy(marks, ({about}) => about);
	const byPod = telling.flatMap((pod): ObservedDeletion | [] => {
		const {
			disruptedBy,
			disruptedAt,
			isShutDown,
			deletionTimestamp,
			createdAt,
			readyChangedAt = createdAt,
			namespace,
			name,
			uid,
			nodeName: node,
		} = pod;
		const at = announcedAt(pod) ?? disruptedAt;
		const by = disruptedBy ?? isShutDown;
		const hasGone = deletionTimestamp !== undefined || (by && isPodTerminal(pod));
		const isDated = at !== undefined;
		if (!hasGone || !(isDated || by) || now - (at ?? readyChangedAt) > remembered) return [];
		const isTold = marksOf.get(podKey(pod))?.some(({first}) => first.at >= createdAt);
		if (isTold) return [];
		const actor = actors.of(pod, undefined);
		const isEviction = announcedAt(pod) !== undefined;
		const of = {namespace, name, uid, node, ...known, isEviction, ...(actor && {actor})};
		return isDated ? {at, ...of} : {at: now, isUndated: true, ...of};
	});
	return [...byEvent, ...byPod].toSorted(oldestFirst);
};

/** The evictions by kubelets, from their events, each pod once, the oldest first. The pods' objects may remain. */
export const reportedEvictions = (reports: readonly KubeletReport[]): readonly ObservedDeletion[] => {
	const found = new Map<string, ObservedDeletion>();
	for (const {reason, pod, uid, node, at} of reports.toSorted(oldestFirst)) {
		if (reason !== 'Evicted' || pod === undefined) continue;
		const key = uid ?? `event ${pod}`;
		if (found.has(key)) continue;
		const actor = {kind: 'Kubelet'} as const;
		found.set(key, {at, ...namesInKey(pod), uid: key, node, actor, isEviction: false, ...unpredicted});
	}
	return [...found.values()];
};
