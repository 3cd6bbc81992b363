import type {Instant} from '../../core/time/instant.ts';
import type {RecordingEntry} from './entry.ts';
import {type Mark, MarkFinder} from './marks.ts';
import type {Recording} from './recording.ts';

/** Up to so many observations a recording is kept in memory, some 100 MB: going back in it is quicker then. */
const mostKept = 200_000;

/** A recording that was read once: what happens in it is known, and it can be played. */
export type RecordedTape = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	/** What happens in it, the oldest first. */
	readonly marks: readonly Mark[];
	readonly entries: () => AsyncIterable<RecordingEntry>;
};

/** Reads a recording through once. @throws UserError where it cannot be read */
export async function loadTape(recording: Recording): Promise<RecordedTape> {
	const finder = new MarkFinder();
	const marks: Mark[] = [];
	let kept: RecordingEntry[] | undefined = [];
	let [count, endedAt] = [0, recording.startedAt];
	for await (const entry of recording.entries()) {
		endedAt = Math.max(endedAt, entry.at);
		const mark = finder.markOf(entry);
		if (mark) marks.push(mark);
		count += entry.type === 'batch' ? entry.observations.length : 0;
		if (count > mostKept) kept = undefined;
		kept?.push(entry);
	}
	const {startedAt} = recording;
	return {startedAt, endedAt, marks, entries: kept ? () => fromMemory(kept) : () => recording.entries()};
}

async function* fromMemory(entries: readonly RecordingEntry[]): AsyncGenerator<RecordingEntry> {
	yield* entries;
}
