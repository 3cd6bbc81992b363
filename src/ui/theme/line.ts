import type {Tone} from '../../print/tables/kind.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {Palette, Rendition} from './palette.ts';
import {clip, clipStart, widthOf, wrapText} from './text.ts';

/** A part of a line in one tone. */
export type StyledText = {
	readonly text: string;
	readonly tone?: Tone;
};

export type Line = {
	readonly spans: readonly StyledText[];
	/** Whether the cursor is on this row. */
	readonly isSelected?: boolean;
};

/** Makes a span; all shown text becomes one, so that nothing reaches the terminal unescaped. */
export function span(raw: string, tone?: Tone): StyledText {
	const text = escapeForCell(raw);
	return tone === undefined ? {text} : {text, tone};
}

export const line = (...spans: readonly StyledText[]): Line => ({spans});
export const textLine = (text: string, tone?: Tone) => line(span(text, tone));
export const blank: Line = {spans: []};

/** A text wrapped into lines, indented by one column. */
export const paragraph = (text: string, width: number, tone?: Tone) =>
	wrapText(text, width - 2).map((part) => textLine(` ${part}`, tone));

/** A sign with wrapped text beside it, all lines of which are aligned, within `width` columns. */
export const hanging = (sign: StyledText, text: string, width: number, tone?: Tone) =>
	wrapText(text, width - widthOf(sign.text)).map((part, index) =>
		line(index === 0 ? sign : span(' '.repeat(widthOf(sign.text))), span(part, tone)),
	);

export const widthOfSpans = (spans: readonly StyledText[]) =>
	spans.reduce((sum, {text}) => sum + widthOf(text), 0);

/** Spans at the left, and one at the right end of a line of that many columns, unless it has no room. */
export function apart(left: readonly StyledText[], right: StyledText, width: number): Line {
	const room = width - widthOfSpans([...left, right]);
	return room < 1 ? line(...left) : line(...left, span(' '.repeat(room)), right);
}

/** A line in exactly `width` columns. */
export function fitLine({spans, ...rest}: Line, width: number, mark: string): Line {
	const fitted: StyledText[] = [];
	let left = width;
	for (const one of spans) {
		const own = widthOf(one.text);
		if (own <= left) {
			fitted.push(one);
			left -= own;
			continue;
		}
		const cut = clip(one.text, left, mark);
		fitted.push({...one, text: cut});
		left -= widthOf(cut);
		break;
	}
	if (left > 0) fitted.push({text: ' '.repeat(left)});
	return {...rest, spans: fitted};
}

/** A line split into segments of these widths; the last one has the rest. */
export function cutLine({spans, ...rest}: Line, widths: readonly number[]): readonly Line[] {
	const stretches = widths.map((): StyledText[] => []);
	let [place, left] = [0, widths[0] ?? 0];
	for (const one of spans) {
		let {text} = one;
		while (place < widths.length - 1 && widthOf(text) > left) {
			const taken = left === 0 ? '' : clipStart(text, left);
			if (taken !== '') stretches[place]?.push({...one, text: taken});
			text = text.slice(taken.length);
			place += 1;
			left = widths[place] ?? 0;
		}
		if (text === '') continue;
		stretches[place]?.push({...one, text});
		left -= widthOf(text);
	}
	return stretches.map((its) => ({...rest, spans: its}));
}

/** A line without trailing spaces, unless it is selected to its end, because unwritten text costs nothing. */
export function trimmed(one: Line): Line {
	if (one.isSelected) return one;
	const last = one.spans.findLastIndex(({text}) => text.trim() !== '');
	return {...one, spans: one.spans.slice(0, last + 1)};
}

/**
 * A line with terminal escape codes. Between two spans only the difference is written: ink would write the same, but parse
 * the text twice. Spaces show only the selection, so they keep the style before them, because each code costs ink as much as
 * its characters would.
 */
export function paint({spans, isSelected = false}: Line, palette: Palette): string {
	let [painted, present] = ['', none];
	for (const {text, tone} of spans) {
		if (text === '') continue;
		const isBegun = painted !== '' || !isSelected;
		const next = isBegun && spaces.test(text) ? present : palette(tone, isSelected);
		painted += between(present, next) + text;
		present = next;
	}
	return painted + between(present, none);
}

const spaces = /^ *$/;

const none: readonly Rendition[] = [];

function between(from: readonly Rendition[], to: readonly Rendition[]): string {
	if (from === to) return '';
	const isBold = ({end}: Rendition) => end === '\x1b[22m';
	// Bold and dim have the same end code, so either continues only if it is unchanged.
	const stays = (one: Rendition) =>
		to.some(({begin, end}) => (isBold(one) ? begin === one.begin : end === one.end));
	const ended = from.filter((one) => !stays(one)).toReversed();
	const begun = to.filter(({begin}) => !from.some((one) => one.begin === begin));
	return [...ended.map(({end}) => end), ...begun.map(({begin}) => begin)].join('');
}
