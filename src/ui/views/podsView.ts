import {compareNames} from '../../core/collections/compareNames.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {dateOf, timeOfDay} from '../../dates/format.ts';
import {isNear} from '../../dates/utc.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {returnBefore} from '../../forecast/whatif/remedy.ts';
import type {PodRow} from '../../print/tables/podFolds.ts';
import {calmOf, calmWords, unaskedWords} from '../../print/whyNotYet.ts';
import {compareUrgency} from '../scene/digest.ts';
import {sequenceOf, sequenceWords} from '../scene/folds.ts';
import {clockSpan} from '../scene/spans.ts';
import {thenWords} from '../scene/workloads.ts';
import {span} from '../theme/line.ts';
import {widthOf} from '../theme/text.ts';
import {becauseWords, briefCause, inCell} from './cells.ts';
import type {CellContext, DashboardTable, TableColumn} from './table.ts';
import {zoneColumn} from './zoneColumn.ts';
import {isInTrouble} from './zonesView.ts';

const ownerName = (pod: PodForecast): string => {
	const {kind, name} = workloadOf(pod);
	return kind === 'Pod' ? '' : `${kind}/${name}`;
};

const fullName = ({namespace, name, fold}: PodRow): string =>
	`${namespace}/${name}${fold ? ` ×${fold.pods.length}` : ''}`;

const nodeName = ({node, fold}: PodRow, {forecast}: Pick<CellContext, 'forecast'>): string =>
	fold && fold.nodes.size > 1 ? `${fold.nodes.size} nodes` : forecast.digest.names.shortNode(node);

const by = (of: (pod: PodForecast) => string) => (a: PodForecast, b: PodForecast) =>
	compareNames(of(a), of(b));

/** The latest return of the node that saves a pod: a pass must see it before the countdown ends. */
function untilOf(
	{eviction, cause, verdict}: PodForecast,
	{scene}: Pick<CellContext, 'scene'>,
): Instant | undefined {
	const period = scene.settings.find(({name}) => name === 'node-monitor-period')?.value;
	const isByNode = cause?.kind === 'Taint' && /\/(unreachable|not-ready):/.test(cause.taint ?? '');
	if (!eviction || !isByNode || verdict === 'Overdue' || typeof period !== 'number') return undefined;
	return returnBefore(eviction, period);
}

const columns: readonly TableColumn<PodRow>[] = [
	{
		...{title: 'IN', width: 13, drop: 0, isTimed: true, sortKey: 'T', sortWord: 'time'},
		compare: compareUrgency,
		cell: (pod, {now, glyphs}) => inCell(pod, now, glyphs),
	},
	{
		...{title: 'MEDIAN', width: 6, drop: 2, isTimed: true, isRight: true},
		cell: ({eviction, verdict}, {now}) =>
			eviction && verdict !== 'Overdue' ? span(clockSpan(eviction.expected - now), 'dim') : undefined,
	},
	{
		...{title: 'POD', least: 26, most: 70, drop: 0, isName: true, sortKey: 'N', compare: by(fullName)},
		measure: fullName,
	},
	{
		...{title: 'NODE', least: 6, most: 45, drop: 2, isName: true, sortKey: 'O'},
		compare: by(({node}) => node),
		// The number of nodes of pods that are not evicted takes no room from times.
		measure: (pod, context) => (pod.fold && !pod.eviction ? '' : nodeName(pod, context)),
		cell: (pod, context) => span(nodeName(pod, context) || '<none>'),
		brief: (pod, context) => (pod.fold ? String(pod.fold.nodes.size) : nodeName(pod, context)),
	},
	zoneColumn,
	{
		...{title: 'MUST RECOVER BY', briefTitle: 'RECOVER BY', least: 10, drop: 1},
		cell: (pod, context) => {
			const until = untilOf(pod, context);
			if (until === undefined) return undefined;
			const {now, timeZone} = context;
			if (until <= now) return span('too late?', 'dim');
			return span((isNear(until, now) ? timeOfDay : dateOf)(until, timeZone), 'key');
		},
	},
	{
		...{title: 'CAUSE', least: 16, most: 46, drop: 4},
		measure: becauseWords,
		cell: (pod) => span(becauseWords(pod), pod.held ? 'held' : undefined),
		brief: (pod, _context, width) => briefCause(pod, width),
	},
	{
		...{title: 'THEN', least: 8, most: 36, drop: 5},
		measure: thenWords,
		cell: (pod) => span(pod.eviction || pod.held ? thenWords(pod) : '', 'dim'),
		brief: (pod) => thenWords(pod).split(/[ :]/)[0] ?? '',
	},
];

const more: readonly TableColumn<PodRow>[] = [
	{
		...{title: 'OWNER', least: 20, most: 40, drop: 5, isName: true, sortKey: 'W', compare: by(ownerName)},
		measure: ownerName,
		cell: (pod) => span(ownerName(pod) || '<none>'),
	},
	{
		...{title: 'PRIO', width: 10, drop: 6, isRight: true, sortKey: 'P', isMostFirst: true},
		compare: (a, b) => (b.priority ?? 0) - (a.priority ?? 0) || compareUrgency(a, b),
		cell: ({priority}) => (priority === undefined ? undefined : span(String(priority))),
	},
];

const stillReading = 'Pods are still being read.';

const base: Omit<DashboardTable<PodRow>, 'view' | 'rows' | 'columns' | 'empty'> = {
	keyOf: ({uid, namespace, name}) => uid || `${namespace}/${name}`,
	fold: (rows, unfolded, {digest}) =>
		digest
			.folded(rows)
			.flatMap((row) => (row.fold && unfolded.has(row.uid) ? [row, ...row.fold.pods] : [row])),
	isFold: ({fold}) => fold !== undefined,
	across: (row, {forecast, now}, width) => {
		const sequence = sequenceOf(row, forecast, now);
		if (!sequence) return undefined;
		// A fold is of one zone: others may have one of the same workload.
		const zones = forecast.zones.filter((zone) => isInTrouble(zone, forecast));
		const name = `${fullName(row)}${zones.length > 1 ? ` in ${forecast.digest.names.shortZone(row.zone)}` : ''}`;
		const words = [sequenceWords(sequence), sequence.every.replace(/^then /, '')];
		return words.map((some) => `${name}: ${some}`).find((text) => widthOf(text) <= width) ?? name;
	},
	nameOf: ({name, fold}) => (fold ? fold.pods.map((pod) => pod.name).join('\n') : name),
	textOf: (pod) => `${fullName(pod)} ${pod.node} ${pod.zone} ${pod.verdict} ${ownerName(pod)}`,
	labelsOf: ({labels}) => labels,
	namespaceOf: ({namespace}) => namespace,
	targetOf: ({namespace, name, fold}) => (fold ? undefined : {kind: 'pod', namespace, name}),
};

/** The next evictions in the overview: coming ones, then held ones. */
export const nextEvictions: DashboardTable<PodRow> = {
	...base,
	view: 'overview',
	rows: ({forecast}) => {
		const {coming, troubled, counts} = forecast.digest.pods;
		// Held pods follow coming ones.
		return counts.Held === 0 ? coming : troubled.slice(0, coming.length + counts.Held);
	},
	columns,
	empty: ({forecast, scene}) => (scene.reading ? stillReading : `${calmWords(forecast)}.`),
};

/** Every pod that is not safe. */
export const pods: DashboardTable<PodRow> = {
	...base,
	view: 'pods',
	rows: ({forecast}) => forecast.digest.pods.troubled,
	columns: [...columns, ...more],
	empty: ({forecast, scene}) =>
		scene.reading
			? stillReading
			: `${
					calmOf(forecast).evictions === 'none'
						? `All ${forecast.pods.length} pods are safe: their nodes are well${unaskedWords(forecast)}`
						: calmWords(forecast)
				}.`,
};
