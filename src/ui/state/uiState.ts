import type {Instant} from '../../core/time/instant.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import type {MenuQuestion, Subject} from '../scene/questions.ts';
import type {Scene} from '../scene/scene.ts';
import type {TapeMove} from '../scene/tape.ts';
import type {ThemeName} from '../theme/palette.ts';
import type {AnyTable, ViewName} from '../views/table.ts';

/** The current screen: a table, the details of one of its rows, or the questions about it. */
export type Screen =
	| {
			readonly kind: 'table';
			readonly view: ViewName | 'menu';
			/** The node or the zone whose pods alone are listed. */
			readonly of?: Subject;
	  }
	| Readonly<{
			kind: 'detail';
			view: ViewName;
			key: string;
			target: Subject | undefined;
			/** The question of a what-if; absent if the details explain the current forecast. */
			question?: MenuQuestion;
			/** Whether all of it is shown, and not only the answer in ten lines. */
			isFull?: true;
	  }>
	| Readonly<{kind: 'choice'; view: ViewName; key: string; target: Subject}>;

export type CursorPlace = Readonly<{
	/** The key of the row under the cursor; undefined for the first row. */
	selected: string | undefined;
	/** The last index of that row; the cursor stays there when the row disappears. */
	index: number;
	/** How many rows are above the cursor on the screen, so that changes above do not move it. */
	offset: number;
	sort: {readonly title: string; readonly isReversed: boolean} | undefined;
	filter: string;
}>;

export type PromptKind = 'filter' | 'command' | 'namespace';

/** A line that is being typed. */
export type Prompt = {readonly kind: PromptKind; readonly text: string; readonly before: string};

/** An effect outside the dashboard that a key requests. */
export type UiEffect =
	| {readonly type: 'quit' | 'suspend' | 'redraw' | 'save'}
	/** What was chosen from the menu; no name for what was shown before. */
	| {readonly type: 'choose'; readonly name: string | undefined}
	| {readonly type: 'tape'; readonly move: TapeMove}
	| {readonly type: 'copy' | 'notify'; readonly text: string}
	| {readonly type: 'speed'; readonly step: 1 | -1};

/** What keys change of the dashboard, and the theme, which the terminal's background decides. */
export type UiState = Readonly<{
	/** The open screens: the last is visible, and `esc` returns to the one before. */
	trail: readonly Screen[];
	/** By screen id. */
	places: Readonly<Record<string, CursorPlace>>;
	prompt?: Prompt | undefined;
	/** The first visible line of the help; undefined if it is not open. */
	helpTop?: number | undefined;
	/** Undefined for all namespaces. */
	namespace: string | undefined;
	/** The keys of open folds. */
	unfolded: ReadonlySet<string>;
	/** The keys of marked rows, with their names. */
	marks: ReadonlyMap<string, string>;
	/** What is shown while the screen is paused. */
	paused?: {readonly scene: Scene; readonly at: Instant} | undefined;
	/** A message about the last action; the next key removes it, unless it stays. */
	message?: {readonly text: string; readonly isError: boolean; readonly stays?: true} | undefined;
	copied?: string;
	theme: ThemeName;
	/** Whether the user chose it here: the terminal's background no longer decides. */
	isThemeChosen?: boolean;
	timeZone: TimeZone;
	/** Effects that keys requested and that were not performed yet. */
	effects: readonly UiEffect[];
}>;

const start: CursorPlace = {selected: undefined, index: 0, offset: 0, sort: undefined, filter: ''};

const overview: Screen = {kind: 'table', view: 'overview'};
const menu: Screen = {kind: 'table', view: 'menu'};

const withoutMenu = ({trail}: UiState) => trail.filter(({view}) => view !== 'menu');

export const firstState = (
	theme: ThemeName,
	namespace: string | undefined,
	timeZone: TimeZone = utc,
): UiState => ({
	trail: [overview],
	places: {},
	namespace,
	unfolded: new Set(),
	marks: new Map(),
	theme,
	timeZone,
	effects: [],
});

/** The state in which a screen was left, without what was of that moment, as the menu; theme and time zone are those used last anywhere. */
export const resumed = (left: UiState, {theme, isThemeChosen = false, timeZone}: UiState): UiState => ({
	...left,
	trail: withoutMenu(left),
	theme,
	isThemeChosen,
	timeZone,
	prompt: undefined,
	message: undefined,
	paused: undefined,
	effects: [],
});

export const screenOf = ({trail}: UiState) => trail.at(-1) ?? overview;

function screenId(screen: Screen): string {
	if (screen.kind === 'table')
		return screen.of ? `${screen.view} of ${screen.of.kind} ${screen.of.name}` : screen.view;
	const row = `${screen.view}/${screen.key}`;
	if (screen.kind === 'choice') return `${row}/what-if`;
	return `${row}${screen.question ? `/what-if/${screen.question.kind}` : ''}${screen.isFull ? '/full' : ''}`;
}

export const placeOf = (state: UiState) => state.places[screenId(screenOf(state))] ?? start;

export const withPlace = (state: UiState, change: Partial<CursorPlace>): UiState => ({
	...state,
	places: {...state.places, [screenId(screenOf(state))]: {...placeOf(state), ...change}},
});

/** Opens a screen on top of the current one, at its beginning. */
export const opened = (state: UiState, screen: Screen) =>
	withPlace({...state, trail: [...state.trail, screen]}, {index: 0, offset: 0});

export const showMessage = (state: UiState, text: string, isError = false): UiState => ({
	...state,
	message: {text, isError},
});

/** Shows a view on top of the overview, so that `esc` returns there. */
export function goTo(state: UiState, view: ViewName): UiState {
	return {
		...state,
		trail: view === 'overview' ? [overview] : [overview, {kind: 'table', view}],
		marks: new Map(),
	};
}

/** Opens the menu on top of the current screen, if there is one. */
export const inMenu = (state: UiState, table: AnyTable | undefined, filter = ''): UiState =>
	table
		? withPlace(
				{...state, trail: [...withoutMenu(state), menu], marks: new Map()},
				{selected: table.first, filter},
			)
		: showMessage(state, 'there is no other to choose', true);

/** The menu alone, as nothing can be shown below it. @param why empty if it is only the first screen */
export const menuAlone = (why: string, last = firstState('dark', undefined)): UiState => ({
	...firstState(last.theme, undefined, last.timeZone),
	isThemeChosen: last.isThemeChosen ?? false,
	trail: [menu],
	message: why === '' ? undefined : {text: why, isError: true, stays: true},
});

/** How the screens of several clusters were left: each reappears so. */
export class LeftScreens {
	readonly #left = new Map<string, UiState>();
	last: UiState | undefined;

	/** @param state undefined if not the user left it: then it reappears as it was left before */
	leave(name: string, state: UiState | undefined) {
		if (!state) return;
		this.#left.set(name, state);
		this.last = state;
	}

	/** The state in which a screen appears, if one was left. @param namespace for a screen not left yet; undefined for all */
	stateOf(name: string, namespace: string | undefined): UiState | undefined {
		const {last} = this;
		if (!last) return undefined;
		return resumed(this.#left.get(name) ?? firstState(last.theme, namespace, last.timeZone), last);
	}
}
