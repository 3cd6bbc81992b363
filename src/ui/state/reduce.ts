import {minute, second} from '../../core/time/instant.ts';
import {timeZoneWords, utc} from '../../dates/timeZone.ts';
import {doNow} from '../../print/whatif/doNow.ts';
import {questionsOf, type Subject} from '../scene/questions.ts';
import type {TapeMove} from '../scene/tape.ts';
import {themeNames} from '../theme/palette.ts';
import {titleOf} from '../views/table.ts';
import {viewNames} from '../views/tables.ts';
import {commandsIn, isDestructive} from './commands.ts';
import {keyWords} from './keyName.ts';
import {actionOf, type KeyAction, specOf} from './keyTable.ts';
import {editPrompt, type Facts, inAllNamespaces, openPrompt, type Reduced} from './prompt.ts';
import {
	goTo,
	inMenu,
	opened,
	type PromptKind,
	placeOf,
	type Screen,
	screenOf,
	showMessage,
	type UiEffect,
	type UiState,
	withPlace,
} from './uiState.ts';

export function reduce(state: UiState, key: string, facts: Facts): Reduced {
	const fresh = {...state, message: state.message?.stays ? state.message : undefined};
	if (state.prompt) return editPrompt(fresh, state.prompt, key, facts, rowCommands);
	const action = actionOf(key);
	if (state.helpTop !== undefined) return inHelp(state, state.helpTop, action, facts);
	return action ? act(fresh, action, facts) : {state: sortBy(fresh, key, facts)};
}

function inHelp(state: UiState, top: number, action: KeyAction | undefined, {lines, page}: Facts): Reduced {
	if (action === 'quit' || action === 'suspend' || action === 'redraw')
		return {state, effect: {type: action}};
	const step = action === undefined ? undefined : stepsOf(page)[action];
	if (step === undefined) return {state: {...state, helpTop: undefined}};
	return {state: {...state, helpTop: clamp(top + step, Math.max(0, lines - page))}};
}

/** How far a key moves, on pages of that many rows. */
const stepsOf = (page: number): Readonly<Partial<Record<KeyAction, number>>> => ({
	up: -1,
	down: 1,
	pageUp: -page,
	pageDown: page,
	halfUp: -Math.ceil(page / 2),
	halfDown: Math.ceil(page / 2),
	top: Number.NEGATIVE_INFINITY,
	bottom: Number.POSITIVE_INFINITY,
});

type Handler = (state: UiState, facts: Facts) => UiState | Reduced;

function act(state: UiState, action: KeyAction, facts: Facts): Reduced {
	const step = stepsOf(facts.page)[action];
	if (step !== undefined) return {state: move(state, step, facts)};
	if (isTapeMove(action))
		return facts.tape
			? {state, effect: {type: 'tape', move: tapeMoves[action]}}
			: {state: showMessage(state, 'not here: no recording is played')};
	const view = viewNames.find((name) => name === action);
	const reduced = view ? goTo(state, view) : (handlers[action]?.(state, facts) ?? state);
	return 'state' in reduced ? reduced : {state: reduced};
}

const asking =
	(effect: UiEffect): Handler =>
	(state) => ({state, effect});

const prompting =
	(kind: PromptKind): Handler =>
	(state) =>
		openPrompt(state, kind);

const stepping =
	(step: 1 | -1): Handler =>
	(state) => {
		const {view} = screenOf(state);
		return goTo(state, next(viewNames, view === 'menu' ? 'overview' : view, step));
	};

/** What keys do that neither move nor open a view. */
const handlers: Readonly<Partial<Record<KeyAction, Handler>>> = {
	quit: asking({type: 'quit'}),
	suspend: asking({type: 'suspend'}),
	redraw: asking({type: 'redraw'}),
	save: asking({type: 'save'}),
	menu: (state, {menu}) => inMenu(state, menu),
	faster: asking({type: 'speed', step: 1}),
	slower: asking({type: 'speed', step: -1}),
	help: (state) => ({...state, helpTop: 0}),
	filter: prompting('filter'),
	command: prompting('command'),
	namespace: prompting('namespace'),
	open,
	describe,
	whatIf: askWhatIf,
	yaml: showYaml,
	allNamespaces: inAllNamespaces,
	views: (state) =>
		showMessage(state, `views: ${viewNames.join(', ')}; the number keys in this order, or : and a name`),
	back,
	mark,
	copy,
	pause: (state, {tape, scene, now}) =>
		tape
			? {state, effect: {type: 'tape', move: 'toggle'}}
			: {...state, paused: state.paused ? undefined : {scene, at: now}},
	theme: (state) => ({...state, theme: next(themeNames, state.theme, 1), isThemeChosen: true}),
	timeZone: switchTimeZone,
	nextView: stepping(1),
	previousView: stepping(-1),
};

/** Shows the forecast of the row, or of the target of the details. */
function showYaml(state: UiState, facts: Facts): UiState {
	const screen = screenOf(state);
	const {key, target} = subjectOf(screen, facts);
	if (isYaml(screen)) return showMessage(state, 'this is the YAML; c copies it, esc leads back');
	if (!target || target.kind === 'workload' || screen.view === 'menu')
		return showMessage(state, 'no forecast of this: pods, nodes and zones have one, a fold once unfolded');
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

export const isTapeMove = (action: KeyAction): action is keyof typeof tapeMoves =>
	Object.hasOwn(tapeMoves, action);

const next = <T>(all: readonly T[], present: T, step: 1 | -1) =>
	all[(all.indexOf(present) + step + all.length) % all.length] ?? present;

function open(state: UiState, facts: Facts): UiState | Reduced {
	const {shown, scene} = facts;
	const screen = screenOf(state);
	if (screen.kind === 'choice') {
		if (state.paused) return showMessage(state, whyNotPaused);
		const question = scene.forecast && questionsOf(screen.target, scene.forecast)[placeOf(state).index];
		if (!question) return showMessage(state, 'nothing to choose here; esc leads back');
		const {view, key, target} = screen;
		return opened(state, {kind: 'detail', view, key, target, question});
	}
	if (screen.kind === 'detail')
		return hasMore(screen)
			? opened(state, {...screen, isFull: true})
			: showMessage(state, 'nothing more to open here; esc leads back');
	const {row, key, target} = subjectOf(screen, facts);
	if (target?.kind === 'node' || target?.kind === 'zone')
		return opened(state, {kind: 'table', view: 'pods', of: target});
	if (row === undefined) return showMessage(state, noRow);
	if (screen.view === 'menu') return {state, effect: {type: 'choose', name: key}};
	if (shown?.table.isFold?.(row)) return {...state, unfolded: toggled(state.unfolded, key)};
	return opened(state, {kind: 'detail', view: screen.view, key, target});
}

/** Whether details are the short answer. */
export const hasMore = ({target, question, isFull}: Extract<Screen, {kind: 'detail'}>) =>
	!isFull && (question ? question.kind !== 'yaml' : target !== undefined && target.kind !== 'workload');

/** The reasoning of the row, whatever it is. */
function describe(state: UiState, facts: Facts): UiState | Reduced {
	const screen = screenOf(state);
	const {key, target} = subjectOf(screen, facts);
	return screen.kind === 'table' &&
		screen.view !== 'menu' &&
		(target?.kind === 'node' || target?.kind === 'zone')
		? opened(state, {kind: 'detail', view: screen.view, key, target})
		: open(state, facts);
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(keys);
	if (!next.delete(key)) next.add(key);
	return next;
}

const noRow = 'there is no row here';
const whyNotPaused = `the screen is paused, and a what-if begins with the present; ${specOf('pause').keys[0]} resumes`;

/** What is under the cursor of a table, or what the details are about; no target if no forecast is about it alone. */
function subjectOf(
	screen: Screen,
	{shown}: Facts,
): {readonly row?: unknown; readonly key: string; readonly target: Subject | undefined} {
	if (screen.kind !== 'table') return screen;
	const row = shown?.rows[shown.index];
	if (!shown || row === undefined) return {key: '', target: undefined};
	return {row, key: shown.table.keyOf(row), target: shown.table.targetOf?.(row)};
}

/** Offers the questions about the row, or about the target of the details. */
function askWhatIf(state: UiState, facts: Facts): UiState {
	const screen = screenOf(state);
	const {row, key, target} = subjectOf(screen, facts);
	if (screen.kind === 'choice') return showMessage(state, 'enter asks what the cursor is on; esc leads back');
	if (screen.kind === 'detail' && screen.question)
		return showMessage(state, 'not of an answer; esc leads back');
	if (screen.kind === 'table' && row === undefined) return showMessage(state, noRow);
	if (!target || screen.view === 'menu')
		return showMessage(state, 'no what-if of this: pods, nodes, zones and workloads have one');
	if (state.paused) return showMessage(state, whyNotPaused);
	return opened(state, {kind: 'choice', view: screen.view, key, target});
}

const rowCommands = {'what-if': askWhatIf, rescue: askRescue} as const;

/** The first of the questions about the row, if something of it is to be saved. */
function askRescue(state: UiState, facts: Facts): UiState {
	const asked = askWhatIf(state, facts);
	const screen = screenOf(asked);
	const {forecast} = facts.scene;
	if (screen.kind !== 'choice' || asked === state || !forecast) return asked;
	const question = questionsOf(screen.target, forecast).find(({kind}) => kind === 'rescue');
	if (!question) return showMessage(state, 'nothing of it needs a rescue');
	const {view, key, target} = screen;
	return opened(state, {kind: 'detail', view, key, target, question});
}

function back(state: UiState): UiState | Reduced {
	if (screenOf(state).kind === 'table' && placeOf(state).filter !== '') return withPlace(state, {filter: ''});
	if (state.marks.size > 0) return {...state, marks: new Map()};
	if (state.trail.length > 1) return {...state, trail: state.trail.slice(0, -1)};
	if (screenOf(state).view === 'menu') return {state, effect: {type: 'choose', name: undefined}};
	return state.namespace === undefined
		? showMessage(state, 'this is the first screen; q quits')
		: {...state, namespace: undefined};
}

function move(state: UiState, step: number, {shown, lines, page, scene}: Facts): UiState {
	const place = placeOf(state);
	const screen = screenOf(state);
	if (!shown) {
		const questions =
			screen.kind === 'choice' && scene.forecast ? questionsOf(screen.target, scene.forecast) : [];
		const last = screen.kind === 'choice' ? questions.length - 1 : Math.max(0, lines - page);
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

const clamp = (value: number, last: number) => Math.max(0, Math.min(last, value));

function mark(state: UiState, facts: Facts): UiState {
	const {shown} = facts;
	if (!shown) return showMessage(state, 'only rows of a table are marked');
	const {row, key} = subjectOf(screenOf(state), facts);
	if (row === undefined) return showMessage(state, noRow);
	const marks = new Map(state.marks);
	if (!marks.delete(key)) marks.set(key, shown.table.nameOf(row));
	return move({...state, marks}, 1, facts);
}

const isYaml = (screen: Screen) => screen.kind === 'detail' && screen.question?.kind === 'yaml';

function copy(state: UiState, facts: Facts): Reduced {
	const {answer = [], shown, scene, now} = facts;
	const screen = screenOf(state);
	if (isYaml(screen)) {
		const text = `copied the YAML of ${targetName(screen)[0]} (${answer.length} lines)`;
		return {state: showMessage(state, text), effect: {type: 'copy', text: `${answer.join('\n')}\n`}};
	}
	const ofAnswer = commandsIn(answer);
	const toDo = ofAnswer.length > 0 || state.marks.size > 0 ? undefined : doNow(scene.returns ?? [], now);
	const commands = toDo ? commandsIn([toDo.command]) : ofAnswer;
	const {row} = subjectOf(screen, facts);
	const own = row === undefined || !shown ? targetName(screen) : [shown.table.nameOf(row)];
	// What to do first goes before the name under the cursor.
	if (commands.length > 0 && !(toDo && state.copied === commands[0])) {
		const at = (commands.indexOf(state.copied ?? '') + 1) % commands.length;
		const command = commands[at] ?? '';
		const which =
			toDo && own.length > 0
				? 'copied, c copies the name'
				: commands.length === 1
					? 'copied'
					: `copied ${at + 1} of ${commands.length}, c copies the next`;
		const text = `${which}: ${toDo?.command ?? command}${isDestructive(command) ? '  (destructive)' : ''}`;
		return {
			state: showMessage({...state, copied: command}, text, isDestructive(command)),
			effect: {type: 'copy', text: command},
		};
	}
	const names = state.marks.size > 0 ? [...state.marks.values()] : own;
	if (names.length === 0) return {state: showMessage(state, 'nothing to copy here')};
	const text = names.length === 1 ? `copied ${names[0]}` : `copied ${names.length} names`;
	const copied = names.join('\n');
	return {state: showMessage({...state, copied}, text), effect: {type: 'copy', text: copied}};
}

const targetName = (screen: Screen) => (screen.kind !== 'table' && screen.target ? [screen.target.name] : []);

/** A capital letter sorts by its column; the same letter again reverses the order. */
function sortBy(state: UiState, key: string, {shown}: Facts): UiState {
	const column = shown?.table.columns.find(({drawn}) => drawn.sortKey === key);
	if (!column) return showMessage(state, `no ${keyWords(key)} here; ? shows the keys`);
	const {sort} = placeOf(state);
	const title = titleOf(column);
	const isReversed = sort?.title === title && sort?.isReversed === false;
	const withMessage = showMessage(state, `sorted by ${title}${isReversed ? ', the other way round' : ''}`);
	return withPlace(withMessage, {sort: {title, isReversed}});
}
