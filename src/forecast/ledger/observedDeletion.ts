import {mapBy} from '../../core/collections/mapBy.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import {type Disrupter, namesInKey, type Pod, podKey} from '../../core/model/pod.ts';
import type {KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {type Instant, oldestFirst} from '../../core/time/instant.ts';
import type {Prediction} from './prediction.ts';

/** A deletion that was seen, compared with its prediction. */
export type ObservedDeletion = Pick<Pod, 'namespace' | 'name' | 'uid'> & {
	readonly at: Instant;
	/** Empty if unknown. */
	readonly node: string;
	/** The first prediction, and when it was made; undefined if there was none. */
	readonly firstPrediction: Pick<Prediction, 'madeAt' | 'range'> | undefined;
	/** Whether it is of a predicted kind; other deletions happen too. */
	readonly isEviction: boolean;
	/** What else announced it; absent if nothing did. */
	readonly by?: Disrupter | undefined;
	/** Whether it was before the start, and known from its event. */
	readonly isBefore?: boolean;
	/** Whether it lies within the prediction; undefined if there was none in time. */
	readonly isInside: boolean | undefined;
};

const unpredicted = {firstPrediction: undefined, isInside: undefined};

/** All evictions from before the start, known from their events, the oldest first. */
export const evictionsBefore = (
	{events = [], pods}: Pick<ClusterSnapshot, 'events' | 'pods'>,
	reports: readonly KubeletReport[],
): readonly ObservedDeletion[] =>
	[
		...pastEvictions(events, pods),
		...reportedEvictions(reports).map((one) => ({...one, isBefore: true})),
	].toSorted(oldestFirst);

/** The evictions by controllers from before the start, the oldest first. */
export const pastEvictions = (
	events: readonly ClusterEvent[],
	pods: readonly Pod[] = [],
): readonly ObservedDeletion[] => {
	const present = mapBy(pods, podKey);
	// The event comes before the attempt: a pod that is still there, and not deleted, was only tried.
	const isTry = ({about, first}: ClusterEvent) => {
		const pod = present.get(about);
		return pod !== undefined && pod.deletionTimestamp === undefined && pod.createdAt <= first.at;
	};
	return events
		.filter((event) => event.reason === 'MarkingForDeletion' && !isTry(event))
		.map(({namespace, name: event, about, first}): ObservedDeletion => {
			const {name} = namesInKey(about);
			return {
				...{at: first.at, namespace, name, uid: `event ${namespace}/${event}`},
				node: present.get(about)?.nodeName ?? '',
				...{isEviction: true, ...unpredicted, isBefore: true},
			};
		})
		.toSorted(oldestFirst);
};

/** The evictions by kubelets, from their events, each pod once, the oldest first. The pods' objects may remain. */
export const reportedEvictions = (reports: readonly KubeletReport[]): readonly ObservedDeletion[] => {
	const found = new Map<string, ObservedDeletion>();
	for (const {reason, pod, uid, node, at} of reports.toSorted(oldestFirst)) {
		if (reason !== 'Evicted' || pod === undefined) continue;
		const key = uid ?? `event ${pod}`;
		if (found.has(key)) continue;
		const by = 'TerminationByKubelet';
		found.set(key, {at, ...namesInKey(pod), uid: key, node, by, isEviction: false, ...unpredicted});
	}
	return [...found.values()];
};
