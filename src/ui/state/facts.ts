import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Scene} from '../scene/scene.ts';
import type {Bindings} from './keyTable.ts';
import type {RowsShown} from './rowsShown.ts';
import type {UiEffect, UiState} from './uiState.ts';

/** What the reducer needs to know about the screen on which a key is pressed. */
export type Facts = {
	/** Undefined if the screen shows no table. */
	readonly shown: RowsShown | undefined;
	/** The number of lines of details; 0 for a table. */
	readonly lines: number;
	/** The number of rows that fit. */
	readonly page: number;
	/** The answer in the details, in lines; empty if there is none. */
	readonly answer: readonly string[];
	readonly scene: Scene;
	readonly now: Instant;
	readonly bindings: Bindings;
	/** The alternative to UTC. */
	readonly localTimeZone: () => TimeZone;
	/** Whether a recording is played. */
	readonly hasTape: boolean;
};

export type Reduced = {readonly state: UiState; readonly effect?: UiEffect};
