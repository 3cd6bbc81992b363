import type {Instant} from '../../core/time/instant.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import type {MenuQuestion} from '../scene/questions.ts';
import type {Scene} from '../scene/scene.ts';
import type {TapeMove} from '../scene/tape.ts';
import type {ThemeName} from '../theme/palette.ts';
import type {ViewName} from '../views/table.ts';

/** What fills the screen: a table, the details of one of its rows, or what can be asked of it. */
export type Screen =
	| {readonly kind: 'table'; readonly view: ViewName}
	| {
			readonly kind: 'detail';
			readonly view: ViewName;
			readonly key: string;
			readonly target: Target | undefined;
			/** What is supposed, where it tells what would be rather than why it is as it is. */
			readonly question?: MenuQuestion;
	  }
	| {readonly kind: 'choice'; readonly view: ViewName; readonly key: string; readonly target: Target};

/** Where somebody is within a screen. */
export type CursorPlace = {
	/** The row that the cursor is on, by its key; undefined for the first, whichever that is. */
	readonly selected: string | undefined;
	/** Where that row last was: the cursor stays there when the row goes. */
	readonly index: number;
	/** How many rows stand above the cursor on the screen: what goes or comes above does not move it. */
	readonly offset: number;
	readonly sort: {readonly title: string; readonly isReversed: boolean} | undefined;
	readonly filter: string;
};

export type PromptKind = 'filter' | 'command' | 'namespace';

/** A line that is being typed. */
export type Prompt = {readonly kind: PromptKind; readonly text: string; readonly before: string};

/** A word about what was just done; the next key takes it away. */
type StatusMessage = {readonly text: string; readonly isError: boolean};

/** What a key asks of the world outside. */
export type UiEffect =
	| {readonly type: 'quit' | 'suspend' | 'redraw' | 'save'}
	/** Whoever comes back sees the same namespace; undefined for all. */
	| {readonly type: 'menu'; readonly namespace: string | undefined}
	| {readonly type: 'tape'; readonly move: TapeMove}
	| {readonly type: 'copy' | 'notify'; readonly text: string}
	| {readonly type: 'speed'; readonly step: 1 | -1};

/** All of the dashboard that is not the world: it changes with keys alone. */
export type UiState = {
	/** The way here: the last is shown, and `esc` goes back. */
	readonly trail: readonly Screen[];
	/** By the id of a screen. */
	readonly places: Readonly<Record<string, CursorPlace>>;
	readonly prompt: Prompt | undefined;
	/** The first line of the help that is shown; undefined while there is none. */
	readonly helpTop: number | undefined;
	/** Undefined for all namespaces. */
	readonly namespace: string | undefined;
	/** The keys of folds that are open. */
	readonly unfolded: ReadonlySet<string>;
	/** The keys of marked rows, with their names. */
	readonly marks: ReadonlyMap<string, string>;
	/** What is shown while the screen stands still. */
	readonly paused: {readonly scene: Scene; readonly at: Instant} | undefined;
	readonly message: StatusMessage | undefined;
	/** The command that was copied last. */
	readonly copied?: string;
	readonly theme: ThemeName;
	/** In which times are shown. */
	readonly timeZone: TimeZone;
	/** What keys asked of the world outside, and was not done yet. */
	readonly effects: readonly UiEffect[];
};

const start: CursorPlace = {selected: undefined, index: 0, offset: 0, sort: undefined, filter: ''};

const overview: Screen = {kind: 'table', view: 'overview'};

export const firstState = (
	theme: ThemeName,
	namespace: string | undefined,
	timeZone: TimeZone = utc,
): UiState => ({
	trail: [overview],
	places: {},
	prompt: undefined,
	helpTop: undefined,
	namespace,
	unfolded: new Set(),
	marks: new Map(),
	paused: undefined,
	message: undefined,
	theme,
	timeZone,
	effects: [],
});

export const screenOf = ({trail}: UiState): Screen => trail.at(-1) ?? overview;

function screenId(screen: Screen): string {
	if (screen.kind === 'table') return screen.view;
	const row = `${screen.view}/${screen.key}`;
	if (screen.kind === 'choice') return `${row}/what-if`;
	return screen.question ? `${row}/what-if/${screen.question.kind}` : row;
}

/** Where somebody is within the screen that is shown. */
export const placeOf = (state: UiState): CursorPlace => state.places[screenId(screenOf(state))] ?? start;

/** The state with another place in the screen that is shown. */
export const withPlace = (state: UiState, change: Partial<CursorPlace>): UiState => ({
	...state,
	places: {...state.places, [screenId(screenOf(state))]: {...placeOf(state), ...change}},
});

/** Opens a screen above the one that is shown, at its beginning. */
export const opened = (state: UiState, screen: Screen): UiState =>
	withPlace({...state, trail: [...state.trail, screen]}, {index: 0, offset: 0});

/** Says something of what was just done. */
export const say = (state: UiState, text: string, isError = false): UiState => ({
	...state,
	message: {text, isError},
});

/** Shows a view; from the overview, so that `esc` leads back there. */
export function goTo(state: UiState, view: ViewName): UiState {
	return {
		...state,
		trail: view === 'overview' ? [overview] : [overview, {kind: 'table', view}],
		marks: new Map(),
	};
}
