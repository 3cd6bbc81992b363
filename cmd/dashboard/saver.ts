import {systemTiming} from '../../src/async/timing.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {clockTime, formatTimestampSeconds} from '../../src/dates/utc.ts';
import {Backlog} from '../../src/recording/format/backlog.ts';
import type {RecordingEntry, RecordingHeader} from '../../src/recording/format/entry.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {sizeOf} from '../recording/recordProgress.ts';

/** A recording that is being written. */
type Saving = {readonly name: string; readonly writer: RecordingWriter; readonly bytes: () => number};

/** Keeps what a dashboard has seen, and writes it to a file once its user wants that. */
export class Saver implements ObservationSink {
	readonly #backlog = new Backlog();
	readonly #now: () => Instant;
	readonly #header: () => Omit<RecordingHeader, 'format'>;
	#saving: Saving | undefined;
	#failure: {readonly error: unknown} | undefined;
	readonly #newFile: typeof newRecordingFile;

	/** @param header what a recording says of itself when it is begun */
	constructor(
		now: () => Instant,
		header: () => Omit<RecordingHeader, 'format'>,
		newFile: typeof newRecordingFile = newRecordingFile,
	) {
		this.#newFile = newFile;
		this.#now = now;
		this.#header = header;
	}

	push(entry: RecordingEntry): void {
		this.#backlog.push(entry);
		this.#saving?.writer.push(entry);
	}

	/**
	 * Begins a recording with all that is kept, and goes on with it; or ends the one that is being written.
	 *
	 * @param onFailure is told at once where it cannot be written any more, as when the disk is full
	 */
	save = async (onFailure: (error: unknown) => void): Promise<string> => {
		if (this.#saving) return this.#end(this.#saving);
		const entries = this.#backlog.entries;
		const startedAt = entries[0]?.at ?? this.#now();
		const name = `evictwatch-${formatTimestampSeconds(this.#now()).replaceAll(':', '-')}.jsonl.gz`;
		const file = await this.#newFile(name);
		const timing = {now: this.#now, sleep: systemTiming.sleep};
		const writer = new RecordingWriter(file, timing, this.#header(), startedAt);
		for (const entry of entries) writer.push(entry);
		const saving = {name, writer, bytes: file.bytes};
		this.#saving = saving;
		this.#failure = undefined;
		writer.done.catch((error: unknown) => {
			// Whoever ends a recording hears of it there.
			if (this.#saving !== saving) return;
			this.#saving = undefined;
			this.#failure = {error};
			onFailure(error);
		});
		return `recording to ${name}, from ${clockTime(startedAt)} on; ctrl-s ends it`;
	};

	/** Ends a recording that is being written. @throws UserError where the last one could not be */
	async close(): Promise<void> {
		if (this.#failure) throw this.#failure.error;
		if (this.#saving) await this.#end(this.#saving);
	}

	async #end({name, writer, bytes}: Saving): Promise<string> {
		this.#saving = undefined;
		await writer.close();
		return `saved ${name}, ${sizeOf(bytes())}`;
	}
}
