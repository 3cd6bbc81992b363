import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {Column} from './column.ts';

/** Everything that printing needs to know about one kind of forecast. */
export type Kind<Item> = {
	/** As JSON names it: `PodForecast`. */
	readonly name: string;
	/** As `-o name` and messages name it: `pod`. */
	readonly singular: string;
	readonly columns: readonly Column<Item>[];
	/** The title of the column that holds the name. */
	readonly nameTitle: string;
	readonly itemsOf: (forecast: Forecast) => readonly Item[];
	/** Identifies an item among its kind. */
	readonly keyOf: (item: Item) => string;
	readonly nameOf: (item: Item) => string;
	/** The most urgent first. */
	readonly compare: (a: Item, b: Item) => number;
	/** Whether a watch must say something new; an end of a range that has come is no news. */
	readonly hasChanged: (before: Item, after: Item, now: Instant) => boolean;
	/** The fields of the JSON contract, without the kind. */
	readonly toJson: (item: Item) => Readonly<Record<string, unknown>>;
	/** What replaces fields of the JSON once the object is gone. */
	readonly goneJson: Readonly<Record<string, unknown>>;
};
