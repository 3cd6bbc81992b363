import {kept} from '../../core/collections/kept.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Kind} from './kind.ts';

/** The output of one update of a watch: items that are new or have changed, and items that are gone. */
export type ChangedItems<Item> = {
	readonly changed: readonly Item[];
	/** The changed items that were not printed before. */
	readonly added: ReadonlySet<Item>;
	readonly gone: readonly Item[];
};

/**
 * Remembers what was last printed of each item, so that slow drifts are printed once they add up. Items that are not shown
 * are left out, but an item that stops being shown is printed once more.
 */
export class Changes<Item> {
	readonly #kind: Kind<Item>;
	readonly #isShown: (item: Item) => boolean;
	readonly #settles: Duration;
	readonly #told = new Map<string, Item>();
	/** Since when items differ from what was printed of them. */
	readonly #differsSince = new Map<string, Instant>();

	/**
	 * @param settles how long a time must differ from the printed one to be printed again: while a pass marks nodes, times change
	 * several times a second
	 */
	constructor(kind: Kind<Item>, isShown: (item: Item) => boolean, settles: Duration = 0) {
		this.#kind = kind;
		this.#isShown = isShown;
		this.#settles = settles;
	}

	/** Takes all present items; returns what to print. */
	update(items: readonly Item[], now: Instant): ChangedItems<Item> {
		const {keyOf, compare} = this.#kind;
		const present = new Set(items.map(keyOf));
		const gone = [...this.#told].filter(([key]) => !present.has(key)).map(([, item]) => item);
		for (const item of gone) {
			this.#told.delete(keyOf(item));
			this.#differsSince.delete(keyOf(item));
		}
		const changed = items.filter((item) => this.#isNews(item, now)).toSorted(compare);
		const added = new Set(changed.filter((item) => !this.#told.has(keyOf(item))));
		for (const item of changed) this.#remember(item);
		return {changed, added, gone: gone.toSorted(compare)};
	}

	#isNews(item: Item, now: Instant) {
		const key = this.#kind.keyOf(item);
		const before = this.#told.get(key);
		if (before === undefined) return this.#isShown(item);
		const hasTurned = this.#kind.hasTurned(before, item, now);
		const hasMoved = !hasTurned && (this.#kind.hasMoved?.(before, item, now) ?? false);
		const isSettled = hasMoved && now - kept(this.#differsSince, key, () => now) >= this.#settles;
		if (isSettled || !hasMoved) this.#differsSince.delete(key);
		return hasTurned || isSettled;
	}

	#remember(item: Item) {
		if (this.#isShown(item)) this.#told.set(this.#kind.keyOf(item), item);
		else this.#told.delete(this.#kind.keyOf(item));
	}
}
