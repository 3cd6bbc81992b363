import {endsIn, type PodInShutdown, type ShutdownGroup} from '../core/nodeshutdown/nodeShutdown.ts';
import {type Instant, second} from '../core/time/instant.ts';
import {Range} from './range.ts';

/**
 * When a pod ends in the shutdown of its node; undefined if it should have ended by now.
 *
 * @param groups from the kubelet's configuration
 */
export function shutdownRange(
	pod: PodInShutdown,
	announced: {readonly lo: Instant; readonly hi: Instant},
	groups: readonly ShutdownGroup[],
	now: Instant,
): Range | undefined {
	const ends = endsIn(groups, pod, announced);
	return ends.hi < now ? undefined : Range.over({lo: Math.max(now, ends.lo), hi: ends.hi});
}

/** One sentence about a shutdown that a node announces. */
export const shutdownWords = (node: string, groups?: readonly ShutdownGroup[]): string =>
	`node ${node} says that it is shutting down: its kubelet ends its pods, those of low priority first; ${
		groups ? periodWords(groups) : 'how long it waits for them cannot be seen (configz of its kubelet tells)'
	}`;

const periodWords = (groups: readonly ShutdownGroup[]): string =>
	`it waits ${groups.map(({priority, period}) => `${period / second}s for those from priority ${priority} on`).join(', then ')} (configz of its kubelet)`;
