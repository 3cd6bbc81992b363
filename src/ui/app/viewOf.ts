import type {TimeZone} from '../../dates/timeZone.ts';
import type {View} from '../components/view.ts';
import {type SceneSource, scopedTo} from '../scene/scene.ts';
import {placeOf, screenOf, type UiState} from '../state/uiState.ts';
import {tables} from '../views/tables.ts';
import type {RowFinder} from './rowFinder.ts';

/** Everything of a screen except the state. */
export type ScreenContext = Pick<
	View,
	'size' | 'glyphs' | 'bindings' | 'explanation' | 'answer' | 'hasMenu'
> & {
	readonly source: SceneSource;
	readonly finder: RowFinder;
	readonly localTimeZone: () => TimeZone;
};

/** What the components draw: the scene, the rows of the shown table, and what else the state asks for. */
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
