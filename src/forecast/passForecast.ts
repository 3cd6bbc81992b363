import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';
/** A monitor pass that throttling makes last: how far it is, and when it will have come how far. */
export type PassForecast = {
	readonly startedAt: Instant;
	/** How many nodes it has turned Unknown. */
	readonly marked: number;
	/** How many silent nodes it has still to come to. Which one is next is chance. */
	readonly left: number;
	/** When it turns the first of those Unknown, the second, and so on. */
	readonly unknown: readonly Range[];
	/** When it, or the next one, which takes the nodes that this one passed by, has come to the last of them. */
	readonly endsAt: Range | null;
};
