import {clockSpan} from '../scene/spans.ts';
import {nextMark, type TapeState} from '../scene/tape.ts';
import {type Line, line, type StyledText, span, widthOfSpans} from '../theme/line.ts';
import {clip} from '../theme/text.ts';
import type {View} from './view.ts';

const widestBar = 60;
const narrowestBar = 10;
const barShare = 0.35;

/** The position of a recording: its speed, its bar with events, and the next event. */
export function tapeLine(view: View): Line | undefined {
	const {tape, size, glyphs} = view;
	if (!tape) return undefined;
	const {startedAt, endedAt, position, speed} = tape;
	const place = `${clockSpan(position - startedAt)} of ${clockSpan(endedAt - startedAt)}`;
	const head: StyledText[] = [
		span(` ${signOf(tape, view)} `, tape.isPlaying ? 'good' : 'mark'),
		span(tape.isSeeking ? 'seeking ' : `${speed}x `, 'key'),
		span(`${place} `, 'strong'),
	];
	const room = size.columns - widthOfSpans(head) - 1;
	if (room < narrowestBar) return line(...head);
	// Does not depend on the text beside it, because a bar that changes its length would seem to move.
	const width = Math.min(widestBar, Math.max(narrowestBar, Math.floor(room * barShare)));
	const bar = barSpans(tape, width, view);
	const left = room - widthOfSpans(bar) - 2;
	return line(
		...head,
		...bar,
		...(left > 8 ? [span(`  ${clip(nextWords(tape, view), left, glyphs.cut)}`, 'dim')] : []),
	);
}

function signOf({isPlaying, isSeeking}: TapeState, {glyphs}: View): string {
	if (isSeeking) return glyphs.arrow;
	return isPlaying ? glyphs.cursor : glyphs.paused;
}

function nextWords(tape: TapeState, {source, scene: {forecast}}: View): string {
	if (tape.position >= tape.endedAt) return 'at its end';
	const next = nextMark(source.tape?.marks ?? [], tape.position);
	if (!next) return 'nothing more happens';
	const text = forecast ? forecast.digest.names.shorten(next.text) : next.text;
	return `in ${clockSpan(next.at - tape.position)} ${text}`;
}

/** The bar of a recording: the elapsed part, the position, and the events. */
function barSpans(
	{startedAt, endedAt, position}: TapeState,
	width: number,
	{source, glyphs}: View,
): readonly StyledText[] {
	const length = Math.max(1, endedAt - startedAt);
	const columnOf = (at: number) =>
		Math.min(width - 1, Math.max(0, Math.floor(((at - startedAt) / length) * width)));
	const here = columnOf(position);
	const eventful = new Set(source.tape?.marks.map(({at}) => columnOf(at)));
	return Array.from({length: width}, (_, column) => {
		if (column === here) return span(glyphs.step, 'key');
		return eventful.has(column) ? span(glyphs.wall, 'likely') : span(glyphs.rule, 'dim');
	});
}
