import {firstIndex} from '../../core/collections/firstIndex.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

/** Something that happens on a tape. */
export type TapeMark = {readonly at: Instant; readonly text: string};

/** A recording that is played, as the screen shows it. */
export type TapeState = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	readonly position: Instant;
	readonly speed: number;
	readonly isPlaying: boolean;
	/** Whether it is on its way to another place. */
	readonly isSeeking: boolean;
};

/** What keys can do to a recording that is played. */
export type TapeControl = {
	readonly get: () => TapeState;
	/** What happens on it, the oldest first. */
	readonly marks: readonly TapeMark[];
	readonly toggle: () => void;
	readonly seek: (to: Instant) => void;
};

/** How a key moves along a tape: by so much time, or to what happens next or happened before. */
export type TapeMove = 'toggle' | {readonly by: Duration} | {readonly toMark: 1 | -1};

/** What happens next after an instant; undefined where nothing does. */
export const nextMark = (marks: readonly TapeMark[], after: Instant): TapeMark | undefined =>
	marks[firstAfter(marks, after)];

/** What happened last before an instant. */
export const previousMark = (marks: readonly TapeMark[], before: Instant): TapeMark | undefined =>
	marks[firstAfter(marks, before) - 1];

/** What was jumped to so little of real time ago is not meant again: then it is the one before. */
const justNow: Duration = 1500;

const firstAfter = (marks: readonly TapeMark[], after: Instant): number =>
	firstIndex(marks.length, (index) => (marks[index]?.at ?? 0) > after);

/** Moves along a tape. What is said of it is for the user; undefined where the screen says enough. */
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
