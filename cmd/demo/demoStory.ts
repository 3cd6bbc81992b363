import {everyPod} from '../../src/cluster/transport/selection.ts';
import {type Instant, minute} from '../../src/core/time/instant.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import {timeOfDay} from '../../src/dates/format.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {isWellNode} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {type Session, sessionOn} from '../../src/session/session.ts';
import {escapeForCell} from '../../src/text/escape.ts';
import {shownForecast} from '../../src/ui/scene/digest.ts';
import {headlineOf} from '../../src/ui/scene/headline.ts';
import {tellHappening} from '../../src/ui/views/eventsView.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {deletionLedger} from '../sources/deletions.ts';
import {share, withDemo} from './demoWatch.ts';

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
) {
	const {controller, timeZone: zone} = options;
	await terminal.print(`${scenario.name}: ${scenario.title}\n`);
	const end = new AbortController();
	let isForecastPrinted = false;
	let first: ObservedDeletion | undefined;
	const pace = {speed: () => speed ?? defaultSpeed, pause: 0, controller};
	await withDemo(scenario, pace, async ({cluster, known, clock, startedAt}) => {
		const {store} = known;
		const deletions = deletionLedger(store);
		const publish = async (forecast: Forecast, now: Instant) => {
			if (!isForecastPrinted && isWorthPrinting(forecast)) {
				isForecastPrinted = true;
				await terminal.print(forecastText(forecast, now, zone));
				await terminal.printError(warnings([...forecast.problems, ...session.problems], now, options));
			}
			first = deletions.happenings().find(({isBefore}) => !isBefore);
			if (first || now > startedAt + longest) end.abort();
		};
		const session: Session = sessionOn({
			...known,
			ledger: deletions,
			stages: [pressureStage(store, true)],
			share,
			display: {publish},
		});
		const source = clusterSource(cluster, everyPod, undefined, pressuredNodes(store));
		await session.run(source, clock, end.signal);
	});
	if (!first) {
		await terminal.printError(`error: no pod was evicted within ${formatDuration(longest)}\n`);
		return 1;
	}
	const told = tellHappening(first, {now: first.at, timeZone: zone}).map(escapeForCell);
	await terminal.print(`\n${told.join('\n')}\n`);
	return first.isInside ? 0 : 1;
}

/** Whether a pod will be evicted, now or once evictions resume. */
const isComing = ({verdict, eviction}: PodForecast) => eviction !== null || verdict === 'Held';

/** Whether the forecast is worth a line: a node has just become silent or is under pressure, and a forecast follows. */
const isWorthPrinting = (forecast: Forecast) =>
	(!forecast.nodes.every(isWellNode) && forecast.pods.some(isComing)) ||
	(forecast.pressure ?? []).some(({evictions}) => evictions.some(({isCertain}) => isCertain));

function forecastText(forecast: Forecast, now: Instant, zone: TimeZone): string {
	const coming = forecast.pods.filter(isComing).toSorted(pods.compare);
	const more = coming.length - mostRows;
	return (
		`\n${timeOfDay(now, zone)}  ${escapeForCell(headlineOf(shownForecast(forecast), now, zone).text)}\n\n` +
		new Table(pods, {isWide: false, showHeaders: true, timeZone: zone}).rows(coming.slice(0, mostRows), now) +
		(more > 0 ? `+ ${more} more\n` : '')
	);
}
