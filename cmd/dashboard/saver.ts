import {systemTiming} from '../../src/async/timing.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {clockTime, formatTimestampSeconds} from '../../src/dates/utc.ts';
import {Backlog} from '../../src/recording/format/backlog.ts';
import type {RecordingEntry, RecordingHeader} from '../../src/recording/format/entry.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {sizeOf} from '../recording/recordProgress.ts';

type Saving = {readonly name: string; readonly writer: RecordingWriter; readonly bytes: () => number};

/** Keeps what a dashboard has seen, and writes it to a file on request. */
export class Saver implements ObservationSink {
	readonly #backlog = new Backlog();
	readonly #now: () => Instant;
	readonly #header: () => Omit<RecordingHeader, 'format'>;
	#saving: Saving | undefined;
	#failure: {readonly error: unknown} | undefined;
	readonly #newFile: typeof newRecordingFile;

	/** @param header the first lines of a recording */
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
	 * Starts a recording with everything kept so far and continues it; or ends the current one.
	 *
	 * @param onFailure called at once if writing fails later, for example on a full disk
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
			// Ending the recording reports the error instead.
			if (this.#saving !== saving) return;
			this.#saving = undefined;
			this.#failure = {error};
			onFailure(error);
		});
		return `recording to ${name}, from ${clockTime(startedAt)} on; ctrl-s ends it`;
	};

	/** Ends the current recording. @throws UserError if the last one could not be finished */
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
