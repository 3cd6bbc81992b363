import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** One step of a recording: something that was observed, or only that time passed. */
export type TapeEntry =
	| SinkEntry
	| {readonly at: Instant; readonly type: 'clock' | 'tick' | 'end' | 'header'};

/** The shortest and longest time between two forecasts. */
export type Cadence = {readonly shortest: Duration; readonly longest: Duration};

/** The cadence of a live watch: at most four forecasts a second after changes, else one each second. */
export const liveCadence: Cadence = {shortest: second / 4, longest: second};

/** In a longer gap of the recording, forecasts become rarer: nothing new is learned. */
const steadyFor: Duration = 2 * minute;
/** Then the next forecast is after this fraction (1/8) of the gap. */
const stepsOfSilence = 8;

/** Delivers one step to a sink; steps in which only time passed are skipped. */
export function deliver(entry: TapeEntry, listener: ObservationSink) {
	const {type} = entry;
	if (type === 'batch' || type === 'problems' || type === 'related' || type === 'pressure')
		listener.push(entry);
}

/**
 * Plays a whole tape as fast as forecasts can be made, each at the instant at which a live watch would make it. The first
 * forecast waits for the first change, which brings the whole state; the last is made at the end.
 *
 * @param forecast makes the forecast of an instant, at last that of the end; the next step waits for it
 * @returns the last instant of the tape; undefined if it is empty
 */
export async function playThrough(
	entries: AsyncIterable<TapeEntry>,
	listener: ObservationSink,
	forecast: (now: Instant, isLast: boolean) => Promise<void> | void,
	cadence: (now: Instant) => Cadence = () => liveCadence,
): Promise<Instant | undefined> {
	let due: Instant | undefined;
	let lastAt: Instant = beginningOfTime;
	let position: Instant | undefined;
	for await (const entry of entries) {
		while (due !== undefined && due < entry.at) {
			await forecast(due, false);
			lastAt = due;
			const silence = position === undefined ? 0 : due - position;
			const rare = silence < steadyFor ? 0 : silence / stepsOfSilence;
			due += Math.max(cadence(due).longest, rare);
		}
		deliver(entry, listener);
		position = entry.at;
		if (entry.type === 'batch')
			due = Math.max(entry.at, Math.min(due ?? entry.at, lastAt + cadence(entry.at).shortest));
	}
	if (due !== undefined && position !== undefined) await forecast(position, true);
	return position;
}
