import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Actor} from '../../forecast/ledger/actor.ts';
import type {Range} from '../../forecast/range.ts';
import type {ItemJson, ListJson} from './common.ts';

/** An observed deletion of a pod, with its prediction; `uid` is absent if only an event shows the deletion. */
export type PodDeletionJson = ItemJson<
	'PodDeletion',
	Pick<Pod, 'namespace' | 'name'> & Partial<Pick<Pod, 'uid'>>
> &
	Readonly<{
		/** Empty if not known. */
		node: string;
		/** Whether the pod was evicted; pods are also deleted for other reasons. */
		isEviction: boolean;
		/** Who made it, by the pod's DisruptionTarget condition, events, and marks of its node; absent if nothing shows. */
		actor?: Actor;
		/** Null if nothing shows when in the last hour it was. */
		deletedAt: Instant | null;
		/** Whether it was before the start: only the event of its eviction shows it, and there was no prediction. */
		isBefore: boolean;
		/** When it was first predicted; null if it was not. */
		predictedAt: Instant | null;
		/** The first predicted range. */
		predicted: Range | null;
		/** Whether the deletion is inside all predicted ranges; null if none was in time. */
		isInside: boolean | null;
	}>;

/** Printed by `events`. */
export type PodDeletionListJson = ListJson<'PodDeletion', PodDeletionJson>;
