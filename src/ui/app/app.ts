import {Box, Text, useApp, useInput, useIsScreenReaderEnabled, useWindowSize} from 'ink';
import {createElement, type ReactNode, useEffect, useReducer} from 'react';
import {keyNames} from '../state/keyName.ts';
import type {RowSigns} from './rowSigns.ts';

/** Draws itself in a size. */
type Framed = {frame(size: {readonly columns: number; readonly rows: number}): readonly string[]};

/** What a screen is made of, whichever it is: lines out, keys in. */
export type Screenful = {
	readonly shown: Framed;
	/** Takes a key; what it answers is done by the one who runs the screen. */
	readonly press: (key: string, size: {readonly columns: number; readonly rows: number}) => void;
	/** Calls back when there is something new to draw. */
	readonly subscribe: (listener: () => void) => () => void;
	/** How long a frame may stay on the screen, in milliseconds. */
	readonly tick: () => number;
};

type Props = {
	readonly screen: Screenful;
	/** What ink is shown in place of rows. */
	readonly signs: RowSigns;
	/** The terminal itself: ink is told that it is as narrow as a sign. */
	readonly terminal: {readonly columns?: number};
	/** Tells what hands the terminal to somebody else for a while. */
	readonly onReady: (suspend: (during: () => Promise<void>) => Promise<void>) => void;
};

// Without JSX: Node runs this file as it is, for the pictures and the benchmark.
/** A frame is one text of as many signs as it has rows; whoever hears it is given the rows themselves. */
export function App({screen, signs, terminal, onReady}: Props): ReactNode {
	const laidOut = useWindowSize();
	const size = {columns: terminal.columns || laidOut.columns, rows: laidOut.rows};
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
	const rows = screen.shown.frame(size);
	const text = (isRead ? rows : signs.signsOf(rows, size.columns)).join('\n');
	return createElement(
		Box,
		{flexDirection: 'column', width: laidOut.columns, height: Math.max(1, laidOut.rows - 1)},
		createElement(Text, null, text),
	);
}
