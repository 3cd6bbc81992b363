import type {ObservationSink} from '../../core/model/observation.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {EntryEncoder} from './encodeEntry.ts';
import {type RecordingEntry, type RecordingHeader, recordingFormat, sizeOfEntry} from './entry.ts';
import type {TextSink} from './recordingFile.ts';

/** How much text is made and written at a time, in characters: a first look at a large cluster is hundreds of megabytes. */
const pieceSize = 512 * 1024;
/** What comes within this is written together. So much is lost at the most where the process is killed. */
const longestWait: Duration = second / 2;
/** After so long a silence a line is written all the same: that somebody listened says that there was nothing. */
const tickAfter: Duration = 10 * second;
/** So many observations may wait for a disk that is slow; a cluster of 5,000 nodes has as many in half an hour. */
const mostWaiting = 1_000_000;

/** How much has been written. */
export type RecordingCounts = {
	readonly lines: number;
	readonly nodes: number;
	readonly pods: number;
	readonly leases: number;
	readonly events: number;
};

/** Time as the writer needs it: the clock of what is recorded, and a wait that ends early with its signal. */
type WriterTiming = {
	readonly now: () => Instant;
	readonly sleep: (duration: Duration, signal: AbortSignal) => Promise<void>;
};

/**
 * Writes what is seen as it is seen. Whoever tells it something never waits: one loop behind it makes the lines and
 * writes them, so that a slow disk slows no watch down.
 */
export class RecordingWriter implements ObservationSink {
	readonly #sink: TextSink;
	readonly #timing: WriterTiming;
	readonly #encoder = new EntryEncoder();
	readonly #closing = new AbortController();
	readonly #work: Promise<void>;
	#queue: RecordingEntry[] = [];
	#waiting = 0;
	#lines = 0;
	#lastAt: Instant = beginningOfTime;
	#offset: Duration = 0;
	#wake: () => void = () => undefined;

	/** @param startedAt when the first began of what it is told */
	constructor(
		sink: TextSink,
		timing: WriterTiming,
		header: Omit<RecordingHeader, 'format'>,
		startedAt: Instant = timing.now(),
	) {
		this.#sink = sink;
		this.#timing = timing;
		this.push({type: 'header', at: startedAt, header: {format: recordingFormat, ...header}});
		this.#work = this.#run();
		this.#work.catch(() => undefined);
	}

	/** Takes in by how much the times are corrected; what is known already is not said again. */
	reportClock(offset: Duration): void {
		if (offset === this.#offset) return;
		this.#offset = offset;
		this.push({type: 'clock', at: this.#timing.now(), offset});
	}

	/** How many lines are written, and of how many objects that are still there. */
	get counts(): RecordingCounts {
		const of = this.#encoder;
		return {
			lines: this.#lines,
			...{
				nodes: of.count('Node'),
				pods: of.count('Pod'),
				leases: of.count('Lease'),
				events: of.count('Event'),
			},
		};
	}

	/** Fails once the file cannot be written any more; else resolves when it is closed. */
	get done(): Promise<void> {
		return this.#work;
	}

	/** Writes what waits, a last word, and closes the file. @throws UserError where it cannot be written */
	async close(): Promise<void> {
		if (!this.#closing.signal.aborted) this.push({type: 'end', at: this.#timing.now()});
		this.#closing.abort();
		this.#wake();
		await this.#work;
	}

	/** Takes in one entry. */
	push(entry: RecordingEntry): void {
		if (this.#closing.signal.aborted) return;
		this.#queue.push(entry);
		this.#waiting += sizeOfEntry(entry);
		this.#wake();
	}

	async #run(): Promise<void> {
		try {
			while (!this.#closing.signal.aborted || this.#queue.length > 0) {
				if (this.#queue.length === 0) await this.#rest();
				await this.#writeAll();
				await this.#timing.sleep(longestWait, this.#closing.signal);
			}
		} finally {
			// A writer that has failed takes in nothing more.
			this.#closing.abort();
			this.#queue = [];
			await this.#sink.close();
		}
	}

	/** Until there is something to write, or it is time to say that there is nothing. */
	async #rest(): Promise<void> {
		const end = new AbortController();
		this.#wake = () => end.abort();
		await this.#timing.sleep(tickAfter, AbortSignal.any([end.signal, this.#closing.signal]));
		this.#wake = () => undefined;
		if (this.#queue.length === 0 && !this.#closing.signal.aborted)
			this.push({type: 'tick', at: this.#timing.now()});
	}

	async #writeAll(): Promise<void> {
		let text = '';
		for (let entry = this.#queue.shift(); entry; entry = this.#queue.shift()) {
			if (this.#waiting > mostWaiting) throw tooSlow();
			for (const line of this.#encoder.lines(this.#inOrder(entry))) {
				text += line;
				this.#lines += 1;
				if (text.length < pieceSize) continue;
				await this.#sink.write(text);
				text = '';
			}
			this.#waiting -= sizeOfEntry(entry);
		}
		if (text !== '') await this.#sink.write(text);
	}

	/** A clock that is set right may go back a little; a recording never does. */
	#inOrder(entry: RecordingEntry): RecordingEntry {
		this.#lastAt = Math.max(this.#lastAt, entry.at);
		return entry.at === this.#lastAt ? entry : {...entry, at: this.#lastAt};
	}
}

const tooSlow = (): UserError =>
	new UserError(
		'the recording cannot be written as fast as the cluster changes',
		'write it to a faster disk; what was recorded until now is in the file, and can be replayed',
	);
