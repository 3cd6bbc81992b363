import {nameOf, type ObjectName} from '../../core/model/objectName.ts';
import type {Instant} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';
import type {Certainty} from '../../forecast/certainty.ts';
import type {Range} from '../../forecast/range.ts';
import type {TextMap} from '../../text/textMap.ts';
import {formatAt, formatCountdown} from '../countdown.ts';

/** How one kind of forecast is printed: its columns, order and JSON. */
export type Kind<Item> = Readonly<{
	/** The name in JSON: `PodForecast`. */
	name: string;
	/** The name in `-o name` and messages: `pod`. */
	singular: string;
	columns: readonly Column<Item>[];
	/** The title of the column with the name. */
	nameTitle: string;
	/** Identifies an item among its kind. */
	keyOf: (item: Item) => string;
	nameOf: (item: Item) => string;
	/** Absent if the kind has no namespaces. */
	namespaceOf?: (item: Item) => string;
	labelsOf?: (item: Item) => TextMap;
	/** The most urgent first. */
	compare: (a: Item, b: Item) => number;
	/** Whether a watch must print an item again. */
	hasTurned: (before: Item, after: Item, now: Instant) => boolean;
	/** The same once the change has lasted, as of times; a range whose end has passed is no change. */
	hasMoved?: (before: Item, after: Item, now: Instant) => boolean;
	/** The fields of the JSON contract, without the kind. */
	toJson: (item: Item) => Readonly<Record<string, unknown>>;
	/** Replaces fields of the JSON once the object is gone. */
	goneJson: Readonly<Record<string, unknown>>;
}>;

/** Formats names for `-o name`: `pod/web-1`, one per line. */
export const formatNames = <Item>(kind: Kind<Item>, items: readonly Item[]) =>
	items.map((item) => `${kind.singular}/${kind.nameOf(item)}\n`).join('');

/** The role of a text, from which a theme makes its colour. */
export type Tone =
	| 'dim'
	| 'strong'
	| 'title'
	| 'heading'
	| 'key'
	| 'good'
	| 'warn'
	| 'bad'
	| 'held'
	| 'mark'
	| Certainty;

/** What the sign before a cell stands for; its shape alone shows what its colour shows. */
export type Sign = Certainty | 'held' | 'terminating' | 'stays' | 'safe';

/** How an output writes what many cells have in common. */
export type CellContext = Readonly<{
	now: Instant;
	/** The time left of a range, and the same by the clock. */
	countdown: (range: Range) => string;
	at: (range: Range | null) => string;
	time: (instant: Instant) => string;
	nodeName: (name: string) => string;
	zoneName: (name: string) => string;
	/** A sentence with the names of nodes in that form. */
	told: (sentence: string) => string;
	/** With its namespace, where that has no column of its own. */
	podName: (pod: ObjectName) => string;
}>;

/** Tables write durations as `1m40s`, and names in full. */
export const inTable = (now: Instant): CellContext => ({
	now,
	countdown: (range) => formatCountdown(range, now),
	at: (range) => formatAt(range, now),
	time: (instant) => clockTime(instant, now),
	nodeName: (name) => name,
	zoneName: (name) => name,
	told: (sentence) => sentence,
	podName: nameOf,
});

/** A column of a kind, for tables and the dashboard. */
export type Column<Item, Context extends CellContext = CellContext> = Readonly<{
	/** The dashboard shows it with spaces. */
	title: string;
	/** In tables only with `-o wide`; `ifRoom`: also on a terminal that has room for it beside all others. */
	isWide?: true | 'ifRoom';
	/** Where there is little room, columns with a higher number are dropped first; without one never, unless all cells are empty. */
	drop?: number;
	/** Whether an item has a value. A list that is printed once without `-o wide` omits the column if none has; by default it is always shown. */
	hasValue?: (item: Item) => boolean;
	/** The text of the cell once the object is gone; by default its last text. */
	whenGone?: string;
	cell: (item: Item, context: Context) => string;
	/** A shorter text of the cell, where there is little room; the dashboard says how much. */
	brief?: (item: Item, context: Context, width?: number) => string;
	/** How the dashboard draws it; absent if only tables have it. */
	drawn?: Drawn<Item, Context>;
}>;

/** How the dashboard draws a column. */
export type Drawn<Item, Context extends CellContext = CellContext> = Readonly<{
	/** A fixed width. If absent, the column is as wide as its longest cell, within `least` and `most`. */
	width?: number;
	least?: number;
	most?: number;
	/** The title if there is no room for the full one. */
	briefTitle?: string;
	/** A text in place of the cell's, where other columns of a table say the rest. @param width 0 where widths are measured */
	text?: (item: Item, context: Context, width: number) => string;
	sign?: (item: Item) => Sign | undefined;
	/** By default, that of the sign. */
	tone?: Tone | ((item: Item, context: Context) => Tone | undefined);
	/** The letter that sorts by the column, with shift: by its text, if nothing else is given. */
	sortKey?: string;
	/** The name of the order in the help, if it is not the title. */
	sortWord?: string;
	compare?: (a: Item, b: Item) => number;
	/** Whether that puts the largest or newest first; the sign in the title shows it. */
	isMostFirst?: true;
	isRight?: true;
	/** A name is truncated in its middle. */
	isName?: true;
	/** Whether nearly all of its cells change each second; it is then rendered separately from its neighbours. */
	isTimed?: true;
}>;

/** Whether a text says that there is no value. */
export const isBlank = (text: string) => text === '' || text === '-' || text === '<none>';

const mostListed = 3;

/** The first few of a list, in the form in which kubectl shows endpoints. */
export function listOf(items: readonly string[]): string {
	const more = items.length - mostListed;
	return `${items.slice(0, mostListed).join(',')}${more > 0 ? ` + ${more} more...` : ''}`;
}

export const orNone = (text: string) => text || '<none>';

export const namespaceColumn: Column<{readonly namespace: string}> = {
	title: 'NAMESPACE',
	cell: ({namespace}) => namespace,
};

/** The zone of a pod or a node. */
export const zoneColumn: Column<{readonly zone: string}> = {
	title: 'ZONE',
	drop: 3,
	cell: ({zone}, {zoneName}) => orNone(zoneName(zone)),
	drawn: {least: 5, most: 30, isName: true, sortKey: 'Z'},
};

/** The longest reason in a wide table; `explain` shows all of it. */
const longest = 160;

/** The first sentence of the reasoning, truncated only if it is too long. */
export function briefReason({because}: {readonly because: readonly string[]}): string {
	const [first = '<none>'] = because;
	const [sentence = first] = first.split(/(?<=[^.]{12})\. (?=[A-Z])/);
	const letters = [...sentence];
	return letters.length <= longest
		? sentence
		: `${letters
				.slice(0, longest - 3)
				.join('')
				.trimEnd()}...`;
}
