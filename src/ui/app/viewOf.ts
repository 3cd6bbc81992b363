import {ascending} from '../../core/collections/ascending.ts';
import {unique} from '../../core/collections/unique.ts';
import {beginningOfTime} from '../../core/time/instant.ts';
import type {View} from '../components/view.ts';
import {shownForecast} from '../scene/digest.ts';
import {presentOf, scopedTo} from '../scene/scene.ts';
import {type RowsAsked, type RowsShown, selectRows} from '../state/rowsShown.ts';
import {type CursorPlace, placeOf, screenOf, type UiState} from '../state/uiState.ts';
import {cellContext} from '../views/table.ts';
import {tables} from '../views/tables.ts';

/** Everything of a screen except the state. */
export type ScreenContext = Omit<View, 'state' | 'scene' | 'now' | 'timeZone' | 'shown' | 'tape'> & {
	readonly finder: RowFinder;
};

/** What the components draw: the scene, the rows of the shown table, and what else the state asks for. */
export function viewOf(state: UiState, world: ScreenContext): View {
	const {source, finder, glyphs, explanation, answer, menu} = world;
	const {timeZone} = state;
	const {scene: seen, at: now} = presentOf(source, state.paused);
	const screen = screenOf(state);
	const isMenu = screen.view === 'menu';
	const scene = scopedTo(state.namespace, isMenu ? {...seen, forecast: seen.forecast ?? nothingSeen} : seen);
	const table = isMenu ? menu : tables[screen.view];
	const {forecast} = scene;
	const shown =
		screen.kind === 'table' && table && forecast
			? finder.find({
					table,
					context: cellContext({scene, now, timeZone, glyphs}, forecast),
					place: placeOf(state),
					namespace: state.namespace,
					of: screen.of,
					unfolded: state.unfolded,
				})
			: undefined;
	const isDetail = screen.kind === 'detail' && screen.target !== undefined;
	return {
		...world,
		state,
		scene,
		now,
		timeZone,
		shown,
		explanation: isDetail && !screen.question ? explanation : undefined,
		answer: isDetail && screen.question ? answer : undefined,
		tape: source.tape?.get(),
	};
}

/** A menu can be shown before the first forecast. */
const nothingSeen = shownForecast({
	observedAt: beginningOfTime,
	source: 'cluster',
	problems: [],
	pods: [],
	nodes: [],
	zones: [],
	pass: null,
});

/** Filters and sorts rows, and caches the last result: unchanged pods, maybe twenty thousand, are not sorted each second. */
export class RowFinder {
	#key: readonly unknown[] = [];
	#found: Omit<RowsShown, 'index'> | undefined;
	/** The order in which an open menu began, whatever its filter. */
	#menu: readonly string[] = [];
	/** The row that was last looked up, because there may be many thousands. */
	#sought: {readonly selected: string; readonly index: number} | undefined;

	find(wanted: RowsAsked): RowsShown {
		const {table, context, place, namespace, of, unfolded} = wanted;
		const {forecast, scene, timeZone} = context;
		const isMenu = table.view === 'menu';
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
			of,
			unfolded,
			isMenu && context.now,
		];
		if (isMenu) {
			const before = table === this.#found?.table ? this.#menu : [];
			this.#menu = unique([...before, ...table.rows(context).map(table.keyOf)]);
		}
		const before = isMenu && !place.sort ? this.#menu : undefined;
		if (!this.#found || key.some((part, index) => part !== this.#key[index])) {
			this.#key = key;
			this.#found = inOrder(before, selectRows(wanted));
			this.#sought = undefined;
		}
		return {...this.#found, index: this.#indexOf(place, this.#found)};
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

/** The rows of an open menu as they were before, so that none moves under the cursor. */
function inOrder(before: readonly string[] | undefined, found: Omit<RowsShown, 'index'>) {
	if (!before) return found;
	const placeIn = (row: unknown) => before.indexOf(found.table.keyOf(row));
	return {...found, rows: found.rows.toSorted(ascending(placeIn))};
}
