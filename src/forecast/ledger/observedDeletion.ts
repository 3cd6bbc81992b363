import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Range} from '../range.ts';

/** A deletion that was seen, held against what had been predicted of it. */
export type ObservedDeletion = {
	readonly at: Instant;
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	/** Empty where it is not known. */
	readonly node: string;
	/** What was first predicted, and when; undefined where nothing was. */
	readonly said: {readonly madeAt: Instant; readonly range: Range} | undefined;
	/** Whether it is of the kind that is predicted; others delete pods, too. */
	readonly isEviction: boolean;
	/** Whether it was before the start: its event told of it. */
	readonly isBefore?: boolean;
	/** Whether it lies in what was predicted; undefined where nothing was in time. */
	readonly isInside: boolean | undefined;
};

/** The evictions of before the start, as their events tell of them, the oldest first. */
export const pastEvictions = (
	events: readonly ClusterEvent[],
	pods: readonly Pod[] = [],
): readonly ObservedDeletion[] => {
	const nodes = new Map(pods.map(({namespace, name, nodeName}) => [`${namespace}/${name}`, nodeName]));
	return events
		.filter(({reason}) => reason === 'MarkingForDeletion')
		.map(({namespace, name: event, about, first}): ObservedDeletion => {
			const name = about.slice(about.indexOf('/') + 1);
			return {
				...{at: first.at, namespace, name, uid: `event ${namespace}/${event}`},
				node: nodes.get(`${namespace}/${name}`) ?? '',
				...{isEviction: true, said: undefined, isInside: undefined, isBefore: true},
			};
		})
		.toSorted((a, b) => a.at - b.at);
};
