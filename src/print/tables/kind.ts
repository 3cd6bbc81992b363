import type {Instant} from '../../core/time/instant.ts';

/** How one kind of forecast is printed: its columns, order and JSON. */
export type Kind<Item> = {
	/** The name in JSON: `PodForecast`. */
	readonly name: string;
	/** The name in `-o name` and messages: `pod`. */
	readonly singular: string;
	readonly columns: readonly Column<Item>[];
	/** The title of the column with the name. */
	readonly nameTitle: string;
	/** Identifies an item among its kind. */
	readonly keyOf: (item: Item) => string;
	readonly nameOf: (item: Item) => string;
	/** The most urgent first. */
	readonly compare: (a: Item, b: Item) => number;
	/** Whether a watch must print an item again; a range whose end has passed is no change. */
	readonly hasChanged: (before: Item, after: Item, now: Instant) => boolean;
	/** Whether a change is more than one of times; by default every change is. */
	readonly hasTurned?: (before: Item, after: Item) => boolean;
	/** The fields of the JSON contract, without the kind. */
	readonly toJson: (item: Item) => Readonly<Record<string, unknown>>;
	/** Replaces fields of the JSON once the object is gone. */
	readonly goneJson: Readonly<Record<string, unknown>>;
};

/** Formats names for `-o name`: `pod/web-1`, one per line. */
export const formatNames = <Item>(kind: Kind<Item>, items: readonly Item[]): string =>
	items.map((item) => `${kind.singular}/${kind.nameOf(item)}\n`).join('');

export type Column<Item> = {
	readonly title: string;
	/** Shown only with `-o wide`. */
	readonly isWide?: true;
	/** Priority on a narrow terminal: lower ones get room first; without one a column is always shown, unless all its cells are empty. */
	readonly drop?: number;
	/** Whether an item has a value. A list that is printed once without `-o wide` omits the column if none has; by default it is always shown. */
	readonly hasValue?: (item: Item) => boolean;
	/** A shorter text of the cell, for a narrow terminal. */
	readonly brief?: (item: Item, now: Instant) => string;
	/** The text of the cell once the object is gone; by default its last text. */
	readonly whenGone?: string;
	readonly cell: (item: Item, now: Instant) => string;
};
