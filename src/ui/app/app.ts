import {Box, Text, useApp, useInput, useWindowSize} from 'ink';
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

// Without JSX: Node runs this file as it is, for the pictures and the benchmark.
/** One Text a row: a frame of few nodes is cheap to lay out. */
export function App({screen, onReady}: Props): ReactNode {
	const size = useWindowSize();
	const {suspendTerminal} = useApp();
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
	return createElement(
		Box,
		{flexDirection: 'column', width: size.columns, height: Math.max(1, size.rows - 1)},
		...rows.map((text, index) => createElement(Text, {key: index, wrap: 'truncate'}, text)),
	);
}
