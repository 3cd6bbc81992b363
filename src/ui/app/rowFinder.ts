import {type RowsAsked, type RowsShown, selectRows} from '../state/rowsShown.ts';
import type {CursorPlace} from '../state/uiState.ts';

/** Filters and sorts rows, and caches the last result: unchanged pods, maybe twenty thousand, are not sorted each second. */
export class RowFinder {
	#key: readonly unknown[] = [];
	#found: Omit<RowsShown, 'index'> | undefined;
	/** The row that was last looked up, because there may be many thousands. */
	#sought: {readonly selected: string; readonly index: number} | undefined;

	find(wanted: RowsAsked): RowsShown {
		const {table, context, place, namespace, unfolded} = wanted;
		const {forecast, scene, timeZone} = context;
		const key = [
			table,
			forecast,
			scene.happenings.length,
			scene.link,
			scene.gaps,
			scene.settings,
			timeZone,
			place.filter,
			place.sort,
			namespace,
			unfolded,
		];
		const isSame = this.#found !== undefined && key.every((part, index) => part === this.#key[index]);
		const found = isSame && this.#found ? this.#found : selectRows(wanted);
		if (!isSame) {
			this.#key = key;
			this.#found = found;
			this.#sought = undefined;
		}
		return {...found, index: this.#indexOf(place, found)};
	}

	/** The index of the selected row, or its last index if it is gone. */
	#indexOf({selected, index}: CursorPlace, {rows, table}: Omit<RowsShown, 'index'>): number {
		const isIt = (row: unknown) => row !== undefined && table.keyOf(row) === selected;
		if (selected === undefined) return Math.min(0, rows.length - 1);
		if (isIt(rows[index])) return index;
		if (this.#sought?.selected !== selected) this.#sought = {selected, index: rows.findIndex(isIt)};
		const found = this.#sought.index;
		return Math.min(found >= 0 ? found : index, rows.length - 1);
	}
}
