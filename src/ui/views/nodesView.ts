import {compareNames} from '../../core/collections/compareNames.ts';
import {never} from '../../core/time/instant.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import {nodes as nodeKind} from '../../print/tables/nodeKind.ts';
import {age} from '../scene/spans.ts';
import {type StyledText, span} from '../theme/line.ts';
import {countCell, nodeSign, nodeTone, rangeCell, shortTaint} from './cells.ts';
import type {CellContext, DashboardTable, TableColumn} from './table.ts';
import {zoneColumn} from './zoneColumn.ts';

const taintWords = ({taints}: NodeForecast): string => taints.map(shortTaint).join(',');

/** The possible places of a waiting node in its zone's queue, and the probability that it is next. */
function queueCell(
	{zone, nextProbability}: NodeForecast,
	{forecast, glyphs}: Pick<CellContext, 'forecast' | 'glyphs'>,
): StyledText | undefined {
	if (nextProbability === null) return undefined;
	const last = forecast.zones.find((one) => one.zone === zone)?.queue.length ?? 1;
	const first = Math.min(nextProbability > 0 ? 1 : 2, last);
	const places = first === last ? String(last) : `${first}${glyphs.none}${last}`;
	const chance =
		nextProbability > 0 && nextProbability < 0.01 ? '<1%' : `${Math.round(nextProbability * 100)}%`;
	return span(`${places}, ${chance}`, 'certain');
}

const causeOf = ({because}: NodeForecast, {forecast}: Pick<CellContext, 'forecast'>): string =>
	forecast.digest.names.shorten(because.at(-1) ?? '');

const byName = (a: NodeForecast, b: NodeForecast): number => compareNames(a.name, b.name);

const columns: readonly TableColumn<NodeForecast>[] = [
	{
		...{title: 'NODE', least: 10, most: 50, drop: 0, isName: true, sortKey: 'N'},
		compare: byName,
		measure: ({name}, {forecast}) => forecast.digest.names.shortNode(name),
	},
	{
		...{title: 'VERDICT', width: 12, drop: 0, sortKey: 'V', compare: nodeKind.compare},
		cell: ({verdict}, {glyphs}) => span(`${nodeSign(verdict, glyphs)} ${verdict}`, nodeTone[verdict]),
	},
	zoneColumn,
	{
		...{title: 'READY', width: 7, drop: 9},
		cell: ({ready}) => (ready === undefined ? undefined : span(ready, ready === 'True' ? 'good' : 'bad')),
	},
	{
		...{title: 'HEARTBEAT', width: 10, drop: 2, isTimed: true, isRight: true, sortKey: 'A'},
		compare: (a, b) => (a.lastRenewal ?? 0) - (b.lastRenewal ?? 0),
		cell: ({lastRenewal, isSilent}, {now}) =>
			lastRenewal === null
				? span('unseen', 'dim')
				: span(`${age(lastRenewal, now)} ago`, isSilent ? 'bad' : undefined),
	},
	{
		...{title: 'UNKNOWN IN', width: 12, drop: 6, isTimed: true, sortKey: 'U'},
		compare: (a, b) => (a.unknown?.earliest ?? never) - (b.unknown?.earliest ?? never),
		isFilled: ({unknown}) => unknown !== null,
		cell: ({unknown}, {now}) => rangeCell(unknown, now, 'likely'),
	},
	{
		...{title: 'TAINT IN', width: 12, drop: 1, isTimed: true, sortKey: 'T'},
		compare: (a, b) =>
			((a.eviction ?? a.noExecute)?.earliest ?? never) - ((b.eviction ?? b.noExecute)?.earliest ?? never),
		isFilled: ({noExecute, eviction}) => (eviction ?? noExecute) !== null,
		cell: ({noExecute, eviction}, {now}) => rangeCell(eviction ?? noExecute, now, 'likely'),
	},
	{
		...{title: 'TAINTS', least: 11, most: 24, drop: 8},
		measure: taintWords,
		isFilled: ({taints}) => taints.length > 0,
		cell: (one) => (one.taints.length > 0 ? span(taintWords(one), 'certain') : undefined),
	},
	{
		...{title: 'QUEUE', width: 12, drop: 7},
		isFilled: ({nextProbability}) => nextProbability !== null,
		cell: queueCell,
	},
	{
		...{title: 'PODS', width: 5, drop: 7, isRight: true},
		cell: ({name}, {forecast}) => {
			const onNode = forecast.digest.podsOf(name);
			return onNode && span(String(onNode.all));
		},
	},
	{
		...{title: 'EVICTING', width: 5, drop: 4, isRight: true},
		cell: ({name}, {forecast}) => countCell(forecast.digest.podsOf(name)?.coming ?? 0, 'certain'),
	},
	{
		...{title: 'SHORT OF', width: 11, drop: 5},
		isFilled: ({pressure}) => pressure !== undefined,
		cell: ({pressure}) => {
			if (!pressure) return undefined;
			const words = pressure.conditions.map((name) => name.replace(/Pressure$/, '').toLowerCase());
			return span(words.join(',') || 'soon', words.length > 0 ? 'bad' : 'likely');
		},
	},
	{
		...{title: 'CAUSE', least: 20, most: 160, drop: 10},
		measure: causeOf,
		cell: (one, {forecast}) => span(causeOf(one, {forecast}), 'dim'),
	},
];

/** The nodes: those closest to losing their pods first, those under pressure before healthy ones. */
export const nodes: DashboardTable<NodeForecast> = {
	view: 'nodes',
	rows: ({forecast}) => forecast.digest.nodeRows,
	columns,
	keyOf: ({uid, name}) => uid || name,
	nameOf: ({name}) => name,
	textOf: ({name, zone, verdict}) => `${name} ${zone} ${verdict}`,
	labelsOf: ({labels}) => labels,
	targetOf: ({name}) => ({kind: 'node', name}),
	empty: () => 'There are no nodes.',
};
