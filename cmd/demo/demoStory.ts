import {minute} from '../../src/core/time/instant.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import {timeOfDay} from '../../src/dates/format.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import {type KubeletEviction, KubeletEvictions} from '../../src/forecast/ledger/kubeletEvictions.ts';
import type {Prediction} from '../../src/forecast/ledger/prediction.ts';
import {isWellNode} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {escapeForCell} from '../../src/text/escape.ts';
import {shownForecast} from '../../src/ui/scene/digest.ts';
import {headlineOf} from '../../src/ui/scene/headline.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {type DemoDeletion, isAsPredicted} from './demoPredictions.ts';
import {type DemoScene, watchDemo} from './demoWatch.ts';

const defaultSpeed = 30;
/** In every scenario a pod is deleted before this. */
const longest = 20 * minute;
const mostRows = 20;

/** Plays a scenario up to its first deletion and prints what was predicted. Returns 1 if a prediction was wrong. */
export async function printFirstDeletion(
	scenario: DemoScenario,
	speed: number | undefined,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {controller, timeZone: zone} = options;
	await terminal.print(`${scenario.name}: ${scenario.title}\n`);
	const end = new AbortController();
	let isForecastPrinted = false;
	let first: DemoDeletion | undefined;
	const kubelets = new KubeletEvictions();
	const onScene = async (scene: DemoScene) => {
		if (end.signal.aborted) return;
		if (!isForecastPrinted && isWorthPrinting(scene)) {
			isForecastPrinted = true;
			await terminal.print(forecastText(scene, zone));
			await terminal.printError(warnings(scene.forecast.problems, scene.now, options));
		}
		[first] = scene.predictions.deletions;
		kubelets.add(scene.forecast, scene.startedAt);
		if (first || kubelets.evictions.length > 0 || scene.now > scene.startedAt + longest) end.abort();
	};
	await watchDemo(scenario, {speed: () => speed ?? defaultSpeed, pause: 0, controller}, onScene, end.signal);
	const [eviction] = kubelets.evictions;
	if (!first && eviction) {
		await terminal.print(evictionText(eviction, zone));
		return eviction.first && !eviction.missed ? 0 : 1;
	}
	if (!first) {
		await terminal.printError(`error: no pod was evicted within ${formatDuration(longest)}\n`);
		return 1;
	}
	await terminal.print(deletionText(first, zone));
	return isAsPredicted(first) ? 0 : 1;
}

/** Whether a pod will be evicted, now or once evictions resume. */
const isComing = ({verdict, eviction}: PodForecast): boolean => eviction !== null || verdict === 'Held';

/** Whether the scene is worth a line: a node has just become silent or is under pressure, and a forecast follows. */
const isWorthPrinting = ({forecast, isPlain}: DemoScene): boolean =>
	isPlain &&
	((!forecast.nodes.every(isWellNode) && forecast.pods.some(isComing)) ||
		(forecast.pressure ?? []).some(({evictions}) => evictions.some(({isCertain}) => isCertain)));

function forecastText({forecast, now}: DemoScene, zone: TimeZone): string {
	const coming = forecast.pods.filter(isComing).toSorted(pods.compare);
	const more = coming.length - mostRows;
	return (
		`\n${timeOfDay(now, zone)}  ${escapeForCell(headlineOf(shownForecast(forecast), now, zone).text)}\n\n` +
		new Table(pods, {isWide: false, showHeaders: true, timeZone: zone}).rows(coming.slice(0, mostRows), now) +
		(more > 0 ? `+ ${more} more\n` : '')
	);
}

function evictionText(eviction: KubeletEviction, zone: TimeZone): string {
	const {pod, node, at} = eviction;
	const indent = ' '.repeat(timeOfDay(at, zone).length + 2);
	const what = `${timeOfDay(at, zone)}  ${escapeForCell(`${pod} on ${node}`)} evicted by its kubelet, as the watch showed`;
	return `\n${[what, ...comparisonLines(eviction, zone)].join(`\n${indent}`)}\n`;
}

function deletionText(deletion: DemoDeletion, zone: TimeZone): string {
	const {pod, at} = deletion;
	const name = escapeForCell(`${pod.namespace}/${pod.name} on ${pod.nodeName}`);
	const indent = ' '.repeat(timeOfDay(at, zone).length + 2);
	const lines = [
		`${timeOfDay(at, zone)}  ${name} deleted, as the watch showed`,
		...comparisonLines(deletion, zone),
	];
	return `\n${lines.join(`\n${indent}`)}\n`;
}

function comparisonLines(
	{at, first, missed}: Pick<DemoDeletion, 'at' | 'first' | 'missed'>,
	zone: TimeZone,
): readonly string[] {
	if (!first) return ['NOT predicted'];
	const predictedAgo = ({madeAt}: Prediction) => `predicted ${formatDuration(at - madeAt)} before`;
	return [
		`${predictedAgo(first)}: ${formatPrediction(first, zone)}`,
		missed
			? `OUTSIDE what was ${predictedAgo(missed)}: ${formatPrediction(missed, zone)}`
			: 'inside every range predicted for it',
	];
}

function formatPrediction({range: {earliest, latest}}: Prediction, zone: TimeZone): string {
	const [from, to] = [timeOfDay(earliest, zone), latest === null ? 'open' : timeOfDay(latest, zone)];
	return from === to ? from : `${from} to ${to}`;
}
