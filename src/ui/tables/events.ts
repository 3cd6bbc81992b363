import type {Instant} from '../../core/time/instant.ts';
import {compareText} from '../../print/tables/compareText.ts';
import type {Glyphs} from '../draw/glyphs.ts';
import {type StyledText, span} from '../draw/line.ts';
import type {ObservedDeletion} from '../model/scene.ts';
import {age, clockSpan, timeOfDay} from '../model/spans.ts';
import {nameCell} from './cells.ts';
import type {DashboardTable, TableColumn} from './table.ts';

const fullName = ({namespace, name}: ObservedDeletion): string => `${namespace}/${name}`;

function foretold({said}: ObservedDeletion, glyphs: Glyphs): StyledText {
	if (!said) return span(glyphs.none, 'dim');
	const {earliest, latest} = said.range;
	const from = timeOfDay(earliest);
	const to = latest === null ? 'open' : timeOfDay(latest);
	return span(from === to ? from : `${from}–${to}`);
}

/** By how much a deletion differs from what was said: where it lies in the range, or how far outside. */
function difference({at, said, isInside, isEviction}: ObservedDeletion): StyledText {
	if (!isEviction) return span('no eviction', 'dim');
	if (!said) return span('not foretold', 'warn');
	const {earliest, latest, expected} = said.range;
	if (isInside) return span(`inside, ${signed(at - expected)}`, 'good');
	if (at < earliest) return span(`${clockSpan(earliest - at)} early`, 'bad');
	if (latest !== null && at > latest) return span(`${clockSpan(at - latest)} late`, 'bad');
	return span('outside a later forecast', 'bad');
}

/** Tenths count where a range is narrow. */
const signed = (duration: number): string => {
	const length = Math.abs(duration);
	return `${duration < 0 ? '-' : '+'}${length < 100_000 ? `${(length / 1000).toFixed(1)}s` : age(0, length)}`;
};

const columns: readonly TableColumn<ObservedDeletion>[] = [
	{
		...{title: 'DELETED', width: 8, drop: 0, sortKey: 'T', isMostFirst: true, compare: (a, b) => b.at - a.at},
		cell: ({at}) => span(timeOfDay(at)),
	},
	{
		...{title: 'POD', least: 22, most: 70, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareText(fullName(a), fullName(b)),
		measure: fullName,
		cell: (one) => nameCell(fullName(one)),
	},
	{
		...{
			title: 'NODE',
			least: 6,
			most: 45,
			drop: 3,
			isName: true,
			sortKey: 'O',
			compare: (a, b) => compareText(a.node, b.node),
		},
		measure: ({node}) => node,
		cell: ({node}) => nameCell(node),
	},
	{...{title: 'FORETOLD FOR', width: 17, drop: 1}, cell: (one, {glyphs}) => foretold(one, glyphs)},
	{
		...{title: 'SAID', width: 12, drop: 2},
		cell: ({at, said}, {glyphs}) =>
			said ? span(`${age(said.madeAt, at)} before`) : span(glyphs.none, 'dim'),
	},
	{
		...{title: 'DIFFERENCE', width: 14, drop: 0, sortKey: 'V'},
		compare: (a, b) => Number(a.isInside) - Number(b.isInside),
		cell: difference,
	},
];

/** The deletions that were seen, the newest first, each with what had been said of it. */
export const events: DashboardTable<ObservedDeletion> = {
	view: 'events',
	rows: ({scene}) => scene.happenings.toReversed(),
	columns,
	keyOf: ({uid, at}) => `${uid}/${at}`,
	nameOf: ({name}) => name,
	textOf: (one) => `${fullName(one)} ${one.node}`,
	namespaceOf: ({namespace}) => namespace,
	tell: tellHappening,
	empty: () => 'No pod was deleted since this screen was opened.',
};

function tellHappening(one: ObservedDeletion, {now}: {readonly now: Instant}): readonly string[] {
	const {at, said, node} = one;
	const deleted = `${fullName(one)} on ${node}: its deletion was asked for at ${timeOfDay(at)} UTC, ${age(at, now)} ago.`;
	if (!one.isEviction)
		return [deleted, 'It was no eviction because of a taint: somebody or something else asked for it.'];
	if (!said) return [deleted, 'Nothing had been said of it: whoever deleted it gave no sign before.'];
	const {earliest, latest, expected} = said.range;
	return [
		deleted,
		`At ${timeOfDay(said.madeAt)}, ${age(said.madeAt, at)} before, it was foretold for ${timeOfDay(earliest)} to ${latest === null ? 'an open end' : timeOfDay(latest)}, the median ${timeOfDay(expected)}.`,
		one.isInside
			? `It came inside every range that was foretold, ${signed(at - expected)} from the first median.`
			: `It came outside: ${difference(one).text}.`,
	];
}
