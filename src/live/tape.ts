import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** One step of what was recorded: what was told at an instant, or that time went on. */
export type TapeEntry =
	| SinkEntry
	| {readonly at: Instant; readonly type: 'clock' | 'tick' | 'end' | 'header'};

/** How far forecasts are apart at least and at most, as in a live watch. */
export type Cadence = {readonly shortest: Duration; readonly longest: Duration};

/** That of the live driver: after a change, but at most four times a second; else each second. */
export const liveCadence: Cadence = {shortest: second / 4, longest: second};

/** In a longer silence nobody recorded anything: less and less often something is foretold there, as nothing becomes known. */
const steadyFor: Duration = 2 * minute;
/** Then the next forecast is this part of the silence away. */
const stepsOfSilence = 8;

/** Hands one step on. */
export function hand(entry: TapeEntry, listener: ObservationSink): void {
	const {type} = entry;
	if (type === 'batch' || type === 'problems' || type === 'related' || type === 'pressure')
		listener.push(entry);
}

/**
 * Goes through a whole tape as fast as forecasts can be made, each at the instant at which a live watch would have made
 * it. The first waits for the first change, which brings the whole state; the last is made at the end.
 *
 * @param foretell makes the forecast of an instant; what comes next waits for it
 * @returns the last instant of it; undefined where it is empty
 */
export async function playThrough(
	entries: AsyncIterable<TapeEntry>,
	listener: ObservationSink,
	foretell: (now: Instant) => Promise<void> | void,
	cadence: (now: Instant) => Cadence = () => liveCadence,
): Promise<Instant | undefined> {
	let due: Instant | undefined;
	let lastAt: Instant = beginningOfTime;
	let position: Instant | undefined;
	for await (const entry of entries) {
		while (due !== undefined && due < entry.at) {
			await foretell(due);
			lastAt = due;
			const silence = position === undefined ? 0 : due - position;
			const rare = silence < steadyFor ? 0 : silence / stepsOfSilence;
			due += Math.max(cadence(due).longest, rare);
		}
		hand(entry, listener);
		position = entry.at;
		if (entry.type === 'batch')
			due = Math.max(entry.at, Math.min(due ?? entry.at, lastAt + cadence(entry.at).shortest));
	}
	if (due !== undefined && position !== undefined && position > lastAt) await foretell(position);
	return position;
}
