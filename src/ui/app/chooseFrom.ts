import {actionOf, type Bindings} from '../state/keyTable.ts';
import type {Capabilities} from '../theme/capabilities.ts';
import {glyphsOf, toAscii} from '../theme/glyphs.ts';
import {blank, fitLine, type Line, line, paint, span, textLine} from '../theme/line.ts';
import {paletteOf, type ThemeName} from '../theme/palette.ts';
import {guarded} from './guard.ts';
import {type RunningScreen, type ScreenTerminal, showScreen} from './runScreen.ts';

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
export function menuLines(
	{title, choices, capabilities}: MenuOptions,
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
	const foot = line(span(` ${enter}`, 'key'), span(' play  ', 'dim'), span('q', 'key'), span(' quit', 'dim'));
	return [textLine(` ${title}`, 'heading'), blank, ...rows, blank, foot].map((one) =>
		fitLine(one, columns, cut),
	);
}

/** Lets a user choose; undefined where none was wanted. The exit code tells of a signal. */
export async function chooseFrom(
	options: MenuOptions,
	terminal: ScreenTerminal,
): Promise<{readonly choice: Choice | undefined; readonly exitCode: number}> {
	const {choices, capabilities, bindings, theme} = options;
	const palette = paletteOf(theme, capabilities.depth);
	let at = Math.max(
		0,
		choices.findIndex(({name}) => name === options.first),
	);
	let choice: Choice | undefined;
	let running: RunningScreen | undefined;
	const press = (key: string) => {
		const action = actionOf(key, bindings);
		if (action === 'up') at = Math.max(0, at - 1);
		else if (action === 'down') at = Math.min(choices.length - 1, at + 1);
		else if (action === 'top' || action === 'pageUp') at = 0;
		else if (action === 'bottom' || action === 'pageDown') at = choices.length - 1;
		else if (action === 'open') choice = choices[at];
		else if (action === 'suspend') running?.stop();
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
				frame: ({columns, rows}) =>
					menuLines(options, at, columns)
						.slice(0, rows - 1)
						.map(paintLine),
			},
			press,
			subscribe: () => () => undefined,
			tick: () => 60_000,
		},
		terminal,
	);
	const {exitCode} = await guarded(running, terminal.isAlternate);
	return {choice, exitCode};
}
