import {Box, useWindowSize} from 'ink';
import {type ReactNode, useRef, useState} from 'react';
import {maxOf} from '../../core/collections/extremes.ts';
import {Lines, Paint, painterOf, topRow} from '../components/lines.tsx';
import {specOf} from '../state/keyTable.ts';
import {
	type Choice,
	type ChoicesShown,
	choicesShown,
	type MenuEffect,
	type MenuState,
	reduceMenu,
} from '../state/menuState.ts';
import {glyphsOf} from '../theme/glyphs.ts';
import {blank, type Line, line, menuLine, span, textLine} from '../theme/line.ts';
import type {ThemeName} from '../theme/palette.ts';
import type {DashboardOptions} from './dashboard.tsx';
import {guarded} from './guard.ts';
import {useClock, useKeys} from './hooks.ts';
import type {OnShown} from './runDashboard.tsx';
import {type ScreenTerminal, showScreen} from './runScreen.tsx';

type MenuOptions = Pick<DashboardOptions, 'capabilities' | 'theme' | 'background'> & {
	readonly title: string;
	/** A line above the choices' titles; absent if there is none. */
	readonly header?: () => string;
	/** The choices may change while the menu is shown; the cursor stays on its choice. */
	readonly choices: () => readonly Choice[];
	/** The choice on which the cursor starts. */
	readonly first: string | undefined;
	/** The filter that it begins with; absent for all choices. */
	readonly filter?: string;
	/** A word for what enter does. */
	readonly verb: string;
};

/** Title and foot, each with a line beside it that is blank or tells what is typed. */
const around = 4;

const pageOf = ({header}: MenuOptions, height: number) => Math.max(1, height - (header ? 1 : 0) - around);

/** The lines of a menu: as many choices around the cursor as fit. */
function menuLines(
	options: MenuOptions,
	state: MenuState,
	{choices, index, complaint}: ChoicesShown,
	height: number,
): readonly Line[] {
	const {title, header, capabilities} = options;
	const {cursor} = glyphsOf(capabilities.isUnicode);
	const all = options.choices();
	const width = maxOf(all.map(({name}) => name.length));
	const above = header ? [textLine(`${' '.repeat(width + 6)}${header()}`, 'dim')] : [];
	const page = pageOf(options, height);
	const top = topRow(Math.max(0, index), Math.floor(page / 2), choices.length, page);
	const rows = choices
		.slice(top, top + page)
		.map(({name, title: what}, row) =>
			menuLine(name.padEnd(width + 3), top + row === index, cursor, span(what)),
		);
	const none = textLine(`   None of ${all.length} has that; esc shows all.`, 'dim');
	return [
		textLine(` ${title}`, 'heading'),
		blank,
		...above,
		...(rows.length > 0 ? rows : [none]),
		statusLine(state, complaint, `${choices.length} of ${all.length}`),
		footLine(options),
	];
}

function statusLine(
	{filter, before, message}: MenuState,
	complaint: string | undefined,
	count: string,
): Line {
	const words = span(`   ${complaint ?? message ?? ''}`, 'bad');
	if (before !== undefined) return line(span(' /', 'key'), span(filter, 'strong'), span('_', 'dim'), words);
	if (filter !== '') return line(span(` filter ${filter}, ${count}`, 'mark'), words);
	return message === undefined ? blank : textLine(` ${message}`, 'bad');
}

function footLine({verb, capabilities}: MenuOptions): Line {
	const {enter} = glyphsOf(capabilities.isUnicode);
	const hints = [
		[enter, verb],
		[specOf('filter').keys[0], 'filter'],
		[specOf('back').keys[0], 'back'],
		[specOf('quit').keys[0], 'quit'],
	];
	return line(...hints.flatMap(([key = '', hint]) => [span(` ${key}`, 'key'), span(` ${hint} `, 'dim')]));
}

type MenuProps = MenuOptions & {
	/** @param choice the one under the cursor */
	readonly onEffect: (effect: MenuEffect, choice: Choice | undefined) => void;
};

/** A menu, shown until a choice is made or the menu is left. */
function Menu({onEffect, ...options}: MenuProps): ReactNode {
	const {capabilities, first, filter = '', background} = options;
	const [theme, setTheme] = useState<ThemeName>(options.theme ?? background.theme);
	const {columns, rows} = useWindowSize();
	const redraw = useClock(everySecond);
	// Keys that are typed quickly arrive together, before the next frame.
	const {current} = useRef({
		state: {selected: first, filter, before: undefined, message: undefined} as MenuState,
	});
	const shown = choicesShown(current.state, options.choices());
	const onKey = (key: string) => {
		const present = choicesShown(current.state, options.choices());
		const facts = {shown: present, page: pageOf(options, rows - 1)};
		const {state, effect} = reduceMenu(current.state, key, facts);
		current.state = state;
		redraw();
		if (effect) onEffect(effect, present.choices[present.index]);
	};
	useKeys(onKey, background, options.theme ? undefined : () => setTheme('light'));
	const lines = menuLines(options, current.state, shown, rows - 1).slice(0, rows - 1);
	return (
		<Paint value={painterOf(theme, capabilities, false)}>
			<Box flexDirection="column" width={columns} height={Math.max(1, rows - 1)}>
				<Lines lines={lines} width={columns} />
			</Box>
		</Paint>
	);
}

const everySecond = () => 1000;

/** Lets a user choose; `choice` is undefined if none was made, `isLeft` whether the program ends; a signal gives a code. */
export async function chooseFrom(
	options: MenuOptions,
	terminal: ScreenTerminal,
	onShown: OnShown = () => undefined,
): Promise<{readonly choice: Choice | undefined; readonly isLeft: boolean; readonly exitCode: number}> {
	let choice: Choice | undefined;
	// A signal also ends the program.
	let isLeft = true;
	const onEffect: MenuProps['onEffect'] = (effect, chosen) => {
		if (effect === 'suspend') return running.stop();
		if (effect === 'redraw') return running.redraw();
		if (effect === 'open') choice = chosen;
		isLeft = effect === 'quit';
		running.end();
	};
	const running = showScreen(<Menu {...options} onEffect={onEffect} />, terminal, options.background);
	onShown(running.lend);
	const exitCode = await guarded(running, terminal.isAlternate);
	return {choice, isLeft, exitCode};
}
