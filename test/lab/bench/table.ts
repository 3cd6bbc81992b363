import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isUnmeasurable, type Unmeasurable} from './bench.ts';
import {measuredBy} from './benches.ts';
import {median} from './figures.ts';
import {type ForecastMeasured, warmRun} from './forecast.ts';
import {type GrowthMeasured, slopeOf} from './growth.ts';
import {allToBare, frameTo, rowNames, type SizeResult} from './scale/measure.ts';
import type {SimulationMeasured} from './simulation.ts';
import {ratioOf} from './startup/contest.ts';
import type {StartupMeasured} from './startup.ts';
import type {UiMeasured} from './ui.ts';

/** A figure of the table: a number, or the reason why there is none. */
type Row = {
	/** The key under which the figure is saved. */
	readonly key: string;
	readonly what: string;
	/** The size of what it was measured on. */
	readonly size: string;
	readonly unit: 'times' | 'ms' | '% of a core' | 'power of n';
	readonly value: number | string;
};

/** The figures of the last release. */
type Kept = {readonly release: string; readonly figures: Readonly<Record<string, number>>};

const keptFile = join(import.meta.dirname, 'released.json');
const scaleSize = {nodes: 300, podsPerNode: 20};
const frameSize = {nodes: 1000, podsPerNode: 1};
const grownSizes = [1000, 5000] as const;
const largeOutage = '5,000 nodes, 150,000 pods, a zone dead';
const screen = '5,000 nodes, 60,000 pods, 200x50';

/** Runs a bench, and prints its name. */
type Measure = <Measured extends object>(name: string, ...args: readonly string[]) => Measured | Unmeasurable;

/**
 * Measures all figures that were ever set as goals, with short benches. They cannot be compared between machines.
 *
 * @param within the total time limit, in seconds; what is not measured by then is reported as such
 */
export function measureRows(within: number): readonly Row[] {
	const end = performance.now() + within * 1000;
	const measure: Measure = (name, ...args) => {
		console.error(`${name} ...`);
		return measuredBy(name, args, end - performance.now());
	};
	// The longest bench comes last.
	return [started, transferred, firstShown, shown, calculated, grown].flatMap((rows) => rows(measure));
}

function calculated(measure: Measure): readonly Row[] {
	const simulation = measure<SimulationMeasured>('simulation', '--short');
	const forecast = measure<ForecastMeasured>('forecast', '--short');
	const size = largeOutage;
	return [
		{
			...{key: 'simulation', what: 'simulation: unthrottled / throttled', size, unit: 'times'},
			value: figureOf(simulation, ({throttled, unthrottled}) => unthrottled.took / throttled.took),
		},
		{
			...{key: 'forecast', what: 'a forecast / the throttled simulation', size, unit: 'times'},
			value: figureOf(forecast, ({runs}) =>
				figureOf(simulation, ({throttled}) => (runs[warmRun]?.first ?? Number.NaN) / throttled.took),
			),
		},
	];
}

/** How each command grows: n log n is 1.12. */
function grown(measure: Measure): readonly Row[] {
	const [few, many] = grownSizes;
	const growth = measure<GrowthMeasured>('growth', '--rounds', '1', '--nodes', grownSizes.join());
	const size = `${few.toLocaleString('en')} to ${many.toLocaleString('en')} nodes, a zone dead`;
	const names = isUnmeasurable(growth) ? ['each command'] : growth.commands.map(({name}) => name);
	return names.map((name) => ({
		...{key: `growth of ${name}`, what: `processor time of \`${name}\``, size, unit: 'power of n'},
		value: figureOf(growth, ({commands, nodes}) => {
			const one = commands.find((command) => command.name === name);
			return one ? slopeOf(one, nodes) : 'not measured';
		}),
	}));
}

function started(measure: Measure): readonly Row[] {
	const startup = measure<StartupMeasured>('startup', '--short');
	return [
		{
			...{key: 'version', what: '`--version` / `node -e 0`', size: '', unit: 'times'},
			value: figureOf(startup, ({versions: [one]}) => (one ? ratioOf(one) : 'not measured')),
		},
		{
			...{key: 'list', what: '`pods -A` / `kubectl get pods -A`', size: '100 nodes, over TLS', unit: 'times'},
			value: figureOf(startup, ({lists: [one]}) => (one ? ratioOf(one) : 'there is no kubectl')),
		},
	];
}

function transferred(measure: Measure): readonly Row[] {
	const {nodes, podsPerNode} = scaleSize;
	const args = ['--ratio', '--nodes', String(nodes), '--pods-per-node', String(podsPerNode)];
	const scale = measure<readonly SizeResult[]>('scale', ...args);
	return [
		{
			...{key: 'all', what: '`pods -A --all` / the bare transfer', unit: 'times'},
			size: `${nodes} nodes, ${(nodes * podsPerNode).toLocaleString('en')} pods`,
			value: figureOf(scale, ([result]) => (result ? allToBare(result) : 'not measured')),
		},
	];
}

function firstShown(measure: Measure): readonly Row[] {
	const {nodes, podsPerNode} = frameSize;
	const args = [
		'--frames',
		'--rounds',
		'7',
		'--nodes',
		String(nodes),
		'--pods-per-node',
		String(podsPerNode),
	];
	const scale = measure<readonly SizeResult[]>('scale', ...args);
	const to = (name: string) =>
		figureOf(scale, ([result]) => (result ? frameTo(result, name) : 'not measured'));
	const size = `${nodes.toLocaleString('en')} nodes, a zone dead`;
	return [
		{
			...{key: 'firstFrame', what: 'zones on the screen / the bare transfer', size, unit: 'times'},
			value: to(rowNames.nodes),
		},
		{
			...{key: 'firstFrameToKubectl', what: 'the same / kubectl, nodes and leases', size, unit: 'times'},
			value: to(rowNames.kubectlNodes),
		},
	];
}

function shown(measure: Measure): readonly Row[] {
	const ui = measure<UiMeasured>('ui', '--short');
	const ofView = (part: 'clock' | 'fresh' | 'keys') =>
		figureOf(ui, ({views: [view]}) => (view ? median(view[part]) : 'not measured'));
	return [
		{key: 'frame', what: 'a frame, median', size: screen, unit: 'ms', value: ofView('clock')},
		{
			...{key: 'freshFrame', what: 'the same, with a new forecast', size: screen, unit: 'ms'},
			value: ofView('fresh'),
		},
		{key: 'key', what: 'from key to frame, median', size: screen, unit: 'ms', value: ofView('keys')},
		{
			...{key: 'busyKey', what: 'the same, while a forecast is made', size: screen, unit: 'ms'},
			value: figureOf(ui, ({busy: {busy}}) => median(busy.map(({wall}) => wall))),
		},
		{
			...{key: 'steady', what: 'the dashboard in steady state', size: screen, unit: '% of a core'},
			value: figureOf(ui, ({busy}) => busy.steady),
		},
		{
			...{key: 'steadyOf100', what: 'the same', size: '99 nodes, all renewing', unit: '% of a core'},
			value: figureOf(ui, ({steadyOf100: [calm]}) => calm?.percent ?? 'did not run'),
		},
	];
}

function figureOf<Measured extends object>(
	measured: Measured | Unmeasurable,
	read: (measured: Measured) => number | string,
): number | string {
	return isUnmeasurable(measured) ? measured.unmeasurable : read(measured);
}

/** A table of the figures and those of the last release. */
export function tableOf(rows: readonly Row[]): string {
	const {release, figures} = kept();
	const lines = [
		['', 'measured on', 'now', release],
		...rows.map(({key, what, size, unit, value}) => [
			what,
			size,
			typeof value === 'number' ? textOf(value, unit) : `not here: ${value}`,
			key in figures ? textOf(figures[key] ?? Number.NaN, unit) : '',
		]),
	];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
	return lines
		.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
		.map((line) => line.trimEnd())
		.join('\n');
}

const textOf = (value: number, unit: Row['unit']) => `${value.toFixed(2)} ${unit}`;

/** Saves the figures as this release's; a figure that could not be measured keeps its old value. */
export function keep(rows: readonly Row[]): void {
	const {version} = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
		version: string;
	};
	const measured = rows.flatMap(({key, value}) =>
		typeof value === 'number' ? [[key, Number(value.toFixed(3))] as const] : [],
	);
	const next: Kept = {release: `v${version}`, figures: {...kept().figures, ...Object.fromEntries(measured)}};
	writeFileSync(keptFile, `${JSON.stringify(next, null, '\t')}\n`);
}

const kept = () => JSON.parse(readFileSync(keptFile, 'utf8')) as Kept;
