import type {Instant} from '../../core/time/instant.ts';

/** How one kind of forecast is printed: its columns, its order and its JSON. */
export type Kind<Item> = {
	/** As JSON names it: `PodForecast`. */
	readonly name: string;
	/** As `-o name` and messages name it: `pod`. */
	readonly singular: string;
	readonly columns: readonly Column<Item>[];
	/** The title of the column that holds the name. */
	readonly nameTitle: string;
	/** Identifies an item among its kind. */
	readonly keyOf: (item: Item) => string;
	readonly nameOf: (item: Item) => string;
	/** The most urgent first. */
	readonly compare: (a: Item, b: Item) => number;
	/** Whether a watch must print an item again; a range whose end has come is no change. */
	readonly hasChanged: (before: Item, after: Item, now: Instant) => boolean;
	/** The fields of the JSON contract, without the kind. */
	readonly toJson: (item: Item) => Readonly<Record<string, unknown>>;
	/** What replaces fields of the JSON once the object is gone. */
	readonly goneJson: Readonly<Record<string, unknown>>;
};

/** Formats names for `-o name`: `pod/web-1`, one a line. */
export const formatNames = <Item>(kind: Kind<Item>, items: readonly Item[]): string =>
	items.map((item) => `${kind.singular}/${kind.nameOf(item)}\n`).join('');

/** One column of a table. */
export type Column<Item> = {
	readonly title: string;
	/** Shown with `-o wide` alone. */
	readonly isWide?: true;
	/** How well it can be done without on a narrow terminal: the lowest gets room first; one without a figure stays. */
	readonly drop?: number;
	/** A shorter text of the cell, for a narrow terminal. */
	readonly brief?: (item: Item, now: Instant) => string;
	/** The text of the cell once the object is gone; its last text where it is left out. */
	readonly whenGone?: string;
	readonly cell: (item: Item, now: Instant) => string;
};
