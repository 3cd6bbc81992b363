import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Bindings} from './keyTable.ts';
import type {RowsShown} from './rowsShown.ts';
import type {Scene} from './scene.ts';
import type {TapeMove} from './tape.ts';
import type {UiState} from './uiState.ts';

/** What the reducer must know of the screen that a key is pressed on. */
export type Facts = {
	/** Undefined where the screen shows no table. */
	readonly shown: RowsShown | undefined;
	/** How many lines details have; 0 for a table. */
	readonly lines: number;
	/** How many rows fit. */
	readonly page: number;
	readonly scene: Scene;
	readonly now: Instant;
	readonly bindings: Bindings;
	/** The zone that is shown beside UTC. */
	readonly localTimeZone: TimeZone;
	/** Whether a recording is played. */
	readonly hasTape: boolean;
};

/** What a key asks of the world outside. */
export type UiEffect =
	| {readonly type: 'quit' | 'suspend' | 'redraw' | 'menu' | 'save'}
	| {readonly type: 'tape'; readonly move: TapeMove}
	| {readonly type: 'copy'; readonly text: string}
	| {readonly type: 'speed'; readonly step: 1 | -1};

export type Reduced = {readonly state: UiState; readonly effect?: UiEffect};
