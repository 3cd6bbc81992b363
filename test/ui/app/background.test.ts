import {PassThrough} from 'node:stream';
import {afterEach, expect, test, vi} from 'vitest';
import {hasLightBackground} from '../../../src/ui/app/background.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../../print/forecasts.ts';
import {dashboardScreen} from '../support/dashboards.ts';
import {TestSource} from '../support/scenes.ts';
import {ShownScreen} from '../support/terminal.ts';

afterEach(() => vi.useRealTimers());

const asked = '\x1b]11;?\x1b\\\x1b[c';

/** A terminal that sends these chunks when it is asked, and what was seen of it. */
function terminalThat(...answers: readonly string[]) {
	const modes: boolean[] = [];
	const stdin = Object.assign(new PassThrough(), {
		setRawMode(isRaw: boolean) {
			modes.push(isRaw);
			return stdin;
		},
	});
	const stdout = new PassThrough();
	stdout.on('data', (data: Buffer) => {
		if (data.toString() === asked) for (const answer of answers) stdin.write(answer);
	});
	return {terminal: {stdin, stdout} as unknown as Parameters<typeof hasLightBackground>[0], stdin, modes};
}

test.for([
	{background: 'rgb:ffff/ffff/ffff', isLight: true},
	{background: 'rgb:fdfd/f6f6/e3e3', isLight: true},
	{background: 'rgb:ff/ff/ff', isLight: true},
	{background: 'rgba:ffff/ffff/ffff/ffff', isLight: true},
	{background: 'rgb:0000/0000/0000', isLight: false},
	{background: 'rgb:1e1e/1e1e/2e2e', isLight: false},
	{background: 'rgb:0000/0000/ffff', isLight: false},
])('a terminal whose background is $background is light: $isLight', async ({background, isLight}) => {
	const {terminal, modes} = terminalThat(`\x1b]11;${background}\x1b\\\x1b[?62;22c`);
	expect(await hasLightBackground(terminal)).toBe(isLight);
	expect(modes).toEqual([true, false]);
});

test('an answer may end with a bell, and come in pieces', async () => {
	const {terminal} = terminalThat('\x1b]11;rgb:ff', 'ff/ffff/ffff\x07', '\x1b[?1;', '2c');
	expect(await hasLightBackground(terminal)).toBe(true);
});

test('a terminal that does not know its background is taken for dark, without a wait', async () => {
	expect(await hasLightBackground(terminalThat('\x1b[?1;2c').terminal)).toBe(false);
});

test('a terminal that never answers is taken for dark after a second', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const {terminal, modes} = terminalThat();
	const answer = hasLightBackground(terminal);
	await vi.advanceTimersByTimeAsync(1000);
	expect(await answer).toBe(false);
	expect(modes).toEqual([true, false]);
});

test('keys that are typed meanwhile are left to the next reader', async () => {
	const {terminal, stdin} = terminalThat('3', '\x1b]11;rgb:0/0/0\x1b\\', 'j', '\x1b[?1;2c');
	await hasLightBackground(terminal);
	expect((stdin.read() as Buffer).toString()).toBe('3j');
});

test.for([
	'\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c',
	'\x1b]11;rgb:1e1e/1e1e/2e2e\x07\x1b[?1;2c',
	'\x1b]11;rgba:ff/ff/ff/ff\x07\x1b[?1;2c',
])('an answer that comes only once the dashboard is shown is no typing: %j', async (answer) => {
	const source = new TestSource(aForecast({nodes: [aNodeForecast()], pods: [aPodForecast()]}));
	const shown = new ShownScreen(dashboardScreen(source), {columns: 100, rows: 24});
	const before = await shown.text();
	await shown.type(answer);
	const after = await shown.text();
	await shown.end();
	expect(after).toBe(before);
});
