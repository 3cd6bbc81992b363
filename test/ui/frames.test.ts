import {beforeAll, expect, test} from 'vitest';
import {minute, second} from '../../src/core/time/instant.ts';
import {dashboardScreen} from './support/dashboards.ts';
import {Outage} from './support/outage.ts';
import {ShownScreen, type TerminalSize} from './support/terminal.ts';

const sizes: readonly TerminalSize[] = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 50},
];

type Shown = {readonly name: string; readonly keys: readonly string[]; readonly isSqueezed?: true};

const views: readonly Shown[] = [
	{name: 'overview', keys: []},
	{name: 'zones', keys: ['2']},
	{name: 'nodes', keys: ['3']},
	{name: 'pods', keys: ['4']},
	{name: 'workloads', keys: ['5']},
	{name: 'events', keys: ['6']},
	{name: 'settings', keys: ['7']},
	{name: 'problems', keys: ['8']},
	{name: 'details', keys: ['\r']},
	{name: 'details-all', keys: ['\r', '\r']},
	{name: 'pods-of-node', keys: ['3', '\r']},
	{name: 'help', keys: ['?']},
	{name: 'pressure', keys: ['9'], isSqueezed: true},
	{name: 'pressure-details', keys: ['9', '\r'], isSqueezed: true},
	{name: 'pressure-overview', keys: [], isSqueezed: true},
	{name: 'pressure-nodes', keys: ['3'], isSqueezed: true},
	{name: 'pressure-why', keys: ['\r'], isSqueezed: true},
];

let outage: Outage;
let squeezed: Outage;
beforeAll(() => {
	// Three of four nodes of a zone are down by then, one of them is held, and the first pods are gone.
	outage = new Outage('partial-small-zone').advance(3 * minute + 20 * second);
	// A node is below its soft threshold, and close to the hard one.
	squeezed = new Outage('node-pressure').advance(2 * minute + 50 * second);
});

test.for(views)('frames of $name', async ({name, keys, isSqueezed}) => {
	const {source} = isSqueezed ? squeezed : outage;
	const frames: string[] = [];
	for (const size of sizes) {
		const shown = new ShownScreen(dashboardScreen(source), size);
		await shown.settle();
		await shown.type(...keys);
		const lines = (await shown.text()).split('\n');
		expect(lines.length).toBeLessThan(size.rows);
		frames.push(`${size.columns}x${size.rows}`, ...lines.map((line) => `|${line}`), '');
		await shown.end();
	}
	await expect(frames.join('\n')).toMatchFileSnapshot(`frames/${name}.txt`);
});
