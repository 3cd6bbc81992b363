import {minute, second} from '../../core/time/instant.ts';
import {timeZoneWords, utc} from '../../dates/timeZone.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import {questionsOf} from '../scene/questions.ts';
import type {TapeMove} from '../scene/tape.ts';
import {themeNames} from '../theme/palette.ts';
import {tables, viewNames} from '../views/tables.ts';
import {commandsIn, isDestructive} from './commands.ts';
import {keyWords} from './keyName.ts';
import {actionOf, type KeyAction} from './keyTable.ts';
import {editPrompt, type Facts, inAllNamespaces, openPrompt, type Reduced} from './prompt.ts';
import {
	goTo,
	opened,
	placeOf,
	type Screen,
	screenOf,
	showMessage,
	type UiState,
	withPlace,
} from './uiState.ts';

export function reduce(state: UiState, key: string, facts: Facts): Reduced {
	if (state.prompt) return editPrompt({...state, message: undefined}, state.prompt, key, facts);
	const action = actionOf(key, facts.bindings);
	if (state.helpTop !== undefined) return inHelp(state, state.helpTop, action, facts);
	if (action) return act({...state, message: undefined}, action, facts);
	return {state: sortBy({...state, message: undefined}, key, facts)};
}

function inHelp(state: UiState, top: number, action: KeyAction | undefined, {lines, page}: Facts): Reduced {
	if (action === 'quit' || action === 'suspend' || action === 'redraw')
		return {state, effect: {type: action}};
	const step = action === undefined ? undefined : stepsOf(page)[action];
	if (step === undefined) return {state: {...state, helpTop: undefined}};
	return {state: {...state, helpTop: clamp(top + step, Math.max(0, lines - page))}};
}

/** How far a key moves, on pages of that many rows. */
export const stepsOf = (page: number): Readonly<Partial<Record<KeyAction, number>>> => ({
	...{up: -1, down: 1, pageUp: -page, pageDown: page},
	...{halfUp: -Math.ceil(page / 2), halfDown: Math.ceil(page / 2)},
	...{top: Number.NEGATIVE_INFINITY, bottom: Number.POSITIVE_INFINITY},
});

function act(state: UiState, action: KeyAction, facts: Facts): Reduced {
	if (isMove(action)) return {state: move(state, action, facts)};
	if (isTapeMove(action))
		return facts.hasTape
			? {state, effect: {type: 'tape', move: tapeMoves[action]}}
			: {state: showMessage(state, 'not here: no recording is played')};
	switch (action) {
		case 'quit':
		case 'suspend':
		case 'redraw':
		case 'save':
			return {state, effect: {type: action}};
		case 'menu':
			return {state, effect: {type: action, filter: ''}};
		case 'faster':
		case 'slower':
			return {state, effect: {type: 'speed', step: action === 'faster' ? 1 : -1}};
		case 'help':
			return {state: {...state, helpTop: 0}};
		case 'filter':
		case 'command':
		case 'namespace':
			return {state: openPrompt(state, action)};
		case 'open':
			return {state: open(state, facts)};
		case 'whatIf':
			return {state: askWhatIf(state, facts)};
		case 'yaml':
			return {state: showYaml(state, facts)};
		case 'allNamespaces':
			return {state: inAllNamespaces(state)};
		case 'views':
			return {
				state: showMessage(
					state,
					`views: ${viewNames.join(', ')}; the number keys in this order, or : and a name`,
				),
			};
		case 'back':
			return {state: back(state)};
		case 'mark':
			return {state: mark(state, facts)};
		case 'copy':
			return copy(state, facts);
		case 'pause':
			if (facts.hasTape) return {state, effect: {type: 'tape', move: 'toggle'}};
			return {state: {...state, paused: state.paused ? undefined : {scene: facts.scene, at: facts.now}}};
		case 'theme':
			return {state: {...state, theme: next(themeNames, state.theme, 1), isThemeChosen: true}};
		case 'timeZone':
			return {state: switchTimeZone(state, facts)};
		case 'nextView':
			return {state: goTo(state, next(viewNames, screenOf(state).view, 1))};
		case 'previousView':
			return {state: goTo(state, next(viewNames, screenOf(state).view, -1))};
		default:
			return {state: goTo(state, action)};
	}
}

/** Shows the forecast of the row, or of the target of the details. */
function showYaml(state: UiState, facts: Facts): UiState {
	const {shown} = facts;
	const screen = screenOf(state);
	const row = shown?.rows[shown.index];
	const target = targetOf(screen, facts);
	if (isYaml(screen)) return showMessage(state, 'this is the YAML; c copies it, esc leads back');
	if (!target)
		return showMessage(state, 'no forecast of this: pods, nodes and zones have one, a fold once unfolded');
	const key = screen.kind === 'table' ? (shown?.table.keyOf(row) ?? '') : screen.key;
	const question = {kind: 'yaml', title: 'forecast as YAML'} as const;
	return opened(state, {kind: 'detail', view: screen.view, key, target, question});
}

function switchTimeZone(state: UiState, {localTimeZone, now}: Facts): UiState {
	const local = localTimeZone();
	const timeZone = state.timeZone === utc ? local : utc;
	const text =
		local === utc
			? 'the local zone is UTC, too; --time-zone Area/City names another'
			: `times are in ${timeZoneWords(now, timeZone)}`;
	return showMessage({...state, timeZone}, text);
}

const tapeMoves = {
	later: {by: 10 * second},
	earlier: {by: -10 * second},
	muchLater: {by: minute},
	muchEarlier: {by: -minute},
	nextMark: {toMark: 1},
	previousMark: {toMark: -1},
} as const satisfies Readonly<Partial<Record<KeyAction, TapeMove>>>;

const isTapeMove = (action: KeyAction): action is keyof typeof tapeMoves => Object.hasOwn(tapeMoves, action);

const next = <T>(all: readonly T[], present: T, step: 1 | -1): T =>
	all[(all.indexOf(present) + step + all.length) % all.length] ?? present;

function open(state: UiState, facts: Facts): UiState {
	const {shown, scene} = facts;
	const screen = screenOf(state);
	if (screen.kind === 'choice') {
		if (state.paused) return showMessage(state, whyNotPaused(facts));
		const question = scene.forecast && questionsOf(screen.target, scene.forecast)[placeOf(state).index];
		if (!question) return showMessage(state, 'nothing to choose here; esc leads back');
		const {view, key, target} = screen;
		return opened(state, {kind: 'detail', view, key, target, question});
	}
	const row = shown?.rows[shown.index];
	if (screen.kind === 'detail') return showMessage(state, 'nothing more to open here; esc leads back');
	if (!shown || row === undefined) return showMessage(state, noRow);
	const {view, keyOf, targetOf, isFold} = shown.table;
	if (isFold?.(row)) return {...state, unfolded: toggled(state.unfolded, keyOf(row))};
	return opened(state, {kind: 'detail', view, key: keyOf(row), target: targetOf?.(row)});
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(keys);
	if (!next.delete(key)) next.add(key);
	return next;
}

const noRow = 'there is no row here';
const whyNotPaused = ({bindings}: Facts) =>
	`the screen is paused, and a what-if begins with the present; ${bindings.pause[0] ?? 'pause'} resumes`;

/** The target of the row or of the details; undefined if no forecast is about it alone. */
function targetOf(screen: Screen, {shown}: Facts): Target | undefined {
	const row = shown?.rows[shown.index];
	if (screen.kind !== 'table') return screen.target;
	return row === undefined ? undefined : shown?.table.targetOf?.(row);
}

/** Offers the questions about the row, or about the target of the details. */
function askWhatIf(state: UiState, facts: Facts): UiState {
	const {shown} = facts;
	const screen = screenOf(state);
	const row = shown?.rows[shown.index];
	const target = targetOf(screen, facts);
	if (screen.kind === 'choice') return showMessage(state, 'enter asks what the cursor is on; esc leads back');
	if (screen.kind === 'detail' && screen.question)
		return showMessage(state, 'not of an answer; esc leads back');
	if (screen.kind === 'table' && row === undefined) return showMessage(state, noRow);
	if (!target)
		return showMessage(state, 'no what-if of this: pods, nodes and zones have one, a fold once unfolded');
	if (state.paused) return showMessage(state, whyNotPaused(facts));
	const key = screen.kind === 'detail' ? screen.key : (shown?.table.keyOf(row) ?? '');
	return opened(state, {kind: 'choice', view: screen.view, key, target});
}

function back(state: UiState): UiState {
	if (screenOf(state).kind === 'table' && placeOf(state).filter !== '') return withPlace(state, {filter: ''});
	if (state.marks.size > 0) return {...state, marks: new Map()};
	if (state.trail.length > 1) return {...state, trail: state.trail.slice(0, -1)};
	return state.namespace === undefined
		? showMessage(state, 'this is the first screen; q quits')
		: {...state, namespace: undefined};
}

const moves = ['up', 'down', 'pageUp', 'pageDown', 'halfUp', 'halfDown', 'top', 'bottom'] as const;
type Move = (typeof moves)[number];
const isMove = (action: KeyAction): action is Move => moves.some((one) => one === action);

function move(state: UiState, action: Move, {shown, lines, page, scene}: Facts): UiState {
	const step = stepsOf(page)[action] ?? 0;
	const place = placeOf(state);
	const screen = screenOf(state);
	if (screen.kind === 'choice') {
		const last = (scene.forecast ? questionsOf(screen.target, scene.forecast).length : 0) - 1;
		return withPlace(state, {index: clamp(Math.min(place.index, last) + step, last)});
	}
	if (!shown) {
		const last = Math.max(0, lines - page);
		return withPlace(state, {index: clamp(Math.min(place.index, last) + step, last)});
	}
	const last = shown.rows.length - 1;
	if (last < 0) return state;
	const index = clamp(shown.index + step, last);
	// A page step scrolls the rows under the cursor; a single step moves the cursor until it reaches an edge.
	const moved = place.offset + index - shown.index;
	const offset = Math.abs(step) === page ? place.offset : clamp(moved, page - 1);
	const row = shown.rows[index];
	return withPlace(state, {selected: row === undefined ? undefined : shown.table.keyOf(row), index, offset});
}

const clamp = (value: number, last: number): number => Math.max(0, Math.min(last, value));

function mark(state: UiState, facts: Facts): UiState {
	const {shown} = facts;
	const row = shown?.rows[shown.index];
	if (!shown) return showMessage(state, 'only rows of a table are marked');
	if (row === undefined) return showMessage(state, noRow);
	const key = shown.table.keyOf(row);
	const marks = new Map(state.marks);
	if (!marks.delete(key)) marks.set(key, shown.table.nameOf(row));
	return move({...state, marks}, 'down', facts);
}

const isYaml = (screen: Screen): boolean => screen.kind === 'detail' && screen.question?.kind === 'yaml';

function copy(state: UiState, {shown, answer}: Facts): Reduced {
	const screen = screenOf(state);
	if (isYaml(screen)) {
		const text = `copied the YAML of ${targetName(screen)[0]} (${answer.length} lines)`;
		return {state: showMessage(state, text), effect: {type: 'copy', text: `${answer.join('\n')}\n`}};
	}
	const commands = commandsIn(answer);
	if (commands.length > 0) {
		const at = (commands.indexOf(state.copied ?? '') + 1) % commands.length;
		const command = commands[at] ?? '';
		const which =
			commands.length === 1 ? 'copied' : `copied ${at + 1} of ${commands.length}, c copies the next`;
		const text = `${which}: ${command}${isDestructive(command) ? '  (destructive)' : ''}`;
		return {
			state: showMessage({...state, copied: command}, text, isDestructive(command)),
			effect: {type: 'copy', text: command},
		};
	}
	const row = shown?.rows[shown.index];
	const table = tables[screen.view];
	const own =
		shown && row !== undefined ? [table.nameOf(row)] : screen.kind === 'table' ? [] : targetName(screen);
	const names = state.marks.size > 0 ? [...state.marks.values()] : own;
	if (names.length === 0) return {state: showMessage(state, 'nothing to copy here')};
	const text = names.length === 1 ? `copied ${names[0]}` : `copied ${names.length} names`;
	return {state: showMessage(state, text), effect: {type: 'copy', text: names.join('\n')}};
}

const targetName = (screen: Screen): readonly string[] =>
	screen.kind !== 'table' && screen.target ? [screen.target.name] : [];

/** A capital letter sorts by its column; the same letter again reverses the order. */
function sortBy(state: UiState, key: string, {shown}: Facts): UiState {
	const column = shown?.table.columns.find(({sortKey}) => sortKey === key);
	if (!column) return showMessage(state, `no ${keyWords(key)} here; ? shows the keys`);
	const {sort} = placeOf(state);
	const isReversed = sort?.title === column.title && !sort.isReversed;
	const withMessage = showMessage(
		state,
		`sorted by ${column.title}${isReversed ? ', the other way round' : ''}`,
	);
	return withPlace(withMessage, {sort: {title: column.title, isReversed}});
}
