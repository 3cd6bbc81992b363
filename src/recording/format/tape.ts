import type {RecordingEntry} from './entry.ts';
import {type Mark, markFinder} from './marks.ts';
import type {Recording} from './recording.ts';

/** Recordings of up to this many observations, some 100 MB, are kept in memory, to seek back faster. */
const maxInMemory = 200_000;

export type RecordedTape = Awaited<ReturnType<typeof loadTape>>;

/** Reads a whole recording once, so that its events are known, the oldest first. @throws UserError if it cannot be read */
export async function loadTape(recording: Recording) {
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
