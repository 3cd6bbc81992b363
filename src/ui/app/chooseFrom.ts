import type {Capabilities} from '../draw/capabilities.ts';
import {glyphsOf, toAscii} from '../draw/glyphs.ts';
import {blank, fitLine, type Line, line, paint, span, textLine} from '../draw/line.ts';
import {paletteOf, type ThemeName} from '../draw/palette.ts';
import {actionOf, type Bindings} from '../state/keyTable.ts';
import {guarded} from './guard.ts';
import type {OnShown} from './runDashboard.ts';
import {type RunningScreen, type ScreenTerminal, showScreen} from './runScreen.ts';

/** One line of a menu. */
type Choice = {readonly name: string; readonly title: string};

type MenuOptions = {
	readonly title: string;
	/** What stands above the titles of the choices; absent where nothing does. */
	readonly header?: () => string;
	/** They may change while they are shown; the cursor stays on its choice. */
	readonly choices: () => readonly Choice[];
	/** The choice that the cursor begins on. */
	readonly first: string | undefined;
	/** What enter does, in a word. */
	readonly verb: string;
	readonly capabilities: Capabilities;
	readonly bindings: Bindings;
	readonly theme: ThemeName;
};

/** The lines of a menu with the cursor on one of its choices. */
export function menuLines(
	{
		title,
		header,
		choices,
		verb,
		capabilities,
	}: Omit<MenuOptions, 'choices'> & {
		readonly choices: readonly Choice[];
	},
	at: number,
	columns: number,
): readonly Line[] {
	const {cursor, cut, enter} = glyphsOf(capabilities.isUnicode);
	const width = Math.max(...choices.map(({name}) => name.length));
	const rows = choices.map(({name, title: what}, index) => ({
		...line(
			span(` ${index === at ? cursor : ' '} `, 'key'),
			span(name.padEnd(width + 3), index === at ? 'title' : 'strong'),
			span(what),
		),
		isSelected: index === at,
	}));
	const foot = line(
		span(` ${enter}`, 'key'),
		span(` ${verb}  `, 'dim'),
		span('q', 'key'),
		span(' quit', 'dim'),
	);
	const above = header ? [textLine(`${' '.repeat(width + 6)}${header()}`, 'dim')] : [];
	return [textLine(` ${title}`, 'heading'), blank, ...above, ...rows, blank, foot].map((one) =>
		fitLine(one, columns, cut),
	);
}

/** Lets a user choose; undefined where none was wanted, and `isLeft` where the program is. The exit code tells of a signal. */
export async function chooseFrom(
	options: MenuOptions,
	terminal: ScreenTerminal,
	onShown: OnShown = () => undefined,
): Promise<{readonly choice: Choice | undefined; readonly isLeft: boolean; readonly exitCode: number}> {
	const {capabilities, bindings, theme} = options;
	const palette = paletteOf(theme, capabilities.depth);
	let cursor = options.first;
	const indexIn = (choices: readonly Choice[]) =>
		Math.max(
			0,
			choices.findIndex(({name}) => name === cursor),
		);
	let choice: Choice | undefined;
	let isLeft = true;
	let running: RunningScreen | undefined;
	const press = (key: string) => {
		const action = actionOf(key, bindings);
		const choices = options.choices();
		const at = indexIn(choices);
		const moveTo = (index: number) => {
			cursor = choices[Math.min(choices.length - 1, Math.max(0, index))]?.name;
		};
		if (action === 'up') moveTo(at - 1);
		else if (action === 'down') moveTo(at + 1);
		else if (action === 'top' || action === 'pageUp') moveTo(0);
		else if (action === 'bottom' || action === 'pageDown') moveTo(choices.length - 1);
		else if (action === 'open') choice = choices[at];
		else if (action === 'suspend') running?.stop();
		if (choice || action === 'back') isLeft = false;
		if (choice || action === 'quit' || action === 'back') running?.end();
	};
	const paintLine = (one: Line) =>
		paint(
			capabilities.isUnicode
				? one
				: {...one, spans: one.spans.map((each) => ({...each, text: toAscii(each.text)}))},
			palette,
		);
	running = showScreen(
		{
			shown: {
				frame: ({columns, rows}) => {
					const choices = options.choices();
					return menuLines({...options, choices}, indexIn(choices), columns)
						.slice(0, rows - 1)
						.map(paintLine);
				},
			},
			press,
			subscribe: () => () => undefined,
			tick: () => 1000,
		},
		terminal,
	);
	onShown(running.lend);
	const {exitCode} = await guarded(running, terminal.isAlternate);
	return {choice, isLeft, exitCode};
}
