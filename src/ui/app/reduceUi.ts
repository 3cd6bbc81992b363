import type {TimeZone} from '../../dates/timeZone.ts';
import type {Explanation} from '../../forecast/explain/explanation.ts';
import {planOf} from '../components/plan.ts';
import type {Size, View} from '../components/view.ts';
import {type SceneSource, scopedTo} from '../scene/scene.ts';
import type {Bindings} from '../state/keyTable.ts';
import {reduce} from '../state/reduce.ts';
import {placeOf, screenOf, showMessage, type UiEffect, type UiState} from '../state/uiState.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {tables} from '../views/tables.ts';
import type {RowFinder} from './rowFinder.ts';

/** Everything of a screen except the state. */
export type ScreenContext = {
	readonly source: SceneSource;
	readonly finder: RowFinder;
	readonly size: Size;
	readonly glyphs: Glyphs;
	readonly bindings: Bindings;
	readonly localTimeZone: () => TimeZone;
	readonly explanation: Explanation | undefined;
	readonly answer: readonly string[] | undefined;
	readonly hasMenu: boolean;
};

/** The actions of the dashboard's reducer. */
export type UiAction =
	| {readonly type: 'key'; readonly key: string; readonly world: ScreenContext}
	/** Shows a message until the next key. */
	| {readonly type: 'message'; readonly text: string; readonly isError: boolean}
	/** The terminal's background is light. */
	| {readonly type: 'light'}
	/** These effects were performed. */
	| {readonly type: 'done'; readonly effects: readonly UiEffect[]};

/** The reducer of the dashboard. */
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

export function viewOf(state: UiState, world: ScreenContext): View {
	const {source, finder, size, glyphs, bindings, hasMenu, explanation, answer} = world;
	const {paused, timeZone} = state;
	const [whole, now] = paused ? [paused.scene, paused.at] : [source.get(), source.now()];
	const screen = screenOf(state);
	const scene = scopedTo(state.namespace, whole);
	const {forecast} = scene;
	const shown =
		screen.kind === 'table' && forecast
			? finder.find({
					...{table: tables[screen.view], context: {scene, forecast, now, timeZone}},
					...{place: placeOf(state), namespace: state.namespace},
					unfolded: state.unfolded,
				})
			: undefined;
	const isDetail = screen.kind === 'detail' && screen.target !== undefined;
	return {
		...{
			state,
			scene,
			now,
			clock: source.now(),
			timeZone,
			size,
			glyphs,
			bindings,
			shown,
			hasMenu,
		},
		explanation: isDetail && !screen.question ? explanation : undefined,
		answer: isDetail && screen.question ? answer : undefined,
		speed: source.speed?.get(),
		...{tape: source.tape?.get(), marks: source.tape?.marks ?? [], canSave: source.save !== undefined},
	};
}
