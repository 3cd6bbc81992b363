import type {Instant} from '../../core/time/instant.ts';
import type {RecordingEntry} from './entry.ts';
import {type Mark, markFinder} from './marks.ts';
import type {Recording} from './recording.ts';

/** Recordings of up to this many observations, some 100 MB, are kept in memory, to seek back faster. */
const maxInMemory = 200_000;

/** A recording that was read once: its events are known, and it can be played. */
export type RecordedTape = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	/** Its events, the oldest first. */
	readonly marks: readonly Mark[];
	readonly entries: () => AsyncIterable<RecordingEntry>;
};

/** Reads a whole recording. @throws UserError if it cannot be read */
export async function loadTape(recording: Recording): Promise<RecordedTape> {
	const markOf = markFinder();
	const marks: Mark[] = [];
	let kept: RecordingEntry[] | undefined = [];
	let [count, endedAt] = [0, recording.startedAt];
	for await (const entry of recording.entries()) {
		endedAt = Math.max(endedAt, entry.at);
		const mark = markOf(entry);
		if (mark) marks.push(mark);
		count += entry.type === 'batch' ? entry.observations.length : 0;
		if (count > maxInMemory) kept = undefined;
		kept?.push(entry);
	}
	const {startedAt} = recording;
	return {startedAt, endedAt, marks, entries: kept ? () => fromMemory(kept) : () => recording.entries()};
}

async function* fromMemory(entries: readonly RecordingEntry[]): AsyncGenerator<RecordingEntry> {
	yield* entries;
}
