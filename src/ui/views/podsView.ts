import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {dateOf, timeOfDay} from '../../dates/format.ts';
import {isNear} from '../../dates/utc.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {Range} from '../../forecast/range.ts';
import {returnBefore} from '../../forecast/whatif/remedy.ts';
import {linked} from '../../forecast/words.ts';
import {type PodRow, pods as podKind} from '../../print/tables/podKind.ts';
import {isInTrouble} from '../../print/tables/zoneKind.ts';
import {calmOf, calmWords, unaskedWords} from '../../print/whyNotYet.ts';
import {subjectOfWorkload} from '../scene/questions.ts';
import {clockSpan, clockSpanUp, countdown} from '../scene/spans.ts';
import {widthOf} from '../theme/text.ts';
import {arranged, type DashboardTable, type DrawContext, type DrawnColumn} from './table.ts';

/** The latest return of the node that saves a pod: a pass must see it before the countdown ends. */
function untilOf(
	{eviction, cause, verdict, isUntold}: PodForecast,
	{scene}: DrawContext,
): Instant | undefined {
	const period = scene.settings.find(({name}) => name === 'node-monitor-period')?.value;
	const isByNode = cause?.kind === 'Taint' && /\/(unreachable|not-ready):/.test(cause.taint ?? '');
	if (!eviction || isUntold || !isByNode || verdict === 'Overdue' || typeof period !== 'number')
		return undefined;
	return returnBefore(eviction, period);
}

const recoverBy: DrawnColumn<PodRow> = {
	title: 'MUST-RECOVER-BY',
	drop: 1,
	cell: (pod, context) => {
		const until = untilOf(pod, context);
		const {now, timeZone} = context;
		if (until === undefined) return '';
		return until <= now ? 'too late?' : (isNear(until, now) ? timeOfDay : dateOf)(until, timeZone);
	},
	drawn: {briefTitle: 'RECOVER BY', least: 10, tone: 'key'},
};

const order = ['IN', 'LIKELY', 'NAME', 'NODE', 'ZONE', recoverBy, 'CAUSE', 'THEN'];
const columns = arranged<PodRow>(podKind.columns, order);

/** A row by its whole name. */
export const fullName = (row: PodRow) => `${podKey(row)}${row.fold ? ` (${row.fold.pods.length} pods)` : ''}`;

const stillReading = 'Pods are still being read.';

const base: Omit<DashboardTable<PodRow>, 'view' | 'rows' | 'columns' | 'empty'> = {
	...podKind,
	fold: (rows, unfolded, {digest}) =>
		digest
			.folded(rows)
			.flatMap((row) => (row.fold && unfolded.has(podKind.keyOf(row)) ? [row, ...row.fold.pods] : [row])),
	isFold: ({fold}) => fold !== undefined,
	across: (row, {forecast, now}, width) => {
		const sequence = sequenceOf(row, forecast, now);
		if (!sequence) return undefined;
		// A fold is of one zone: others may have one of the same workload.
		const zones = forecast.zones.filter(isInTrouble);
		const name = `${fullName(row)}${zones.length > 1 ? ` in ${forecast.digest.names.shortZone(row.zone)}` : ''}`;
		const words = [sequenceWords(sequence), sequence.every.replace(/^then /, '')];
		return words.map((some) => `${name}: ${some}`).find((text) => widthOf(text) <= width) ?? name;
	},
	nameOf: ({name, fold}) => (fold ? fold.pods.map(nameOf).join('\n') : name),
	textOf: (pod) => {
		const {kind, name} = workloadOf(pod);
		const owner = kind === 'Pod' ? '' : `${kind}/${name}`;
		return `${fullName(pod)} ${pod.node} ${pod.zone} ${pod.verdict} ${owner}`;
	},
	targetOf: (row) => {
		const {namespace, name, fold} = row;
		return fold ? subjectOfWorkload({namespace, ...workloadOf(row)}) : {kind: 'pod', namespace, name};
	},
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
	columns: arranged<PodRow>(podKind.columns, [
		...order,
		'OWNER',
		{
			title: 'PRIO',
			drop: 6,
			cell: ({priority: of}) => String(of ?? '-'),
			drawn: {
				width: 10,
				isRight: true,
				sortKey: 'P',
				isMostFirst: true,
				compare: (a, b) => (b.priority ?? 0) - (a.priority ?? 0) || podKind.compare(a, b),
			},
		},
	]),
	empty: ({forecast, scene}) =>
		scene.reading
			? stillReading
			: `${
					calmOf(forecast).evictions === 'none'
						? `All ${forecast.pods.length} pods are safe: their nodes are well${unaskedWords(forecast)}`
						: calmWords(forecast)
				}.`,
};

/** Ranges up to this length show when each pod is evicted; longer ones come from the random order. */
const narrow: Duration = 10_000;

/** When the first, each next and the last pod of a fold is evicted, in words. */
type Sequence = {readonly first: string; readonly every: string; readonly last: string};

/** The sequence of a fold whose pods are evicted in the random order of their zone's queue. Undefined if the range says enough. */
export function sequenceOf(
	{fold, eviction, zone}: PodRow,
	forecast: Forecast,
	now: Instant,
): Sequence | undefined {
	if (!fold || !eviction || (eviction.latest !== null && eviction.latest - eviction.earliest <= narrow))
		return undefined;
	const of = forecast.zones.find((one) => one.zone === zone);
	const queue = of?.queue ?? [];
	const isWaiting = [...fold.nodes].every((node) => queue.includes(node));
	const {expected, latest} = eviction;
	const last =
		latest === null ? '' : `half by ${clockSpanUp(expected - now)}, last by ${clockSpanUp(latest - now)}`;
	const notBefore = `first not before ${clockSpan(eviction.earliest - now)}`;
	if (!isWaiting || !of || of.rate === 0) return {first: notBefore, every: 'in random order', last};
	const isOneEach = fold.pods.length === fold.nodes.size;
	const every = `${isOneEach ? 'one' : 'those of one node'} every ${clockSpan(1000 / of.rate)}`;
	// Only if each queued node has a pod of the fold is it known when the first one is evicted.
	return queue.length > fold.nodes.size
		? {first: notBefore, every: `at most ${every}`, last}
		: {first: `first ${countdown(firstOf(eviction, of.nextTaint), now)}`, every: `then ${every}`, last};
}

/** All parts: `first 0:38–0:39, then one every 1:40, last by 59:04`. */
export const sequenceWords = ({first, every, last}: Sequence) => linked(', ', first, every, last);

/** When the first of them is evicted: from the earliest instant on, for as long as the next token is uncertain. */
const firstOf = ({earliest}: Range, token: Range | null): Range => {
	const spread = token?.latest === undefined || token.latest === null ? 0 : token.latest - token.earliest;
	return new Range(earliest, earliest, earliest + Math.max(spread, 1000));
};
