import type {Timing} from '../../async/timing.ts';
import type {ObservationSink} from '../../core/model/observation.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {EntryEncoder} from './encodeEntry.ts';
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

/** Number of lines and of existing objects. */
export type RecordingCounts = RecordingWriter['counts'];

/** The clock of the recorded cluster, and a wait that ends early with its signal. */
type WriterTiming = Pick<Timing, 'now' | 'sleep'>;

/** Records entries as they come. `push` never waits, so that a slow disk does not slow the watches. */
export class RecordingWriter implements ObservationSink {
	readonly #sink: TextSink;
	readonly #timing: WriterTiming;
	readonly #encoder: EntryEncoder;
	readonly #closing = new AbortController();
	readonly #work: Promise<void>;
	#queue: RecordingEntry[] = [];
	#waiting = 0;
	#lines = 0;
	#lastAt: Instant = beginningOfTime;
	#offset: Duration = 0;
	#wake: () => void = () => undefined;

	/** @param startedAt the start of the first entry @param shown changes each line before it is written */
	constructor(
		sink: TextSink,
		timing: WriterTiming,
		header: Omit<RecordingHeader, 'format'>,
		startedAt: Instant = timing.now(),
		shown?: (line: object) => object,
	) {
		this.#encoder = new EntryEncoder(shown);
		this.#sink = sink;
		this.#timing = timing;
		this.push({type: 'header', at: startedAt, header: {format: recordingFormat, ...header}});
		this.#work = this.#run();
		this.#work.catch(() => undefined);
	}

	reportClock(offset: Duration) {
		if (offset === this.#offset) return;
		this.#offset = offset;
		this.push({type: 'clock', at: this.#timing.now(), offset});
	}

	get counts() {
		const of = this.#encoder;
		return {
			lines: this.#lines,
			nodes: of.count('Node'),
			pods: of.count('Pod'),
			leases: of.count('Lease'),
			events: of.count('Event'),
		};
	}

	/** Rejects if the file cannot be written any more; resolves when it is closed. */
	get done() {
		return this.#work;
	}

	/** Writes the remaining entries and the end, and closes the file. @throws UserError if it cannot be written */
	async close() {
		if (!this.#closing.signal.aborted) this.push({type: 'end', at: this.#timing.now()});
		this.#closing.abort();
		this.#wake();
		await this.#work;
	}

	push(entry: RecordingEntry) {
		if (this.#closing.signal.aborted) return;
		this.#queue.push(entry);
		this.#waiting += sizeOfEntry(entry);
		this.#wake();
	}

	async #run() {
		try {
			while (!this.#closing.signal.aborted || this.#queue.length > 0) {
				if (this.#queue.length === 0) await this.#rest();
				await this.#writeAll();
				await this.#timing.sleep(longestWait, this.#closing.signal);
			}
		} finally {
			// After a failure, entries are dropped.
			this.#closing.abort();
			this.#queue = [];
			await this.#sink.close();
		}
	}

	/** Waits for an entry, or until a tick is due. */
	async #rest() {
		const end = new AbortController();
		this.#wake = () => end.abort();
		await this.#timing.sleep(tickAfter, AbortSignal.any([end.signal, this.#closing.signal]));
		this.#wake = () => undefined;
		if (this.#queue.length === 0 && !this.#closing.signal.aborted)
			this.push({type: 'tick', at: this.#timing.now()});
	}

	async #writeAll() {
		let text = '';
		for (let entry = this.#queue.shift(); entry; entry = this.#queue.shift()) {
			if (this.#waiting > maxWaiting) throw tooSlow();
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

	/** A corrected clock may go back a little; recorded times never do. */
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
