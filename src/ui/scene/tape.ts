import {firstIndex} from '../../core/collections/firstIndex.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

export type TapeMark = {readonly at: Instant; readonly text: string};

/** A playing recording, as the screen shows it. */
export type TapeState = Readonly<{
	startedAt: Instant;
	endedAt: Instant;
	position: Instant;
	speed: number;
	isPlaying: boolean;
	/** Whether it is moving to another position. */
	isSeeking: boolean;
}>;

export type TapeControl = Readonly<{
	get: () => TapeState;
	/** The events in it, oldest first. */
	marks: readonly TapeMark[];
	toggle: () => void;
	seek: (to: Instant) => void;
}>;

/** How a key moves the position: by a duration, or to the next or previous event. */
export type TapeMove = 'toggle' | {readonly by: Duration} | {readonly toMark: 1 | -1};

/** The next event after an instant; undefined if there is none. */
export const nextMark = (marks: readonly TapeMark[], after: Instant) => marks[firstAfter(marks, after)];

/** The last event before an instant. */
export const previousMark = (marks: readonly TapeMark[], before: Instant) =>
	marks[firstAfter(marks, before) - 1];

/** After a jump to an event, for this long in real time a further jump back goes to the one before it. */
const justNow: Duration = 1500;

const firstAfter = (marks: readonly TapeMark[], after: Instant) =>
	firstIndex(marks.length, (index) => (marks[index]?.at ?? 0) > after);

/** Moves the position. Returns a message for the user; undefined if none is needed. */
export function moveTape(tape: TapeControl, move: TapeMove): string | undefined {
	const {position, speed} = tape.get();
	if (move === 'toggle') tape.toggle();
	else if ('by' in move) tape.seek(position + move.by);
	else {
		const mark =
			move.toMark > 0 ? nextMark(tape.marks, position) : previousMark(tape.marks, position - justNow * speed);
		if (!mark) return move.toMark > 0 ? 'nothing more happens in this recording' : 'nothing happens before';
		tape.seek(mark.at);
		return mark.text;
	}
	return undefined;
}
