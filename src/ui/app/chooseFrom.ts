import {Box, useWindowSize} from 'ink';
import {createElement, type ReactNode, useReducer, useState} from 'react';
import {Lines, Paint, painterOf, topRow} from '../components/lines.ts';
import {actionOf, type Bindings, type KeyAction} from '../state/keyTable.ts';
import type {Capabilities} from '../theme/capabilities.ts';
import {glyphsOf} from '../theme/glyphs.ts';
import {blank, type Line, line, span, textLine} from '../theme/line.ts';
import type {ThemeName} from '../theme/palette.ts';
import type {Background} from './background.ts';
import {guarded} from './guard.ts';
import {useClock, useKeys} from './hooks.ts';
import type {OnShown} from './runDashboard.ts';
import {type ScreenTerminal, showScreen} from './runScreen.ts';

/** One line of a menu. */
type Choice = {readonly name: string; readonly title: string};

type MenuOptions = {
	readonly title: string;
	/** A line above the choices' titles; absent if there is none. */
	readonly header?: () => string;
	/** The choices may change while the menu is shown; the cursor stays on its choice. */
	readonly choices: () => readonly Choice[];
	/** The choice on which the cursor starts. */
	readonly first: string | undefined;
	/** A word for what enter does. */
	readonly verb: string;
	readonly capabilities: Capabilities;
	readonly bindings: Bindings;
	/** Undefined for one that suits the terminal's background. */
	readonly theme: ThemeName | undefined;
	readonly background: Background;
};

/** The lines of a menu: as many choices around the cursor as fit. */
function menuLines(
	{title, header, verb, capabilities}: MenuOptions,
	choices: readonly Choice[],
	at: number,
	height: number,
): readonly Line[] {
	const {cursor, enter} = glyphsOf(capabilities.isUnicode);
	const width = Math.max(...choices.map(({name}) => name.length));
	const above = header ? [textLine(`${' '.repeat(width + 6)}${header()}`, 'dim')] : [];
	// Title and footer, each with a blank line.
	const room = Math.max(1, height - above.length - 4);
	const top = topRow(at, Math.floor(room / 2), choices.length, room);
	const rows = choices.slice(top, top + room).map(({name, title: what}, row) => ({
		...line(
			span(` ${top + row === at ? cursor : ' '} `, 'key'),
			span(name.padEnd(width + 3), top + row === at ? 'title' : 'strong'),
			span(what),
		),
		isSelected: top + row === at,
	}));
	const foot = line(
		span(` ${enter}`, 'key'),
		span(` ${verb}  `, 'dim'),
		span('q', 'key'),
		span(' quit', 'dim'),
	);
	return [textLine(` ${title}`, 'heading'), blank, ...above, ...rows, blank, foot];
}

type MenuProps = MenuOptions & {
	readonly onChoose: (choice: Choice | undefined, isLeft: boolean) => void;
	readonly onSuspend: () => void;
};

/** A menu, shown until a choice is made or the menu is left. */
function Menu({onChoose, onSuspend, ...options}: MenuProps): ReactNode {
	const {capabilities, bindings, first, background} = options;
	const [theme, setTheme] = useState<ThemeName>(options.theme ?? background.theme);
	const {columns, rows} = useWindowSize();
	useClock(everySecond);
	const choices = options.choices();
	const indexOf = (name: string | undefined) =>
		Math.max(
			0,
			choices.findIndex((one) => one.name === name),
		);
	const [cursor, move] = useReducer(
		(present: string | undefined, step: number) =>
			choices[Math.max(0, Math.min(choices.length - 1, indexOf(present) + step))]?.name,
		first,
	);
	const at = indexOf(cursor);
	const onKey = (name: string) => {
		const action = actionOf(name, bindings);
		const step = action && steps[action];
		if (step !== undefined) move(step);
		else if (action === 'open') onChoose(choices[at], false);
		else if (action === 'suspend') onSuspend();
		else if (action === 'quit' || action === 'back') onChoose(undefined, action === 'quit');
	};
	useKeys(onKey, background, options.theme ? undefined : () => setTheme('light'));
	const lines = menuLines(options, choices, at, rows - 1).slice(0, rows - 1);
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

const everySecond = () => 1000;

const all = 1000;
const steps: Readonly<Partial<Record<KeyAction, number>>> = {
	...{up: -1, down: 1, top: -all, pageUp: -all, bottom: all, pageDown: all},
};

/**
 * Lets a user choose. `choice` is undefined if none was made; `isLeft` is whether the program ends. The exit code is not zero
 * after a signal.
 */
export async function chooseFrom(
	options: MenuOptions,
	terminal: ScreenTerminal,
	onShown: OnShown = () => undefined,
): Promise<{readonly choice: Choice | undefined; readonly isLeft: boolean; readonly exitCode: number}> {
	let choice: Choice | undefined;
	// A signal also ends the program.
	let isLeft = true;
	const onChoose: MenuProps['onChoose'] = (chosen, leaves) => {
		[choice, isLeft] = [chosen, leaves];
		running.end();
	};
	const onSuspend = () => running.stop();
	const running = showScreen(
		createElement(Menu, {...options, onChoose, onSuspend}),
		terminal,
		options.background,
	);
	onShown(running.lend);
	const exitCode = await guarded(running, terminal.isAlternate);
	return {choice, isLeft, exitCode};
}
