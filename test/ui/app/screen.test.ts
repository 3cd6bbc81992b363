import {expect, test} from 'vitest';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {dashboardScreen} from '../support/dashboards.ts';
import {TestSource} from '../support/scenes.ts';
import {ShownScreen} from '../support/terminal.ts';

const forecast = aForecast({
	pods: [
		aPodForecast({name: 'first', uid: '1', eviction: inSeconds(100, 101)}),
		aPodForecast({name: 'held', uid: '2', verdict: 'Terminating', eviction: null}),
	],
});
const drawn = () => new Promise((resolve) => setImmediate(resolve));

test('only the rows that changed are written again', async () => {
	const source = new TestSource(forecast);
	const shown = new ShownScreen(dashboardScreen(source), {columns: 100, rows: 24});
	await shown.settle();
	await shown.type('4');
	const before = shown.terminal.written.length;
	source.change({heardAt: now + 1000}, now + 1000);
	await drawn();
	expect(await shown.text()).toContain('1:39');
	const written = shown.terminal.written.slice(before);
	expect(written).toContain('shop/first');
	expect(written).not.toContain('shop/held');
	await shown.end();
});

test('letters that are typed in one go move the cursor one after another', async () => {
	const pods = Array.from({length: 9}, (_, at) =>
		aPodForecast({name: `p${at}`, uid: `p${at}`, eviction: inSeconds(100 + at, 101 + at)}),
	);
	const shown = new ShownScreen(dashboardScreen(new TestSource(aForecast({pods}))), {columns: 100, rows: 24});
	await shown.settle();
	await shown.type('4jjj');
	expect(await shown.text()).toMatch(/▸.*shop\/p3/);
	await shown.end();
});

test('a terminal that changes its size has a screen as wide and as high as it is then', async () => {
	const shown = new ShownScreen(dashboardScreen(new TestSource(forecast)), {columns: 100, rows: 24});
	await shown.settle();
	for (const size of [
		{columns: 60, rows: 15},
		{columns: 120, rows: 30},
	]) {
		shown.terminal.resize(size);
		await drawn();
		const lines = (await shown.text()).split('\n');
		expect(lines).toHaveLength(size.rows - 1);
		expect(lines[0]).toMatch(/^ evictwatch .*UTC$/);
		expect(lines[0]).toHaveLength(size.columns - 1);
	}
	await shown.end();
});

test('of a huge terminal only a part is drawn on', async () => {
	const size = {columns: 1500, rows: 900};
	const shown = new ShownScreen(dashboardScreen(new TestSource(forecast)), size);
	const lines = (await shown.text()).split('\n');
	expect(lines).toHaveLength(199);
	expect(Math.max(...lines.map((line) => line.length))).toBe(499);
	await shown.end();
});

test('names with wide letters and signs of the private area come through as they are', async () => {
	const pod = aPodForecast({name: 'a', because: ['\ue000 漢字 né'], eviction: inSeconds(10, 11)});
	const shown = new ShownScreen(dashboardScreen(new TestSource(aForecast({pods: [pod]}))), {
		columns: 100,
		rows: 40,
	});
	expect(await shown.text()).toContain('· \ue000 漢字 né');
	await shown.end();
});

test('a borrower that the end of the screen interrupts does not get the terminal again', async () => {
	const shown = new ShownScreen(dashboardScreen(new TestSource(forecast)), {columns: 100, rows: 24});
	await shown.settle();
	const {running, terminal} = shown;
	const interrupted = Promise.withResolvers<string>();
	const prompts: string[] = [];
	const prompt = (name: string) =>
		running.lend(() => {
			prompts.push(name);
			return interrupted.promise;
		});
	const first = prompt('first');
	const again = first.catch(() => prompt('again'));
	await expect.poll(() => prompts).toEqual(['first']);
	running.end();
	interrupted.reject(new Error('interrupted'));
	await expect(again).rejects.toThrow('the screen was closed');
	await running.ended;
	expect(prompts).toEqual(['first']);
	expect(terminal.written.split('\x1b[?1049h').length).toBe(terminal.written.split('\x1b[?1049l').length);
});
