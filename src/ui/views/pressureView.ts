import {ascending} from '../../core/collections/ascending.ts';
import {podKey} from '../../core/model/pod.ts';
import type {Signal} from '../../core/nodepressure/thresholds/signal.ts';
import {beginningOfTime, never} from '../../core/time/instant.ts';
import {formatAmount} from '../../forecast/pressure/amount.ts';
import type {SignalForecast, ThresholdForecast} from '../../forecast/pressure/pressureForecast.ts';
import {formatPressure} from '../../print/pressure/pressure.ts';
import {crossingWords, thresholdWords, trendWords} from '../../print/pressure/pressureWords.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {unwrapped} from '../../print/tables/table.ts';
import {nodeOfKey, type PressureRow, pressureKey, pressureRows} from '../scene/pressureRows.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import type {DashboardTable, DrawContext} from './table.ts';

const longestBar = 16;

/** Bytes in readable units; inodes and processes in thousands or millions. */
function briefAmount(amount: bigint, signal: Signal): string {
	const text = formatAmount(amount, signal);
	if (text.length <= 6) return text;
	const value = Number(amount);
	return Math.abs(value) < 1e6 ? `${Math.round(value / 1e3)}k` : `${Number((value / 1e6).toFixed(1))}M`;
}

const below = ({signal, threshold}: PressureRow, {now, countdown}: DrawContext) =>
	threshold ? crossingWords(threshold, now, countdown) : signal ? 'no threshold' : '';

const earliestOf = ({threshold}: PressureRow) =>
	threshold?.crossing.type === 'met' ? beginningOfTime : (threshold?.crossing.at?.earliest ?? never);

/** The text shown for a row without a measured signal. */
function wordsOf({signal, conditions, pressure}: PressureRow): string {
	if (signal) return signal.signal;
	if (conditions.length > 0) return conditions.join(',');
	return pressure ? 'nothing measured' : '';
}

const thresholdOf = ({signal, threshold}: PressureRow) =>
	signal && threshold ? thresholdWords(threshold, signal.signal) : '';

/** The colour of a signal's gauge, by how close it is to its threshold. */
const gaugeTone = ({threshold}: PressureRow): Tone =>
	threshold ? (crossingTones[threshold.crossing.type] ?? 'good') : 'dim';

const crossingTones: Readonly<Partial<Record<ThresholdForecast['crossing']['type'], Tone>>> = {
	met: 'bad',
	expected: 'warn',
	possible: 'likely',
};

/** Everything known about a node's pressure, as `pressure NODE -o wide` prints it. */
function pressureAnswer(
	key: string,
	{forecast, now, timeZone}: DrawContext,
	recordWidth: number,
): readonly string[] {
	const node = nodeOfKey(key);
	const pressure = forecast.pressure?.find((look) => look.node === node);
	return pressure
		? formatPressure(pressure, {...unwrapped, isWide: true, timeZone, recordWidth}, now)
				.trimEnd()
				.split('\n')
		: [
				`The kubelet of ${node} was not asked yet. It is asked within seconds where that can be done; of recordings and files nothing but the conditions is known.`,
			];
}

/** The remaining resources of nodes at which kubelets evict, and the pods that would be evicted. */
export const pressure: DashboardTable<PressureRow> = {
	view: 'pressure',
	rows: ({forecast}) => pressureRows(forecast),
	columns: [
		{
			title: 'NODE',
			cell: ({node}, {nodeName}) => nodeName(node),
			drawn: {
				least: 6,
				most: 40,
				isName: true,
				tone: ({conditions}) => (conditions.length > 0 ? 'bad' : undefined),
				sortKey: 'N',
			},
		},
		{
			title: 'SIGNAL',
			cell: wordsOf,
			brief: (row) => wordsOf(row).replace('.available', '').replace('.inodesFree', ' inodes'),
			drawn: {least: 18, most: 27, tone: ({signal}) => (signal ? undefined : 'dim'), sortKey: 'S'},
		},
		{
			title: '',
			drop: 2,
			cell: () => '',
			drawn: {
				least: 6,
				most: longestBar,
				text: ({signal}, {glyphs}, width) => (signal ? gaugeBar(signal, width || longestBar, glyphs) : ''),
				tone: gaugeTone,
			},
		},
		{
			title: 'AVAIL',
			drop: 1,
			cell: ({signal}) =>
				signal && signal.available !== null ? briefAmount(signal.available, signal.signal) : '',
			drawn: {width: 6, isRight: true, tone: gaugeTone},
		},
		{
			title: 'THRESHOLD',
			drop: 3,
			cell: thresholdOf,
			brief: (row) => thresholdOf(row).split(/,? /)[0] ?? '',
			drawn: {least: 9, most: 24},
		},
		{
			title: 'TREND',
			drop: 4,
			cell: ({signal}) => (signal?.trend ? trendWords(signal.trend.perSecond.median, signal.signal) : ''),
			drawn: {width: 11},
		},
		{
			title: 'BELOW IN',
			drop: 1,
			cell: below,
			brief: (row, context) =>
				below(row, context)
					.replace(/, grace for.*/, '')
					.replace(/^perhaps (.*)/, '$1?')
					.replace('on this', 'by'),
			drawn: {
				least: 12,
				most: 17,
				tone: gaugeTone,
				sortKey: 'T',
				compare: ascending(earliestOf),
			},
		},
		{
			title: 'EVICTED NEXT',
			cell: ({next, pressure}, {countdown}) =>
				next ? `${countdown(next.when)} ${podKey(next.pod)}` : pressure ? '' : 'not queried',
			// When, the headline tells as well.
			brief: ({next}) => (next ? podKey(next.pod) : ''),
			drawn: {
				least: 16,
				most: 70,
				isName: true,
				sign: ({next}) => next && (next.isCertain ? 'certain' : 'possible'),
				tone: ({next}) => (next ? undefined : 'dim'),
			},
		},
	],
	keyOf: pressureKey,
	nameOf: ({node}) => node,
	textOf: (row) => `${row.node} ${wordsOf(row)} ${row.next ? podKey(row.next.pod) : ''}`,
	answer: pressureAnswer,
	looksAt: nodeOfKey,
	empty: ({forecast}) =>
		`None of ${forecast.nodes.length} nodes reports pressure, and no kubelet was queried. :pressure NODE queries one.`,
};

/** The available share of a signal's capacity, as a bar: empty only at zero, full only at the whole capacity. */
function gaugeBar({available, capacity}: SignalForecast, width: number, glyphs: Glyphs): string {
	if (available === null || capacity === null || capacity <= 0n) return '';
	const share = Math.min(1, Math.max(0, Number(available) / Number(capacity)));
	const least = available > 0n ? 1 : 0;
	const cells =
		available >= capacity ? width : Math.min(width - 1, Math.max(least, Math.round(share * width)));
	return glyphs.full.repeat(cells) + glyphs.empty.repeat(width - cells);
}
