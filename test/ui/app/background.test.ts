import {expect, test} from 'vitest';
import {chooseFrom} from '../../../src/ui/app/chooseFrom.ts';
import {defaultBindings} from '../../../src/ui/state/keyTable.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../../print/forecasts.ts';
import {dashboardScreen} from '../support/dashboards.ts';
import {TestSource} from '../support/scenes.ts';
import {ShownScreen, TestTerminal} from '../support/terminal.ts';

const question = '\x1b]11;?';
/** The background of the row under the cursor in each theme. */
const cursor = {light: '\x1b[48;2;224;238;250m', dark: '\x1b[48;2;27;49;75m'};
const size = {columns: 100, rows: 24};

const source = () => new TestSource(aForecast({nodes: [aNodeForecast()], pods: [aPodForecast()]}));

/** Types into a dashboard that asked for the background; returns its text before and after, and what was drawn since. */
async function answered(...chunks: readonly string[]) {
	const shown = new ShownScreen(dashboardScreen(source(), {theme: undefined}), size);
	const before = await shown.text();
	expect(shown.terminal.written).toContain(question);
	expect(shown.terminal.written).toContain(cursor.dark);
	const from = shown.terminal.written.length;
	await shown.type(...chunks);
	const after = await shown.text();
	await shown.end();
	return {before, after, drawn: shown.terminal.written.slice(from)};
}

test.for([
	'\x1b]11;rgb:ffff/ffff/ffff\x1b\\',
	'\x1b]11;rgb:fdfd/f6f6/e3e3\x07',
	'\x1b]11;rgb:ff/ff/ff\x1b\\',
	'\x1b]11;rgba:ffff/ffff/ffff/ffff\x1b\\',
])('on a light background the theme is light, and the answer types nothing: %j', async (answer) => {
	const {before, after, drawn} = await answered(answer);
	expect(drawn).toContain(cursor.light);
	expect(after).toBe(before);
});

test.for([
	'\x1b]11;rgb:0000/0000/0000\x1b\\',
	'\x1b]11;rgb:1e1e/1e1e/2e2e\x07',
	'\x1b]11;rgb:0000/0000/ffff\x1b\\',
])('on a dark background the theme stays dark, and the answer types nothing: %j', async (answer) => {
	const {before, after, drawn} = await answered(answer);
	expect(drawn).not.toContain(cursor.light);
	expect(after).toBe(before);
});

test('an answer may come in pieces', async () => {
	const {before, after, drawn} = await answered('\x1b]', '11;rgb:ff', 'ff/ffff/ff', 'ff\x1b', '\\');
	expect(drawn).toContain(cursor.light);
	expect(after).toBe(before);
});

test('keys around an answer are keys', async () => {
	const {after, drawn} = await answered(':no\x1b]11;rgb:ffff/ffff/ffff\x1b\\\r');
	expect(drawn).toContain(cursor.light);
	expect(after).toContain('NODES 1');
});

test('alt with a bracket eats no key', async () => {
	const {after} = await answered('\x1b]', '?');
	expect(after).toContain('to the last row');
});

test('a terminal is not asked where the theme is chosen', async () => {
	const shown = new ShownScreen(dashboardScreen(source(), {theme: 'dark'}), size);
	await shown.settle();
	await shown.end();
	expect(shown.terminal.written).not.toContain(question);
});

test('a menu suits the background, too', async () => {
	const terminal = new TestTerminal(size);
	const menu = chooseFrom(
		{
			...{title: 'choose', choices: () => [{name: 'one', title: ''}], first: undefined, verb: 'open'},
			...{theme: undefined, bindings: defaultBindings, capabilities: {depth: 24, isUnicode: true}},
		},
		{...terminal, isAlternate: true, isScreenReader: false},
	);
	await expect.poll(() => terminal.written).toContain(question);
	terminal.stdin.push('\x1b]11;rgb:ffff/ffff/ffff\x1b\\');
	await expect.poll(() => terminal.written).toContain(cursor.light);
	terminal.stdin.push('q');
	expect((await menu).isLeft).toBe(true);
});
