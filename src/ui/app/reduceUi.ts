import {planOf} from '../components/plan.ts';
import {reduce} from '../state/reduce.ts';
import {showMessage, type UiEffect, type UiState} from '../state/uiState.ts';
import {type ScreenContext, viewOf} from './viewOf.ts';

/** The actions of the dashboard's reducer. */
export type UiAction =
	| {readonly type: 'key'; readonly key: string; readonly world: ScreenContext}
	/** Shows a message until the next key. */
	| {readonly type: 'message'; readonly text: string; readonly isError: boolean}
	/** The terminal's background is light. */
	| {readonly type: 'light'}
	| {readonly type: 'done'; readonly effects: readonly UiEffect[]};

export function reduceUi(state: UiState, action: UiAction): UiState {
	switch (action.type) {
		case 'key':
			return press(state, action.key, action.world);
		case 'message':
			return showMessage(state, action.text, action.isError);
		case 'light':
			return state.isThemeChosen ? state : {...state, theme: 'light'};
		case 'done':
			return {...state, effects: state.effects.filter((effect) => !action.effects.includes(effect))};
	}
}

function press(state: UiState, key: string, world: ScreenContext): UiState {
	const view = viewOf(state, world);
	const {page, detailLength} = planOf(view);
	const {state: next, effect} = reduce(state, key, {
		...{shown: view.shown, lines: detailLength, page, now: view.now},
		scene: state.paused?.scene ?? world.source.get(),
		...{bindings: world.bindings, hasTape: world.source.tape !== undefined},
		localTimeZone: world.localTimeZone,
		answer: view.answer ?? [],
	});
	return effect ? {...next, effects: [...next.effects, effect]} : next;
}
