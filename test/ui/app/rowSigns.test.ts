import {expect, test} from 'vitest';
import type {Screenful} from '../../../src/ui/app/app.ts';
import {RowSigns} from '../../../src/ui/app/rowSigns.ts';
import {ShownScreen} from '../support/terminal.ts';

test('a sign is one letter, and becomes its row again', () => {
	const signs = new RowSigns();
	const [first, second] = [signs.signOf('\x1b[1mone\x1b[0m'), signs.signOf('two')];
	expect([...first]).toHaveLength(1);
	expect(signs.written(`\x1b[2K${first}\n${second}\n`)).toBe('\x1b[2K\x1b[1mone\x1b[0m\ntwo\n');
});

test('the same row has the same sign, another row another', () => {
	const signs = new RowSigns();
	const all = Array.from({length: 1000}, (_, index) => signs.signOf(`row ${index}`));
	expect(new Set(all).size).toBe(1000);
	expect(all.map((_, index) => signs.signOf(`row ${index}`))).toEqual(all);
});

test('a row that every frame has keeps its sign, however many others come and go', () => {
	const signs = new RowSigns();
	const title = signs.signOf('title');
	for (let frame = 0; frame < 20_000; frame += 1) {
		const clock = signs.signOf(`clock ${frame}`);
		expect(clock).not.toBe(title);
		expect(signs.signOf('title')).toBe(title);
		expect(signs.written(title + clock)).toBe(`titleclock ${frame}`);
	}
});

const showing = (frame: Screenful['shown']['frame']) => {
	let listener: () => void = () => undefined;
	const screen: Screenful = {
		...{shown: {frame}, press: () => undefined, tick: () => 60_000},
		subscribe: (added) => {
			listener = added;
			return () => undefined;
		},
	};
	return {screen, redraw: () => listener()};
};

test('rows with signs of their own, wide letters and colours come through as they are', async () => {
	let clock = 0;
	const rows = () => [`\ue000\ue001 ${clock}`, '', '\x1b[31m漢字 né\x1b[0m', 'last'];
	const {screen, redraw} = showing(rows);
	const shown = new ShownScreen(screen, {columns: 40, rows: 6});
	expect(await shown.text()).toBe('\ue000\ue001 0\n\n漢字 né\nlast');
	clock = 1;
	const before = shown.terminal.written.length;
	redraw();
	await new Promise((resolve) => setImmediate(resolve));
	expect(await shown.text()).toBe('\ue000\ue001 1\n\n漢字 né\nlast');
	// Only the row that changed is written again.
	expect(shown.terminal.written.slice(before)).not.toContain('last');
	await shown.end();
});

test('a terminal that changes its width has all of its rows written anew, as wide as it is then', async () => {
	const {screen} = showing(({columns}) => ['='.repeat(columns), '', 'the same', 'last']);
	const shown = new ShownScreen(screen, {columns: 40, rows: 6});
	expect(await shown.text()).toBe(`${'='.repeat(40)}\n\nthe same\nlast`);
	for (const columns of [20, 60]) {
		const before = shown.terminal.written.length;
		shown.terminal.resize({columns, rows: 6});
		await new Promise((resolve) => setImmediate(resolve));
		expect(await shown.text()).toBe(`${'='.repeat(columns)}\n\nthe same\nlast`);
		expect(shown.terminal.written.slice(before)).toContain('the same');
	}
	await shown.end();
});

test('a screen reader is given the same text', async () => {
	const {screen} = showing(() => ['\ue000 one', 'two']);
	const shown = new ShownScreen(screen, {columns: 40, rows: 6}, true);
	expect(await shown.text()).toBe('\ue000 one\ntwo');
	await shown.end();
});
