import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Scene} from '../scene/scene.ts';
import type {Bindings} from './keyTable.ts';
import type {RowsShown} from './rowsShown.ts';
import type {UiEffect, UiState} from './uiState.ts';

/** What the reducer must know of the screen that a key is pressed on. */
export type Facts = {
	/** Undefined where the screen shows no table. */
	readonly shown: RowsShown | undefined;
	/** How many lines details have; 0 for a table. */
	readonly lines: number;
	/** How many rows fit. */
	readonly page: number;
	/** What the details answer, in lines; empty where they answer nothing. */
	readonly answer: readonly string[];
	readonly scene: Scene;
	readonly now: Instant;
	readonly bindings: Bindings;
	/** The zone that is shown beside UTC. */
	readonly localTimeZone: TimeZone;
	/** Whether a recording is played. */
	readonly hasTape: boolean;
};

export type Reduced = {readonly state: UiState; readonly effect?: UiEffect};
