import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {Background} from '../../../src/ui/app/background.ts';
import {runDashboard} from '../../../src/ui/app/runDashboard.tsx';
import {firstState, menuAlone, resumed, type UiState} from '../../../src/ui/state/uiState.ts';
import {outageMenu} from '../../../src/ui/views/menus.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../../print/forecasts.ts';
import {dashboardScreen} from '../support/dashboards.ts';
import {TestSource} from '../support/scenes.ts';
import {ShownScreen, TestTerminal} from '../support/terminal.ts';

const question = '\x1b]11;?';
/** The background of the row under the cursor in each theme. */
const cursor = {light: '\x1b[48;2;224;238;250m', dark: '\x1b[48;2;27;49;75m', contrast: '\x1b[48;2;0;0;200m'};
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

test.for([
	['\x1b]11;rgb:ffff/ffff/ffff\x073'],
	['\x1b]11;rgb:ffff/ffff/ffff\x07', '3'],
	['\x1b]11;rgb:ffff/', 'ffff/ffff\x073'],
	['\x1b]11;rgb:ffff/ffff/ffff\x1b\\3'],
])('keys that come with the end of an answer are keys: %j', async (chunks) => {
	const {after, drawn} = await answered(...chunks);
	expect(drawn).toContain(cursor.light);
	expect(after).toContain('NODES 1');
	expect(after).not.toContain('rgb');
});

test('an escape may come long before the backslash', async () => {
	const shown = new ShownScreen(dashboardScreen(source(), {theme: undefined}), size);
	const before = await shown.text();
	await shown.type('\x1b]11;rgb:ffff/ffff/ffff\x1b');
	// ink passes on a lone escape after 20 ms.
	await sleep(50);
	await shown.type('\\');
	expect(await shown.text()).toBe(before);
	expect(shown.terminal.written).toContain(cursor.light);
	await shown.end();
});

test('an arrow after alt with a bracket is a key', async () => {
	const {before, after} = await answered('?', '\x1b]', '\x1b[C');
	// It leaves the help.
	expect(after).toBe(before);
});

test('a chosen theme stays', async () => {
	const {drawn} = await answered('tt', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\', 'j');
	expect(drawn).not.toContain(cursor.light);
	expect(drawn).toContain(cursor.contrast);
});

const light = '\x1b]11;rgb:ffff/ffff/ffff\x1b\\';
const theLook = () => ({
	...{theme: undefined, background: new Background()},
	capabilities: {depth: 24, isUnicode: true} as const,
});

const one = {name: 'one', title: ''};

/** A menu with this look on a terminal of its own. */
function aMenu(look: ReturnType<typeof theLook>, isMute = false) {
	const terminal = new TestTerminal(size, isMute);
	const own = {source: source(), namespace: undefined, left: menuAlone(''), menu: outageMenu([one])};
	const menu = runDashboard(
		{...look, ...own},
		{...terminal, isAlternate: true, isScreenReader: false},
		new AbortController().signal,
	);
	return {terminal, menu};
}

test('a menu suits the background, too', async () => {
	const {terminal, menu} = aMenu(theLook());
	await expect.poll(() => terminal.written).toContain(question);
	terminal.stdin.push(light);
	await expect.poll(() => terminal.written).toContain(cursor.light);
	terminal.stdin.push('q');
	expect((await menu).left).toBeUndefined();
});

test('a background is found once for all screens', async () => {
	const look = theLook();
	const {terminal, menu} = aMenu(look);
	await expect.poll(() => terminal.written).toContain(question);
	terminal.stdin.push(light);
	await expect.poll(() => terminal.written).toContain(cursor.light);
	terminal.stdin.push('\r');
	await menu;
	const second = aMenu(look);
	await expect.poll(() => second.terminal.written).toContain(cursor.light);
	second.terminal.stdin.push('\r');
	await second.menu;
	const third = new TestTerminal(size);
	const stop = new AbortController();
	const dashboard = runDashboard(
		{...look, source: source(), namespace: undefined, menu: outageMenu([])},
		{...third, isAlternate: true, isScreenReader: false},
		stop.signal,
	);
	await expect.poll(() => third.written).toContain(cursor.light);
	stop.abort();
	await dashboard;
	for (const {written} of [second.terminal, third]) {
		expect(written).not.toContain(question);
		expect(written).not.toContain(cursor.dark);
	}
});

test('an answer that is still to come is not left to the shell, and keys until then do nothing', async () => {
	const {terminal, menu} = aMenu(theLook(), true);
	await expect.poll(() => terminal.written).toContain(question);
	terminal.stdin.push('q');
	await expect.poll(() => terminal.stdin.readableLength).toBe(0);
	await sleep(150);
	terminal.stdin.push(`\r${light}\x1b[?62;`);
	await sleep(50);
	terminal.stdin.push('1c');
	expect(await menu).toMatchObject({left: undefined, chosen: undefined});
	expect(terminal.written).toContain(cursor.light);
	expect(terminal.stdin.readableLength).toBe(0);
});

test('a terminal that does not know its background is left at once', async () => {
	const {terminal, menu} = aMenu(theLook());
	await expect.poll(() => terminal.written).toContain(question);
	const asked = Date.now();
	terminal.stdin.push('q');
	await menu;
	expect(Date.now() - asked).toBeLessThan(900);
});

test('a theme that was chosen stays on the next screen', async () => {
	const look = theLook();
	const terminal = new TestTerminal(size);
	const show = (left?: UiState) =>
		runDashboard(
			{...look, left, source: source(), namespace: undefined, menu: outageMenu([one])},
			{...terminal, isAlternate: true, isScreenReader: false},
			new AbortController().signal,
		);
	const first = show();
	await expect.poll(() => terminal.written).toContain(question);
	terminal.stdin.push('3tt@');
	await expect.poll(() => terminal.written).toContain(cursor.contrast);
	terminal.stdin.push('m\r');
	const {left} = await first;
	expect(left).toMatchObject({theme: 'high-contrast', isThemeChosen: true});
	if (!left) throw new Error('no state');
	const from = terminal.written.length;
	const second = show(resumed(firstState('dark', undefined), left));
	await expect.poll(() => terminal.written.slice(from)).toContain(cursor.contrast);
	expect(terminal.written.slice(from)).not.toContain(cursor.dark);
	terminal.stdin.push('q');
	await second;
	const again = show(resumed(left, left));
	await expect.poll(() => terminal.text()).toContain('NODES 1');
	terminal.stdin.push('q');
	await again;
});

test('a terminal that does not answer is left soon', async () => {
	const look = theLook();
	for (const _ of ['first', 'second']) {
		const {terminal, menu} = aMenu(look, true);
		await expect.poll(() => terminal.written).toContain(cursor.dark);
		terminal.stdin.push('q');
		expect((await menu).left).toBeUndefined();
	}
});

test('a bell that comes alone ends the answer, and keys with ctrl are no part of it', () => {
	const plain = {meta: false, escape: false, ctrl: false};
	const background = new Background();
	const open = () => {
		background.take(']', {...plain, meta: true});
		background.take('11;rgb:ffff/ffff/ffff', plain);
	};
	open();
	expect(background.take('g', {...plain, ctrl: true})).toBe(undefined);
	expect(background.theme).toBe('light');
	expect(background.take('g', {...plain, ctrl: true})).toBe('g');
	open();
	expect(background.take('c', {...plain, ctrl: true})).toBe('c');
	expect(background.take('d', plain)).toBe('d');
});
