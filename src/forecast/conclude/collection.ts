import {quarantineTime} from '../../core/podgc/nodeQuarantine.ts';
import {gcCheckPeriod} from '../../core/podgc/podGcController.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {Change} from '../simulate/change.ts';

/** When the pod garbage collector deletes the pods of a node that goes. */
export type Collection = {
	readonly range: Interval;
	/** Whether it surely does. */
	readonly isSure: boolean;
};

/** From one look to the next, and what a look and its calls may take. */
const slack: Duration = second;

/**
 * The first look that misses the node begins its quarantine, the look after its end deletes; controllers that end
 * meanwhile forget it.
 *
 * @param isControlled whether controllers run at the beginning
 * @param line how long the collector is busy with all that it has to delete
 */
export function collectionOf(
	goneAt: Instant,
	changes: readonly Change[],
	isControlled: boolean,
	line: Duration,
): Collection | undefined {
	let begin: Instant | undefined = isControlled ? goneAt : undefined;
	let mayBeBefore: Interval | undefined;
	const rangeFrom = (at: Instant) => ({
		lo: at + quarantineTime,
		hi: at + quarantineTime + 2 * gcCheckPeriod + slack + line,
	});
	for (const {at, type} of changes) {
		if (type !== 'controllersDown' && type !== 'controllersStart') continue;
		if (begin !== undefined && at > goneAt) {
			const range = rangeFrom(begin);
			if (at > range.hi) break;
			if (at > range.lo) mayBeBefore ??= range;
		}
		begin = type === 'controllersStart' ? Math.max(at, goneAt) : at <= goneAt || begin ? undefined : begin;
	}
	if (begin === undefined) return mayBeBefore && {range: mayBeBefore, isSure: false};
	const last = rangeFrom(begin);
	return {range: {lo: mayBeBefore?.lo ?? last.lo, hi: last.hi}, isSure: true};
}
