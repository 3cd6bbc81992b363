import {maxOf, minOf} from '../core/collections/extremes.ts';
import type {Instant} from '../core/time/instant.ts';
import type {PodForecast} from './podForecast.ts';
import {Range} from './range.ts';

/** When those that replace pods are ready: the first, and all of them; null without somebody's doing, or if nothing tells. */
export type ReadyAgain = {
	readonly first: Range | null;
	readonly all: Range | null;
	/** Whether it is known what the owners of the pods do. */
	readonly isKnown: boolean;
};

/**
 * When the pod that replaces one is ready: not before the old one's deletion is requested, as far as nothing shows how long a
 * volume, an image and probes take. Null if nothing makes one, no node takes it, or it waits for a node to be back.
 */
export function readyAgain({after, eviction, verdict, owner}: PodForecast, now: Instant): Range | null {
	const waitsForNode = after?.volumes !== undefined || (owner?.kind === 'DaemonSet' && after?.ghost);
	if (after?.outcome !== 'Replaced' || after.placement === 'None' || waitsForNode) return null;
	const from = verdict === 'Terminating' ? now : eviction?.earliest;
	return from === undefined ? null : orLater(Math.max(from, now));
}

const orLater = (from: Instant) => new Range(from, from, null);

/** The same of the pods of a workload; undefined if none of them is needed again. */
export function allReadyAgain(pods: readonly PodForecast[], now: Instant): ReadyAgain | undefined {
	const needed = pods.filter(({after}) => after && after.outcome !== 'NotNeeded');
	const known = needed.flatMap((pod) => readyAgain(pod, now)?.earliest ?? []);
	if (needed.length === 0) return undefined;
	return {
		isKnown: needed.every(({after}) => after?.outcome !== 'Unknown'),
		first: known.length === 0 ? null : orLater(minOf(known)),
		all: known.length < needed.length ? null : orLater(maxOf(known)),
	};
}
