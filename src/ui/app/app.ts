import {Box, Text, Transform, useApp, useInput, useIsScreenReaderEnabled, useWindowSize} from 'ink';
import {createElement, type ReactNode, useEffect, useReducer} from 'react';
import {keyNames} from '../state/keyName.ts';

/** What a screen is made of, whichever it is: lines out, keys in. */
export type Screenful = {
	readonly frame: (size: {readonly columns: number; readonly rows: number}) => readonly string[];
	/** Takes a key; what it answers is done by the one who runs the screen. */
	readonly press: (key: string, size: {readonly columns: number; readonly rows: number}) => void;
	/** Calls back when there is something new to draw. */
	readonly subscribe: (listener: () => void) => () => void;
	/** How long a frame may stay on the screen, in milliseconds. */
	readonly tick: () => number;
};

type Props = {
	readonly screen: Screenful;
	/** Tells what hands the terminal to somebody else for a while. */
	readonly onReady: (suspend: (during: () => Promise<void>) => Promise<void>) => void;
};

// A row is exactly as wide as the screen already. ink would measure it letter by letter, twice, in every frame; behind a
// transform it measures one space.
type RowProps = {readonly text: string};

const Row = ({text}: RowProps): ReactNode => createElement(Transform, {transform: () => text}, ' ');

const ReadRow = ({text}: RowProps): ReactNode => createElement(Text, null, text);

// Without JSX: Node runs this file as it is, for the pictures and the benchmark.
/** One node a row: a frame of few nodes is cheap to lay out. */
export function App({screen, onReady}: Props): ReactNode {
	const size = useWindowSize();
	const {suspendTerminal} = useApp();
	const isRead = useIsScreenReaderEnabled();
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
	useEffect(() => screen.subscribe(redraw), [screen]);
	useEffect(() => {
		let timer: NodeJS.Timeout;
		const wait = () => {
			timer = setTimeout(() => {
				redraw();
				wait();
			}, screen.tick());
		};
		wait();
		return () => clearTimeout(timer);
	}, [screen]);
	useInput((input, key) => {
		for (const name of keyNames(input, key)) screen.press(name, size);
		redraw();
	});
	const rows = screen.frame(size);
	const RowOf = isRead ? ReadRow : Row;
	return createElement(
		Box,
		{flexDirection: 'column', width: size.columns, height: Math.max(1, size.rows - 1)},
		// biome-ignore lint/correctness/useJsxKeyInIterable: it has one; a row is known by its place
		...rows.map((text, index) => createElement(RowOf, {key: index, text})),
	);
}
