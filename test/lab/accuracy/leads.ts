import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Recording} from './recording.ts';
import type {Truth} from './truth.ts';

/** How many seconds before its deletion a pod's forecast is reported; `taint` is right after its node's taint arrived. */
export const leads = [60, 30, 10, 'taint'] as const;
export type Lead = (typeof leads)[number];

const nearEnough = 1.6 * second;

/** Finds the looks nearest to each deletion's leads; returns a function from a look to its leads. */
export function leadsIn(
	{snapshots, changes}: Recording,
	truth: Truth,
): (pod: string, at: Instant) => readonly Lead[] {
	const times = snapshots.map(({observedAt}) => observedAt);
	const chosen = new Map<string, ReadonlyMap<Lead, Instant | undefined>>();
	for (const [pod, deletedAt] of truth) {
		const node = `node/${/\/(\w+-\d+)-/.exec(pod)?.[1]}`;
		const taint = changes.findLast(
			({object, what, at}) => object === node && /^\+.*:NoExecute$/.test(what) && at <= deletedAt,
		)?.at;
		const nearest = (wanted: Instant) =>
			times
				.filter((time) => Math.abs(time - wanted) <= nearEnough)
				.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
		const find = (lead: Lead) => {
			if (lead !== 'taint') return nearest(deletedAt - lead * second);
			return taint === undefined
				? undefined
				: times.find((time) => time > taint && time - taint < nearEnough);
		};
		chosen.set(pod, new Map(leads.map((lead) => [lead, find(lead)])));
	}
	return (pod, at) => leads.filter((lead) => chosen.get(pod)?.get(lead) === at);
}
