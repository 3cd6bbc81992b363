import {type Duration, type Instant, never, second} from '../core/time/instant.ts';
import type {Eviction, NodeStory, Outage} from './outage.ts';

/** The trouble of its node that a pod was deleted in: the last that had begun. */
export const storyOf = ({node, deletedAt}: Eviction, stories: readonly NodeStory[]): NodeStory | undefined =>
	stories.findLast(
		({name, taintedAt, unreadyAt}) => name === node && (taintedAt ?? unreadyAt ?? never) <= deletedAt,
	);

/** Pods that tolerated their taint equally long, some of whose nodes came back after they had gone. */
export type BackInTime = {
	/** How long they tolerated it; null where they did not. */
	readonly seconds: number | null;
	readonly all: number;
	/** How many of their nodes came back. */
	readonly kept: number;
	/** With so many seconds of toleration they would have seen them come back. */
	readonly enough: number;
	/** The one that would have had to wait longest, and when its node was back. */
	readonly sample: Eviction;
	readonly backAt: Instant;
};

/** The pods that a longer toleration would have kept, by how long they tolerated the taint. */
export function backInTime({evictions, nodes}: Outage): readonly BackInTime[] {
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
					backAt === undefined ? [] : [{eviction, backAt, needed: backAt - taintedAt}],
				)
				.toSorted((a, b) => b.needed - a.needed);
			const [longest] = back;
			if (!longest) return [];
			const {eviction: sample, backAt, needed} = longest;
			return [{seconds, all: pods.length, kept: back.length, enough: roundedUp(needed), sample, backAt}];
		});
}

/** To the next ten seconds, and five more for the pass of the controller that takes the taint off. */
const roundedUp = (needed: Duration): number => Math.ceil((needed / second + 5) / 10) * 10;
