import {type Duration, never, second} from '../core/time/instant.ts';
import type {Eviction, NodeStory, Outage} from './outage.ts';

/** The problem of its node in which a pod was deleted: the last one that had begun. */
export const storyOf = ({node, deletedAt}: Eviction, stories: readonly NodeStory[]): NodeStory | undefined =>
	stories.findLast(
		({name, taintedAt, unreadyAt}) => name === node && (taintedAt ?? unreadyAt ?? never) <= deletedAt,
	);

/** Pods with the same toleration of their taint, where some of their nodes came back later. */
export type SavedByToleration = {
	/** For how long they tolerated it; null if they did not. */
	readonly seconds: number | null;
	readonly all: number;
	/** How many of them have a node that came back. */
	readonly kept: number;
	/** The toleration in seconds that would have outlasted all these outages. */
	readonly enough: number;
	/** The pod whose node came back last, and when. */
	readonly sample: Eviction;
};

/** The pods that a longer toleration would have kept, grouped by their toleration of the taint. */
export function savedByToleration({evictions, nodes}: Outage): readonly SavedByToleration[] {
	const timed = evictions.flatMap((eviction) => {
		const {taintedAt, backAt} = storyOf(eviction, nodes) ?? {};
		if (taintedAt === undefined || eviction.cause?.kind !== 'Taint') return [];
		return [{eviction, seconds: eviction.cause.tolerationSeconds ?? null, taintedAt, backAt}];
	});
	return [...Map.groupBy(timed, ({seconds}) => seconds)]
		.toSorted(([a], [b]) => (a ?? -1) - (b ?? -1))
		.flatMap(([seconds, pods]) => {
			const back = pods
				.flatMap(({eviction, taintedAt, backAt}) =>
					backAt === undefined ? [] : [{eviction, needed: backAt - taintedAt}],
				)
				.toSorted((a, b) => b.needed - a.needed);
			const [longest] = back;
			if (!longest) return [];
			const {eviction: sample, needed} = longest;
			return [{seconds, all: pods.length, kept: back.length, enough: roundedUp(needed), sample}];
		});
}

/** Rounds up to ten seconds, after adding five for the controller pass that removes the taint. */
const roundedUp = (needed: Duration): number => Math.ceil((needed / second + 5) / 10) * 10;
