import type {SinkEntry} from '../../core/model/observation.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

export type RecordingHeader = Readonly<{
	/** The format's number; a reader rejects higher ones than it knows. */
	format: number;
	/** The version of evictwatch that wrote it. */
	program: string;
	/** The cluster's context or server. */
	title: string;
	/** As in `/version`; absent if unknown. */
	kubernetesVersion?: string | undefined;
	/** Whether only the pods of affected nodes were read. */
	isPartial: boolean;
	/** The evidence of the settings, as JSON that this format does not interpret. */
	settings?: unknown;
}>;

/** The newest known format. */
export const recordingFormat = 1;

/** One step of a recording: everything at one instant. */
export type RecordingEntry =
	| SinkEntry
	| ({readonly at: Instant} & (
			| {readonly type: 'header'; readonly header: RecordingHeader}
			/** The API server's clock minus the recorder's; the recorded times are corrected by it. */
			| {readonly type: 'clock'; readonly offset: Duration}
			/** Nothing was received until then, though the recorder was running. */
			| {readonly type: 'tick'}
			/** The end; without it, the recording was cut off. */
			| {readonly type: 'end'}
	  ));

/** The size of an entry in observations; the measurements of a pod count as one. */
export function sizeOfEntry(entry: RecordingEntry): number {
	if (entry.type === 'batch') return entry.observations.length;
	return entry.type === 'pressure' && entry.news.type === 'looked' ? 1 + entry.news.look.pods.length : 0;
}
