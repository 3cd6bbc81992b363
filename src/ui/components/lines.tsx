import {Box, Text} from 'ink';
import {createContext, memo, type ReactNode, use} from 'react';
import type {Capabilities} from '../theme/capabilities.ts';
import {glyphsOf, toAscii} from '../theme/glyphs.ts';
import {blank, cutLine, fitLine, type Line, paint, trimmed} from '../theme/line.ts';
import {paletteOf, type ThemeName} from '../theme/palette.ts';

/** Turns a line into text with the theme's colours, in at most `width` columns. */
type Painter = (line: Line, width: number) => string;

/** The painter of a theme on a terminal. @param isStale whether all text is dim */
export function painterOf(theme: ThemeName, {depth, isUnicode}: Capabilities, isStale: boolean): Painter {
	const palette = paletteOf(theme, depth, isStale);
	const {cut} = glyphsOf(isUnicode);
	const plain = (line: Line) =>
		isUnicode ? line : {...line, spans: line.spans.map((span) => ({...span, text: toAscii(span.text)}))};
	return (line, width) =>
		paint(plain(trimmed(Number.isFinite(width) ? fitLine(line, width, cut) : line)), palette);
}

/** The painter for all lines of a screen. */
export const Paint = createContext<Painter>(painterOf('dark', {depth: 1, isUnicode: true}, false));

/** One row. ink lays it out again only if its text changes. */
const Row = memo(
	({text}: {readonly text: string}): ReactNode => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>,
);

export function Lines({lines, width}: {readonly lines: readonly Line[]; readonly width: number}): ReactNode {
	const painter = use(Paint);
	// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
	return lines.map((line, place) => <Row key={place} text={painter(line, width)} />);
}

/** The first row to show, so that the cursor keeps its place on the screen if there are enough rows. */
export function topRow(index: number, offset: number, count: number, height: number): number {
	const room = Math.max(1, height);
	const top = index - Math.min(offset, room - 1);
	return Math.max(0, Math.min(top, count - room));
}

type RepeatedProps = {readonly line: Line; readonly width: number; readonly times: number};

export function Repeated({line, width, times}: RepeatedProps): ReactNode {
	const text = use(Paint)(line, width);
	return <Row text={Array.from({length: times}, () => text).join('\n')} />;
}

type StretchesProps = {readonly lines: readonly Line[]; readonly widths: readonly number[]};

/** Lines split into segments side by side. If part of a row changes each second, ink processes only the segments that changed. */
export function Stretches({lines, widths}: StretchesProps): ReactNode {
	const cut = lines.map((line) => cutLine(line, widths));
	return (
		<Box flexShrink={0}>
			{widths.map((width, place) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place in the row
				<Column key={place} width={width}>
					<Lines lines={cut.map((stretches) => stretches[place] ?? blank)} width={width} />
				</Column>
			))}
		</Box>
	);
}

type ColumnProps = {readonly width: number; readonly children?: ReactNode};

export const Column = ({width, children}: ColumnProps): ReactNode => (
	<Box flexDirection="column" width={width} flexShrink={0}>
		{children}
	</Box>
);
