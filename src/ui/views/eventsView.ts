import {compareNames} from '../../core/collections/compareNames.ts';
import {podKey} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import {timeOfDay, timeOfDayBeside} from '../../dates/format.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import {briefDisrupter, disrupterWords} from '../../print/score.ts';
import {age, clockSpan} from '../scene/spans.ts';
import {type StyledText, span} from '../theme/line.ts';
import type {CellContext, DashboardTable, TableColumn} from './table.ts';

/** A deletion with its time, in the form that its column needs. */
type EventRow = ObservedDeletion & {readonly time: string};

function foretold({firstPrediction}: ObservedDeletion, {timeZone}: CellContext): StyledText | undefined {
	if (!firstPrediction) return undefined;
	const {earliest, latest} = firstPrediction.range;
	const from = timeOfDay(earliest, timeZone);
	const to = latest === null ? 'open' : timeOfDay(latest, timeZone);
	return span(from === to ? from : `${from}–${to}`);
}

/** How far a deletion was from its prediction: inside the range, or how far outside. */
function difference({at, firstPrediction, isInside, isEviction, isBefore, by}: ObservedDeletion): StyledText {
	if (by && !firstPrediction) return span(briefDisrupter[by], 'dim');
	if (isBefore) return span('before opening', 'dim');
	if (!isEviction && !firstPrediction) return span('no eviction', 'dim');
	if (!firstPrediction) return span('not predicted', 'warn');
	const {earliest, latest, expected} = firstPrediction.range;
	if (isInside) return span(`inside, ${signed(at - expected)}`, 'good');
	if (at < earliest) return span(`${clockSpan(earliest - at)} early`, 'bad');
	if (latest !== null && at > latest) return span(`${clockSpan(at - latest)} late`, 'bad');
	return span('outside a later forecast', 'bad');
}

/** Shows tenths of a second for short durations. */
const signed = (duration: number): string => {
	const length = Math.abs(duration);
	return `${duration < 0 ? '-' : '+'}${length < 100_000 ? `${(length / 1000).toFixed(1)}s` : age(0, length)}`;
};

const columns: readonly TableColumn<EventRow>[] = [
	{
		...{title: 'DELETED', least: 8, most: 14, drop: 0, sortKey: 'T', isMostFirst: true},
		compare: (a, b) => b.at - a.at,
		measure: ({time}) => time,
	},
	{
		...{title: 'POD', least: 22, most: 70, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareNames(podKey(a), podKey(b)),
		measure: podKey,
	},
	{
		...{title: 'NODE', least: 6, most: 45, drop: 3, isName: true, sortKey: 'O'},
		compare: (a, b) => compareNames(a.node, b.node),
		measure: ({node}, {forecast}) => forecast.digest.names.shortNode(node),
	},
	{...{title: 'PREDICTED FOR', width: 17, drop: 1}, cell: foretold},
	{
		...{title: 'PREDICTED', width: 12, drop: 2},
		cell: ({at, firstPrediction}) =>
			firstPrediction ? span(`${age(firstPrediction.madeAt, at)} before`) : undefined,
	},
	{
		...{title: 'DIFFERENCE', width: 14, drop: 0, sortKey: 'V'},
		compare: (a, b) => Number(a.isInside) - Number(b.isInside),
		cell: difference,
	},
];

/** The observed deletions, the newest first, each with its prediction. */
export const events: DashboardTable<EventRow> = {
	view: 'events',
	rows: ({scene, now, timeZone}) =>
		scene.happenings.toReversed().map((one) => ({...one, time: timeOfDayBeside(one.at, now, timeZone)})),
	columns,
	keyOf: ({uid, at}) => `${uid}/${at}`,
	nameOf: ({name}) => name,
	textOf: (one) => `${podKey(one)} ${one.node}`,
	namespaceOf: ({namespace}) => namespace,
	sentencesOf: tellHappening,
	empty: () => 'No pod was deleted since this screen was opened.',
};

function tellHappening(one: EventRow, {now, timeZone}: CellContext): readonly string[] {
	const {at, firstPrediction, node} = one;
	const time = (instant: Instant) => timeOfDayBeside(instant, now, timeZone);
	const deleted = `${podKey(one)}${node === '' ? '' : ` on ${node}`}: deleted at ${time(at)} ${timeZone}, ${age(at, now)} ago.`;
	if (one.isBefore)
		return [deleted, 'That was before this screen was opened: the event of its eviction told of it.'];
	if (one.by && !firstPrediction)
		return [
			deleted,
			one.by === 'TerminationByKubelet'
				? `It was ${disrupterWords[one.by]}, and nothing had predicted it.`
				: `It was ${disrupterWords[one.by]}, which is not predicted.`,
		];
	if (!one.isEviction && !firstPrediction)
		return [deleted, 'Not evicted because of a taint: something else deleted it.'];
	if (!firstPrediction) return [deleted, 'It was not predicted: nothing announced it.'];
	const {earliest, latest, expected} = firstPrediction.range;
	const [from, to] = [time(earliest), latest === null ? 'an open end' : time(latest)];
	return [
		deleted,
		`At ${time(firstPrediction.madeAt)}, ${age(firstPrediction.madeAt, at)} before, it was predicted for ${from === to ? from : `${from} to ${to}, the median ${time(expected)}`}.`,
		one.isInside
			? `It came inside every range that was predicted, ${signed(at - expected)} from the first median.`
			: `It came outside: ${difference(one).text}.`,
	];
}
