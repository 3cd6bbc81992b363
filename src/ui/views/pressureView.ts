import {compareNames} from '../../core/collections/compareNames.ts';
import {podKey} from '../../core/model/pod.ts';
import type {Signal} from '../../core/nodepressure/thresholds/signal.ts';
import {beginningOfTime, never} from '../../core/time/instant.ts';
import {formatAmount} from '../../forecast/pressure/amount.ts';
import {thresholdWords, trendWords} from '../../print/pressure/pressureWords.ts';
import {nodeOfKey, type PressureRow, pressureKey, pressureRows} from '../scene/pressureRows.ts';
import {age, clockSpan, countdown} from '../scene/spans.ts';
import {type StyledText, span} from '../theme/line.ts';
import {gaugeBar, gaugeTone} from './gauge.ts';
import {pressureDetails} from './pressureDetails.ts';
import type {CellContext, DashboardTable, TableColumn} from './table.ts';

const longestBar = 16;

/** Bytes in readable units; inodes and processes in thousands or millions. */
function briefAmount(amount: bigint, signal: Signal): string {
	const text = formatAmount(amount, signal);
	if (text.length <= 6) return text;
	const value = Number(amount);
	return Math.abs(value) < 1e6 ? `${Math.round(value / 1e3)}k` : `${Number((value / 1e6).toFixed(1))}M`;
}

function belowCell({signal, threshold}: PressureRow, {now}: CellContext): StyledText | undefined {
	if (!threshold) return signal && span('no threshold', 'dim');
	const {crossing, graceLeft} = threshold;
	const tone = gaugeTone(threshold);
	switch (crossing.type) {
		case 'met':
			return span(graceLeft ? `now, ${age(0, graceLeft.most)} grace` : 'now', tone);
		case 'expected':
			return span(countdown(crossing.at, now), tone);
		case 'possible':
			return span(`perhaps ${countdown(crossing.at, now)}`, tone);
		case 'notOnThisTrend':
			return span('not on this trend', 'dim');
		case 'unknown':
			return crossing.about === undefined
				? span('no trend yet', 'dim')
				: span(`~${clockSpan(crossing.about - now)}`, tone);
	}
}

const briefBelow = (row: PressureRow, context: CellContext): string => {
	const {crossing} = row.threshold ?? {};
	switch (crossing?.type) {
		case 'met':
			return 'now';
		case 'possible':
			return `${countdown(crossing.at, context.now)}?`;
		case 'notOnThisTrend':
			return 'not by trend';
		default:
			return belowCell(row, context)?.text ?? '';
	}
};

const earliestOf = ({threshold}: PressureRow): number => {
	const crossing = threshold?.crossing;
	if (crossing?.type === 'met') return beginningOfTime;
	return crossing && 'at' in crossing ? crossing.at.earliest : never;
};

const certaintySign = (
	{isCertain}: {readonly isCertain: boolean},
	{certainty}: CellContext['glyphs'],
): string => certainty[isCertain ? 'certain' : 'possible'];

function nextCell({next, pressure}: PressureRow, {now, glyphs}: CellContext): StyledText | undefined {
	if (!next) return pressure ? undefined : span('not queried', 'dim');
	return span(
		`${certaintySign(next, glyphs)} ${countdown(next.when, now)} ${podKey(next.pod)}`,
		next.isCertain ? 'certain' : 'possible',
	);
}

/** The text shown for a row without a measured signal. */
function wordsOf({signal, conditions, pressure}: PressureRow): string {
	if (signal) return signal.signal;
	if (conditions.length > 0) return conditions.join(',');
	return pressure ? 'nothing measured' : '';
}

const wholeSignal = 'containerfs.inodesFree'.length;

const briefSignal = (row: PressureRow): string =>
	wordsOf(row).replace('.available', '').replace('.inodesFree', ' inodes');

const columns: readonly TableColumn<PressureRow>[] = [
	{
		...{title: 'NODE', least: 6, most: 40, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareNames(a.node, b.node),
		measure: ({node}, {forecast}) => forecast.digest.names.shortNode(node),
		cell: ({node, conditions}, {forecast}) =>
			span(forecast.digest.names.shortNode(node), conditions.length > 0 ? 'bad' : undefined),
	},
	{
		...{title: 'SIGNAL', least: 18, most: 27, drop: 0, sortKey: 'S'},
		compare: (a, b) => compareNames(wordsOf(a), wordsOf(b)),
		measure: (row) => wordsOf(row).padEnd(wholeSignal),
		// All of them in one form.
		cell: (row, _context, width) =>
			span(
				width > 0 && width < wholeSignal ? briefSignal(row) : wordsOf(row),
				row.signal ? undefined : 'dim',
			),
	},
	{
		...{title: '', least: 6, most: longestBar, drop: 2},
		measure: () => ' '.repeat(longestBar),
		cell: ({signal, threshold}, {glyphs}, width) =>
			signal && gaugeBar(signal, threshold, width || longestBar, glyphs),
	},
	{
		...{title: 'LEFT', width: 6, drop: 1, isRight: true},
		cell: ({signal, threshold}) =>
			span(
				signal?.available === null || !signal ? '' : briefAmount(signal.available, signal.signal),
				gaugeTone(threshold),
			),
	},
	{
		...{title: 'THRESHOLD', least: 9, most: 24, drop: 3},
		brief: ({signal, threshold}) =>
			signal && threshold ? (thresholdWords(threshold, signal.signal).split(/,? /)[0] ?? '') : '',
		measure: ({signal, threshold}) => (signal && threshold ? thresholdWords(threshold, signal.signal) : ''),
		cell: ({signal, threshold}) => signal && threshold && span(thresholdWords(threshold, signal.signal)),
	},
	{
		...{title: 'TREND', width: 11, drop: 4},
		cell: ({signal}) =>
			signal?.trend ? span(trendWords(signal.trend.perSecond.median, signal.signal)) : undefined,
	},
	{
		...{title: 'BELOW IN', least: 12, drop: 1, sortKey: 'T'},
		compare: (a, b) => earliestOf(a) - earliestOf(b),
		measure: () => 'perhaps 0:00–0:00',
		cell: belowCell,
		brief: briefBelow,
	},
	{
		...{title: 'EVICTED NEXT', least: 16, most: 70, drop: 0},
		measure: ({next}) => (next ? `* 0:00–0:00 ${podKey(next.pod)}` : 'not queried'),
		cell: nextCell,
		// When, the headline tells as well.
		brief: ({next}, {glyphs}) => (next ? `${certaintySign(next, glyphs)} ${podKey(next.pod)}` : ''),
		isName: true,
	},
];

/** The remaining resources of nodes at which kubelets evict, and the pods that would be evicted. */
export const pressure: DashboardTable<PressureRow> = {
	view: 'pressure',
	rows: ({forecast}) => pressureRows(forecast),
	columns,
	keyOf: pressureKey,
	nameOf: ({node}) => node,
	textOf: (row) => `${row.node} ${wordsOf(row)} ${row.next ? podKey(row.next.pod) : ''}`,
	details: pressureDetails,
	looksAt: nodeOfKey,
	empty: ({forecast}) =>
		`None of ${forecast.nodes.length} nodes reports pressure, and no kubelet was queried. :pressure NODE queries one.`,
};
