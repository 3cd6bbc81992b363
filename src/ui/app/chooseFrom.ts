import {Box, useInput, useWindowSize} from 'ink';
import {createElement, type ReactNode, useReducer} from 'react';
import {Lines, Paint, painterOf} from '../components/lines.ts';
import {keyNames} from '../state/keyName.ts';
import {actionOf, type Bindings, type KeyAction} from '../state/keyTable.ts';
import type {Capabilities} from '../theme/capabilities.ts';
import {glyphsOf} from '../theme/glyphs.ts';
import {blank, type Line, line, span, textLine} from '../theme/line.ts';
import type {ThemeName} from '../theme/palette.ts';
import {guarded} from './guard.ts';
import {type ScreenTerminal, showScreen} from './runScreen.ts';

/** One line of a menu. */
type Choice = {readonly name: string; readonly title: string};

type MenuOptions = {
	readonly title: string;
	readonly choices: readonly Choice[];
	/** The choice that the cursor begins on. */
	readonly first: string | undefined;
	readonly capabilities: Capabilities;
	readonly bindings: Bindings;
	readonly theme: ThemeName;
};

/** The lines of a menu with the cursor on one of its choices. */
function menuLines({title, choices, capabilities}: MenuOptions, at: number): readonly Line[] {
	const {cursor, enter} = glyphsOf(capabilities.isUnicode);
	const width = Math.max(...choices.map(({name}) => name.length));
	const rows = choices.map(({name, title: what}, index) => ({
		...line(
			span(` ${index === at ? cursor : ' '} `, 'key'),
			span(name.padEnd(width + 3), index === at ? 'title' : 'strong'),
			span(what),
		),
		isSelected: index === at,
	}));
	const foot = line(span(` ${enter}`, 'key'), span(' play  ', 'dim'), span('q', 'key'), span(' quit', 'dim'));
	return [textLine(` ${title}`, 'heading'), blank, ...rows, blank, foot];
}

type MenuProps = MenuOptions & {
	readonly onChoose: (choice: Choice | undefined) => void;
	readonly onSuspend: () => void;
};

/** A menu, until something is chosen or it is left. */
function Menu({onChoose, onSuspend, ...options}: MenuProps): ReactNode {
	const {choices, capabilities, bindings, theme, first} = options;
	const {columns, rows} = useWindowSize();
	const last = choices.length - 1;
	const [at, move] = useReducer(
		(present: number, step: number) => Math.max(0, Math.min(last, present + step)),
		Math.max(
			0,
			choices.findIndex(({name}) => name === first),
		),
	);
	useInput((input, key) => {
		for (const name of keyNames(input, key)) {
			const action = actionOf(name, bindings);
			const step = action && steps[action];
			if (step !== undefined) move(step);
			else if (action === 'open') onChoose(choices[at]);
			else if (action === 'suspend') onSuspend();
			else if (action === 'quit' || action === 'back') onChoose(undefined);
		}
	});
	const lines = menuLines(options, at).slice(0, rows - 1);
	return createElement(
		Paint,
		{value: painterOf(theme, capabilities, false)},
		createElement(
			Box,
			{flexDirection: 'column', width: columns, height: Math.max(1, rows - 1)},
			createElement(Lines, {lines, width: columns}),
		),
	);
}

const all = 1000;
const steps: Readonly<Partial<Record<KeyAction, number>>> = {
	...{up: -1, down: 1, top: -all, pageUp: -all, bottom: all, pageDown: all},
};

/** Lets a user choose; undefined where none was wanted. The exit code tells of a signal. */
export async function chooseFrom(
	options: MenuOptions,
	terminal: ScreenTerminal,
): Promise<{readonly choice: Choice | undefined; readonly exitCode: number}> {
	let choice: Choice | undefined;
	const onChoose = (chosen: Choice | undefined) => {
		choice = chosen;
		running.end();
	};
	const onSuspend = () => running.stop();
	const running = showScreen(createElement(Menu, {...options, onChoose, onSuspend}), terminal);
	const {exitCode} = await guarded(running, terminal.isAlternate);
	return {choice, exitCode};
}
