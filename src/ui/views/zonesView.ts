import {compareNames} from '../../core/collections/compareNames.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import {briefState, zones as zoneKind} from '../../print/tables/zoneKind.ts';
import type {ShownForecast} from '../scene/digest.ts';
import {
	briefWaiting,
	bucketLevel,
	nextStateWithin,
	nextStateWords,
	rateWords,
	tokenWords,
	waitingIn,
	waitingWords,
	type ZoneQueue,
} from '../scene/zoneLine.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type StyledText, span} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';
import type {DashboardTable, TableColumn} from './table.ts';

const stateTone: Readonly<Record<ZoneState, Tone>> = {
	Initial: 'dim',
	Normal: 'good',
	PartialDisruption: 'warn',
	FullDisruption: 'bad',
};

const longestBar = 10;

/** Ready nodes as a bar: full only if all are ready, empty only if none is. */
function readyBar({size, notReady}: ZoneForecast, barWidth: number, glyphs: Glyphs): string {
	const ready = size - notReady;
	const share = size === 0 ? 0 : (ready / size) * barWidth;
	const cells = Math.min(ready > 0 ? Math.max(1, Math.floor(share)) : 0, barWidth);
	return glyphs.full.repeat(cells) + glyphs.empty.repeat(barWidth - cells);
}

const readyTone = ({size, notReady, state}: ZoneForecast): Tone =>
	notReady === 0 ? 'good' : notReady === size ? 'bad' : state === 'Normal' ? 'likely' : 'warn';

function gauge(level: number | undefined, glyphs: Glyphs): string {
	if (level === undefined) return glyphs.none;
	// The highest sign would touch the row above.
	const steps = glyphs.rise.slice(0, -1);
	return steps[Math.min(steps.length - 1, Math.floor(level * steps.length))] ?? glyphs.full;
}

function tokenCell(zone: ZoneForecast, now: number, glyphs: Glyphs): StyledText {
	const words = tokenWords(zone, now);
	const tone = words === 'never' ? 'held' : words === 'ready' ? 'good' : undefined;
	return span(`${gauge(bucketLevel(zone, now), glyphs)} ${words}`, tone);
}

/** Before any condition changes, only silence is visible. */
function silenceWords({zone, state}: ZoneForecast, {digest}: ShownForecast): string {
	const silence = state === 'Normal' ? digest.nodes.silence.get(zone) : undefined;
	return silence ? `${silence.count} ${silence.word}` : '';
}

const columns: readonly TableColumn<ZoneForecast>[] = [
	{
		...{title: 'ZONE', least: 10, most: 40, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareNames(a.zone, b.zone),
		measure: ({zone}, {forecast}) => forecast.digest.names.shortZone(zone),
	},
	{
		// This column and the counts are never truncated, because they contain numbers.
		...{title: 'STATE', drop: 0, sortKey: 'V', compare: zoneKind.compare},
		measure: (zone, {forecast}) => `  ${silenceWords(zone, forecast)}`.padEnd(11),
		cell: (zone, {forecast, glyphs}) => {
			const {state, stopped} = zone;
			if (stopped) return span(`${glyphs.held} ${stopWord[stopped.kind]}`, 'held');
			const silence = silenceWords(zone, forecast);
			return silence === ''
				? span(briefState(state), stateTone[state])
				: span(`${glyphs.certainty.likely} ${silence}`, 'likely');
		},
	},
	{
		...{title: '', least: 5, most: longestBar, drop: 3},
		measure: () => ' '.repeat(longestBar),
		cell: (zone, {glyphs}, width) => span(readyBar(zone, width, glyphs), readyTone(zone)),
	},
	{
		...{title: 'READY', drop: 0, isRight: true},
		measure: ({size}) => `${size}/${size}`,
		cell: ({size, notReady}) => span(`${size - notReady}/${size}`),
	},
	{
		...{title: 'NEXT STATE', least: 15, most: 34, drop: 2},
		// Measured with the widest arrow.
		measure: (zone) => nextStateWords(zone, '->'),
		cell: (zone, {glyphs}, width) => {
			const words = nextStateWithin(zone, glyphs.arrow, width);
			return words === '' ? undefined : span(words, 'dim');
		},
	},
	{
		...{title: 'RATE', width: 6, drop: 4},
		cell: (zone) => span(rateWords(zone), zone.rate === 0 ? 'held' : undefined),
	},
	{
		...{title: 'NEXT TAINT', width: 11, drop: 1},
		cell: (zone, {scene, now, glyphs}) => (scene.isCensus ? undefined : tokenCell(zone, now, glyphs)),
	},
	{
		...{
			title: 'WAITING',
			least: 11,
			most: 32,
			drop: 1,
			sortKey: 'Q',
			measure: () => '20 nodes until 10:00',
			isMostFirst: true,
			compare: (a, b) => b.queue.length - a.queue.length,
		},
		cell: ({zone}, {forecast, now}) => {
			const waiting = waitingOf(zone, forecast);
			const words = waitingWords(waiting, now);
			return words === '' ? undefined : span(words, waiting.queued > 0 ? 'certain' : 'held');
		},
		brief: ({zone}, {forecast}) => briefWaiting(waitingOf(zone, forecast)),
	},
	{
		...{title: 'RESUMES WHEN', least: 40, most: 120, drop: 5},
		measure: ({stopped}) => stopped?.releasedBy ?? '',
		isFilled: ({stopped}) => stopped !== null && stopped !== undefined,
		cell: ({stopped}) => span(stopped?.releasedBy ?? '', 'held'),
	},
];

/** Whether a zone has a problem. */
export const isInTrouble = (zone: ZoneForecast, forecast: ShownForecast): boolean =>
	zone.state !== 'Normal' ||
	zone.notReady > 0 ||
	forecast.digest.nodes.silence.get(zone.zone)?.word === 'silent';

const sorted = (forecast: ShownForecast): readonly ZoneForecast[] =>
	forecast.zones
		.toSorted(zoneKind.compare)
		.toSorted((a, b) => troubleRank(a, forecast) - troubleRank(b, forecast));

/** Those in trouble first, then those with nodes that are only late. */
function troubleRank(zone: ZoneForecast, forecast: ShownForecast): number {
	if (isInTrouble(zone, forecast)) return 0;
	return forecast.digest.nodes.silence.has(zone.zone) ? 1 : 2;
}

const waitingOf = (zone: string, forecast: ShownForecast): ZoneQueue =>
	forecast.digest.nodes.waiting.get(zone) ?? waitingIn([]);

const stopWord = {ControllerDown: 'no ctrl', AllZonesDown: 'down', ZoneStopped: 'stopped'} as const;

/** The zones, the worst state first; if there are few lines, only healthy zones are omitted. */
export const zones: DashboardTable<ZoneForecast> = {
	view: 'zones',
	rows: ({forecast}) => sorted(forecast),
	columns,
	keyOf: ({zone}) => zone,
	nameOf: ({zone}) => zone,
	textOf: ({zone, state}) => `${zone} ${state}`,
	targetOf: ({zone}) => ({kind: 'zone', name: zone}),
	empty: () => 'There are no zones: there are no nodes.',
};
