import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Resvg} from '@resvg/resvg-js';
import {minute, second} from '../src/core/time/instant.ts';
import {capabilitiesOf} from '../src/ui/theme/capabilities.ts';
import type {ThemeName} from '../src/ui/theme/palette.ts';
import {dashboardScreen} from '../test/ui/support/dashboards.ts';
import {Outage} from '../test/ui/support/outage.ts';
import {ShownScreen, type TerminalSize} from '../test/ui/support/terminal.ts';
import {svgOf} from './svgOf.ts';

/** One picture: the scenario, its duration, the keys that are pressed, and the terminal. */
type Picture = {
	readonly name: string;
	readonly scenario: string;
	readonly after: number;
	readonly keys?: readonly string[];
	readonly size?: TerminalSize;
	readonly theme?: ThemeName;
	readonly env?: Readonly<Record<string, string>>;
	/** How long the connection is lost at the end. */
	readonly gapFor?: number;
};

const usual: TerminalSize = {columns: 120, rows: 32};
const zoneStops = {scenario: 'partial-small-zone', after: 3 * minute + 20 * second};
const zoneDies = {scenario: 'zone-dies', after: 75 * second};
const squeezed = {scenario: 'node-pressure', after: 2 * minute + 50 * second};

const pictures: readonly Picture[] = [
	{name: 'overview', ...zoneDies},
	{name: 'zone-stopped', ...zoneStops},
	{name: 'all-zones-down', scenario: 'all-zones-down', after: 100 * second},
	{name: 'controller-down', scenario: 'controller-restart', after: 2 * minute + 26 * second},
	{name: 'why', ...zoneDies, keys: ['\r']},
	{name: 'zones', ...zoneStops, keys: ['2']},
	{name: 'nodes', ...zoneDies, keys: ['3']},
	{name: 'pods', ...zoneStops, keys: ['4']},
	{name: 'workloads', ...zoneStops, keys: ['5']},
	{name: 'events', scenario: 'rack-dies', after: 4 * minute, keys: ['6']},
	{name: 'settings', ...zoneDies, keys: ['7']},
	{name: 'pressure', ...squeezed, keys: ['9']},
	{name: 'pressure-details', ...squeezed, keys: ['9', '\r'], size: {columns: 120, rows: 44}},
	{name: 'pressure-overview', ...squeezed},
	{name: 'help', ...zoneDies, keys: ['?'], size: {columns: 120, rows: 42}},
	{name: 'disconnected', ...zoneStops, gapFor: 42 * second},
	{name: 'wide', scenario: 'partial-large-zone', after: 4 * minute, size: {columns: 200, rows: 50}},
	{name: 'widest', scenario: 'partial-large-zone', after: 4 * minute, size: {columns: 250, rows: 70}},
	{name: 'usual-80x24', ...zoneDies, size: {columns: 80, rows: 24}},
	{name: 'small-60x15', ...zoneDies, size: {columns: 60, rows: 15}},
	{name: 'theme-light', ...zoneDies, theme: 'light'},
	{name: 'theme-high-contrast', ...zoneDies, theme: 'high-contrast'},
	{name: 'no-color', ...zoneDies, env: {NO_COLOR: '1', LANG: 'C.UTF-8'}},
	{name: 'ascii-16-colors', ...zoneDies, env: {TERM: 'xterm', LANG: 'C'}},
];

const everything = {TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8'};

/** Plays the outage in virtual time, shows the dashboard on a terminal, and takes its picture. */
async function take(picture: Picture, folder: string): Promise<void> {
	const {name, scenario, after, keys = [], size = usual, theme = 'dark', env = everything, gapFor} = picture;
	const outage = new Outage(scenario, scenario.includes('large') ? 20 * second : 5 * second).advance(after);
	if (gapFor !== undefined)
		outage.loseConnection(gapFor, 'cannot reach the API server https://10.0.0.1:6443: connection refused');
	const capabilities = capabilitiesOf(env, 'linux');
	const shown = new ShownScreen(dashboardScreen(outage.source, {theme, capabilities}), size);
	await shown.settle();
	await shown.type(...keys);
	const svg = svgOf(shown.terminal.screen, theme);
	await shown.end();
	await writeFile(join(folder, `${name}.svg`), svg);
	const png = new Resvg(svg, {font: {loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans Mono'}})
		.render()
		.asPng();
	await writeFile(join(folder, `${name}.png`), png);
}

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
const chosen = process.argv.slice(2);
if (chosen.length === 0) await rm(folder, {recursive: true, force: true});
await mkdir(folder, {recursive: true});
for (const picture of pictures) {
	if (chosen.length > 0 && !chosen.includes(picture.name)) continue;
	await take(picture, folder);
	console.log(`docs/pictures/${picture.name}.png`);
}
process.exit();
