import {systemTiming} from '../../src/async/timing.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {clockTime, formatTimestampSeconds} from '../../src/dates/utc.ts';
import {Backlog} from '../../src/recording/format/backlog.ts';
import type {RecordingEntry, RecordingHeader} from '../../src/recording/format/entry.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {type RecordingWriter, recordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {sizeOf} from '../recording/recordProgress.ts';

type Saving = {readonly name: string; readonly writer: RecordingWriter; readonly bytes: () => number};

/** Keeps what a dashboard has seen, and writes it to a file on request. @param header the first lines of a recording */
export function saverOf(
	now: () => Instant,
	header: () => Omit<RecordingHeader, 'format'>,
	newFile: typeof newRecordingFile = newRecordingFile,
) {
	const backlog = new Backlog();
	let current: Saving | undefined;
	let failure: {readonly error: unknown} | undefined;

	const end = async ({name, writer, bytes}: Saving) => {
		current = undefined;
		await writer.close();
		return `saved ${name}, ${sizeOf(bytes())}`;
	};

	return {
		push(entry: RecordingEntry) {
			backlog.push(entry);
			current?.writer.push(entry);
		},
		/**
		 * Starts a recording with everything kept so far and continues it; or ends the current one.
		 *
		 * @param onFailure called at once if writing fails later, for example on a full disk
		 */
		save: async (onFailure: (error: unknown) => void) => {
			if (current) return end(current);
			const {entries} = backlog;
			const startedAt = entries[0]?.at ?? now();
			const name = `evictwatch-${formatTimestampSeconds(now()).replaceAll(':', '-')}.jsonl.gz`;
			const file = await newFile(name);
			const writer = recordingWriter(file, {now, sleep: systemTiming.sleep}, header(), startedAt);
			for (const entry of entries) writer.push(entry);
			const saving = {name, writer, bytes: file.bytes};
			current = saving;
			failure = undefined;
			writer.done.catch((error: unknown) => {
				// Ending the recording reports the error instead.
				if (current !== saving) return;
				current = undefined;
				failure = {error};
				onFailure(error);
			});
			return `recording to ${name}, from ${clockTime(startedAt)} on; ctrl-s ends it`;
		},
		/** Ends the current recording. @throws UserError if the last one could not be finished */
		async close() {
			if (failure) throw failure.error;
			if (current) await end(current);
		},
	};
}
