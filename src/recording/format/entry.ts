import type {SinkEntry} from '../../core/model/observation.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

/** What a recording says of itself, in its first line. */
export type RecordingHeader = {
	/** Of the format; a reader that knows only lower ones says so. */
	readonly format: number;
	/** The version of evictwatch that wrote it. */
	readonly program: string;
	/** Whose cluster it is: a context or a server. */
	readonly title: string;
	/** As in `/version`; absent where it was not known. */
	readonly kubernetesVersion?: string | undefined;
	/** Whether only the pods of nodes in trouble were read. */
	readonly isPartial: boolean;
	/** What the settings were resolved from, as JSON; what it means is not for the file to know. */
	readonly settings?: unknown;
};

/** The newest format that is known. */
export const recordingFormat = 1;

/** One step of a recording: all that was heard or said at one instant. */
export type RecordingEntry =
	| SinkEntry
	| ({readonly at: Instant} & (
			| {readonly type: 'header'; readonly header: RecordingHeader}
			/** How far the API server's clock is ahead of the recorder's, whose times are corrected by it. */
			| {readonly type: 'clock'; readonly offset: Duration}
			/** Nothing was heard until then, but somebody listened. */
			| {readonly type: 'tick'}
			/** Its last word: without one, it was cut off. */
			| {readonly type: 'end'}
	  ));

/** How much an entry is to keep: how many observations, and what is measured of a pod is one. */
export function sizeOfEntry(entry: RecordingEntry): number {
	if (entry.type === 'batch') return entry.observations.length;
	return entry.type === 'pressure' && entry.news.type === 'looked' ? 1 + entry.news.look.pods.length : 0;
}

/** What is missing at the end of a recording, or wrong within. */
export type RecordingLoss = {
	/** It ends in the middle of a line, or of what was packed. */
	readonly isCut: boolean;
	/** Lines that could not be read. */
	readonly broken: number;
};
