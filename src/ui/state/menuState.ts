import {keyWords} from './keyName.ts';
import {actionOf} from './keyTable.ts';
import {isBackspace, notTyped, typedText} from './prompt.ts';
import {stepsOf} from './reduce.ts';
import {filterOf} from './rowsShown.ts';

export type Choice = {readonly name: string; readonly title: string};

export type MenuState = {
	/** The name of the choice under the cursor; undefined for the first. */
	readonly selected: string | undefined;
	readonly filter: string;
	/** The filter before it was edited; undefined if none is being typed. */
	readonly before: string | undefined;
	/** A message about the last key. */
	readonly message: string | undefined;
};

/** The choices that a filter lets through, and the index of the one under the cursor; -1 if there is none. */
export type ChoicesShown = {
	readonly choices: readonly Choice[];
	readonly index: number;
	readonly complaint: string | undefined;
};

export function choicesShown({filter, selected}: MenuState, all: readonly Choice[]): ChoicesShown {
	const {passes, complaint} = filterOf(filter, {textOf: ({name, title}) => `${name} ${title}`});
	const choices = all.filter(passes);
	const found = choices.findIndex(({name}) => name === selected);
	return {choices, index: Math.min(Math.max(0, found), choices.length - 1), complaint};
}

type MenuFacts = {
	readonly shown: ChoicesShown;
	/** The number of choices that fit. */
	readonly page: number;
};

export type MenuEffect = 'open' | 'back' | 'quit' | 'suspend' | 'redraw';

export function reduceMenu(
	before: MenuState,
	key: string,
	{shown, page}: MenuFacts,
): {readonly state: MenuState; readonly effect?: MenuEffect} {
	const state = {...before, message: undefined};
	if (state.before !== undefined) return {state: whileTyping(state, key, state.before)};
	const action = actionOf(key);
	const step = action && stepsOf(page)[action];
	if (step !== undefined) {
		const at = Math.max(0, Math.min(shown.choices.length - 1, shown.index + step));
		return {state: {...state, selected: shown.choices[at]?.name}};
	}
	switch (action) {
		case 'open':
			return shown.index < 0 ? {state: {...state, message: 'there is no row here'}} : {state, effect: action};
		case 'filter':
			return {state: {...state, before: state.filter}};
		case 'back':
			return state.filter === '' ? {state, effect: action} : {state: {...state, filter: ''}};
		case 'quit':
		case 'suspend':
		case 'redraw':
			return {state, effect: action};
		default:
			return {state: {...state, message: `no ${keyWords(key)} here; the line below shows the keys`}};
	}
}

function whileTyping(state: MenuState, key: string, before: string): MenuState {
	const closed = {...state, before: undefined};
	if (key === 'enter') return closed;
	if (key === 'esc' || key === 'ctrl-c') return {...closed, filter: before};
	if (state.filter === '' && isBackspace(key)) return closed;
	const filter = typedText(state.filter, key);
	return filter === undefined ? {...state, message: notTyped(key)} : {...state, filter};
}
