import type {Timing} from '../../async/timing.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {entryEncoder} from './encodeEntry.ts';
import {type RecordingEntry, type RecordingHeader, recordingFormat, sizeOfEntry} from './entry.ts';
import type {TextSink} from './recordingFile.ts';

/** Characters per write: a first look at a large cluster is hundreds of megabytes. */
const pieceSize = 512 * 1024;
/** Entries within this time are written together; a killed process loses at most these. */
const longestWait: Duration = second / 2;
/** After this silence a tick is written: it shows that the recorder was running. */
const tickAfter: Duration = 10 * second;
/** Maximum number of observations that wait for a slow disk; a cluster of 5,000 nodes has as many in half an hour. */
const maxWaiting = 1_000_000;

/** The clock of the recorded cluster, and a wait that ends early with its signal. */
type WriterTiming = Pick<Timing, 'now' | 'sleep'>;

export type RecordingWriter = ReturnType<typeof recordingWriter>;

/**
 * Records entries as they come. `push` never waits, so that a slow disk does not slow the watches.
 *
 * @param startedAt the start of the first entry
 * @param shown changes each line before it is written
 */
export function recordingWriter(
	sink: TextSink,
	timing: WriterTiming,
	header: Omit<RecordingHeader, 'format'>,
	startedAt = timing.now(),
	shown?: (line: object) => object,
) {
	const queue = entryQueue(shown);
	const closing = new AbortController();
	let clockOffset: Duration = 0;
	let wake = () => {};

	const push = (entry: RecordingEntry) => {
		if (closing.signal.aborted) return;
		queue.push(entry);
		wake();
	};

	/** Waits for an entry, or until a tick is due. */
	const rest = async () => {
		const end = new AbortController();
		wake = () => end.abort();
		await timing.sleep(tickAfter, AbortSignal.any([end.signal, closing.signal]));
		if (queue.isEmpty()) push({type: 'tick', at: timing.now()});
	};

	const run = async () => {
		try {
			while (!closing.signal.aborted || !queue.isEmpty()) {
				if (queue.isEmpty()) await rest();
				for (const text of queue.texts()) await sink.write(text);
				await timing.sleep(longestWait, closing.signal);
			}
		} finally {
			// After a failure, entries are dropped.
			closing.abort();
			await sink.close();
		}
	};

	push({type: 'header', at: startedAt, header: {format: recordingFormat, ...header}});
	/** Rejects if the file cannot be written any more; resolves when it is closed. */
	const done = run();
	done.catch(() => undefined);
	return {
		push,
		done,
		counts: queue.counts,
		reportClock(offset: Duration) {
			if (offset !== clockOffset) push({type: 'clock', at: timing.now(), offset});
			clockOffset = offset;
		},
		/** Writes the remaining entries and the end, and closes the file. @throws UserError if it cannot be written */
		close() {
			push({type: 'end', at: timing.now()});
			closing.abort();
			wake();
			return done;
		},
	};
}

/** The entries that are to be written, as text. */
function entryQueue(shown?: (line: object) => object) {
	const encoder = entryEncoder(shown);
	const entries: RecordingEntry[] = [];
	let waiting = 0;
	let lines = 0;
	let lastAt: Instant = beginningOfTime;
	return {
		isEmpty: () => entries.length === 0,
		push(entry: RecordingEntry) {
			entries.push(entry);
			waiting += sizeOfEntry(entry);
		},
		/** Number of lines, and of existing objects. */
		counts: () => ({
			lines,
			nodes: encoder.count('Node'),
			pods: encoder.count('Pod'),
			leases: encoder.count('Lease'),
			events: encoder.count('Event'),
		}),
		/** All that waits, in pieces. @throws UserError if that is too much */
		*texts(): Generator<string> {
			let text = '';
			for (let entry = entries.shift(); entry; entry = entries.shift()) {
				if (waiting > maxWaiting) throw tooSlow();
				// A corrected clock may go back a little; recorded times never do.
				lastAt = Math.max(lastAt, entry.at);
				for (const line of encoder.lines({...entry, at: lastAt})) {
					text += line;
					lines += 1;
					if (text.length < pieceSize) continue;
					yield text;
					text = '';
				}
				waiting -= sizeOfEntry(entry);
			}
			if (text !== '') yield text;
		},
	};
}

const tooSlow = (): UserError =>
	new UserError(
		'the recording cannot be written as fast as the cluster changes',
		'write it to a faster disk; what was recorded until now is in the file, and can be replayed',
	);
