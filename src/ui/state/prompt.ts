import {unique} from '../../core/collections/unique.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {pressureKey} from '../scene/pressureRows.ts';
import type {Scene} from '../scene/scene.ts';
import type {TapeState} from '../scene/tape.ts';
import type {AnyTable, ViewName} from '../views/table.ts';
import {viewNames} from '../views/tables.ts';
import {keyWords} from './keyName.ts';
import type {RowsShown} from './rowsShown.ts';
import {
	goTo,
	inMenu,
	type Prompt,
	type PromptKind,
	placeOf,
	showMessage,
	type UiEffect,
	type UiState,
	withPlace,
} from './uiState.ts';

/** What the reducer needs to know about the screen on which a key is pressed. */
export type Facts = Readonly<{
	/** Undefined if the screen shows no table. */
	shown: RowsShown | undefined;
	/** The number of lines of details; 0 for a table. */
	lines: number;
	/** The number of rows that fit. */
	page: number;
	/** The answer in the details, in lines; undefined if there is none. */
	answer: readonly string[] | undefined;
	scene: Scene;
	now: Instant;
	/** The alternative to UTC. */
	localTimeZone: () => TimeZone;
	/** The position in a recording; undefined if none is played. */
	tape: TapeState | undefined;
	menu: AnyTable | undefined;
}>;

export type Reduced = {readonly state: UiState; readonly effect?: UiEffect};

/** Opens a prompt. A filter starts with the active one. */
export function openPrompt(state: UiState, kind: PromptKind): UiState {
	const before = kind === 'filter' ? placeOf(state).filter : '';
	return {...state, prompt: {kind, text: before, before}};
}

/** @param rowCommands what a command does that is about the row under the cursor */
export function editPrompt(
	state: UiState,
	prompt: Prompt,
	key: string,
	facts: Facts,
	rowCommands: Readonly<Record<RowCommand, (state: UiState, facts: Facts) => UiState>>,
): Reduced {
	switch (key) {
		case 'enter': {
			const command = commandsOfRows.find(
				(one) => prompt.kind === 'command' && one.startsWith(prompt.text.trim()) && prompt.text.length > 2,
			);
			return command
				? {state: rowCommands[command](closed(state), facts)}
				: submit(closed(state), prompt, facts);
		}
		case 'esc':
		case 'ctrl-c':
			return {state: closed(typed(state, prompt, prompt.before))};
		case 'tab':
		case 'right': {
			const whole = completion(prompt, facts.scene);
			return {
				state: whole === undefined ? showMessage(state, 'nothing completes it') : typed(state, prompt, whole),
			};
		}
		default: {
			// As in k9s and vim, one backspace too many leaves the prompt.
			if (prompt.text === '' && isBackspace(key)) return {state: closed(state)};
			const text = typedText(prompt.text, key);
			return {
				state: text === undefined ? showMessage(state, notTyped(key)) : typed(state, prompt, text),
			};
		}
	}
}

const isBackspace = (key: string) => key === 'backspace' || key === 'delete';

/** What is typed after one more key; undefined if the key types nothing. */
function typedText(typed: string, key: string): string | undefined {
	if (isBackspace(key)) return [...typed].slice(0, -1).join('');
	if (key === 'ctrl-u') return '';
	if (key === 'ctrl-w') return typed.replace(/\S+\s*$/, '');
	if (key === 'space') return `${typed} `;
	return [...key].length === 1 ? typed + key : undefined;
}

const notTyped = (key: string) => `no ${keyWords(key)} while typing; esc leaves`;

const closed = (state: UiState): UiState => ({...state, prompt: undefined});

// A filter takes effect while it is typed.
function typed(state: UiState, prompt: Prompt, text: string): UiState {
	const next = {...state, prompt: {...prompt, text}};
	return prompt.kind === 'filter' ? withPlace(next, {filter: text}) : next;
}

/** The word that completes the text; undefined if there is none, or it is complete already. */
export function completion({kind, text}: Prompt, scene: Scene): string | undefined {
	if (kind === 'filter' || text === '') return undefined;
	const words = kind === 'command' ? commandWords : namespacesOf(scene);
	return words.find((word) => word.startsWith(text) && word !== text);
}

/** Words for the workloads that their name does not begin with, as that of a view may be shortened. */
const workloadWords: readonly string[] = ['wl', 'dp', 'deploy', 'sts', 'ds'];

const commandsOfRows = ['rescue', 'what-if'] as const;
type RowCommand = (typeof commandsOfRows)[number];

const commandWords: readonly string[] = [...viewNames, ...commandsOfRows, 'help', 'quit', 'namespace', 'ctx'];

/** k9s' words, and that of the command. */
const menuWords: readonly string[] = ['ctx', 'context', 'contexts', 'cluster', 'clusters'];

function submit(state: UiState, {kind, text}: Prompt, {scene, menu}: Facts): Reduced {
	const word = text.trim();
	if (kind === 'filter' || word === '') return {state: kind === 'namespace' ? inAllNamespaces(state) : state};
	if (kind === 'namespace') return {state: chooseNamespace(state, word, scene)};
	const [name = '', argument] = word.toLowerCase().split(/\s+/);
	if (name === 'q' || name === 'q!' || name === 'quit') return {state, effect: {type: 'quit'}};
	if (menuWords.includes(name)) return {state: inMenu(state, menu, argument)};
	if (name === 'help' || name === '?') return {state: {...state, helpTop: 0}};
	if (name === 'ns' || name === 'namespace')
		return {state: argument === undefined ? inAllNamespaces(state) : chooseNamespace(state, argument, scene)};
	const view = workloadWords.includes(name)
		? 'workloads'
		: viewNames.find((candidate) => candidate.startsWith(name));
	if (view) return {state: inView(goTo(state, view), view, word.slice(name.length).trim(), {scene, menu})};
	return {state: showMessage(state, `no view "${word}"; there are ${viewNames.join(', ')}`, true)};
}

/** A view by its arguments, as in k9s: a namespace, `-A`, `/FILTER`, `-l SELECTOR` or `app=x`, `@CONTEXT`; or the node whose pressure is shown. */
function inView(shown: UiState, view: ViewName, rest: string, known: Pick<Facts, 'scene' | 'menu'>): UiState {
	const {scene, menu} = known;
	if (rest === '') return shown;
	const [word = '', more = ''] = /^(\S*)\s*(.*)$/.exec(rest)?.slice(1) ?? [];
	if (rest.startsWith('/')) return withPlace(shown, {filter: rest.slice(1)});
	if (word === '-l' || word.includes('='))
		return withPlace(shown, {filter: word === '-l' ? rest : `-l ${rest}`});
	if (word.startsWith('@')) return inMenu(shown, menu, word.slice(1));
	if (word === '-A') return inView(inAllNamespaces(shown), view, more, known);
	if (view !== 'pressure') return inView(chooseNamespace(shown, word, scene), view, more, known);
	const node = scene.forecast?.nodes.find(({name}) => name.includes(rest));
	if (!node) return showMessage(shown, `no node "${rest}"`, true);
	const key = pressureKey({node: node.name, conditions: []});
	return {...shown, trail: [...shown.trail, {kind: 'detail', view, key, target: undefined}]};
}

export const inAllNamespaces = (state: UiState) =>
	showMessage({...state, namespace: undefined}, 'all namespaces are shown; n shows one');

function chooseNamespace(state: UiState, word: string, scene: Scene): UiState {
	const known = namespacesOf(scene);
	const namespace = known.includes(word) ? word : known.find((candidate) => candidate.startsWith(word));
	return namespace === undefined
		? showMessage(state, `no pods in a namespace "${word}"`, true)
		: {...state, namespace};
}

const namespacesOf = ({forecast}: Scene) =>
	unique(forecast?.pods.map(({namespace}) => namespace) ?? []).toSorted();
