import type {Instant} from '../../core/time/instant.ts';

/** One column of a table. */
export type Column<Item> = {
	readonly title: string;
	/** Shown with `-o wide` alone. */
	readonly isWide?: true;
	/** What the cell says once the object is gone; its last content, where nothing is given. */
	readonly whenGone?: string;
	readonly cell: (item: Item, now: Instant) => string;
};
