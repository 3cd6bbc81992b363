import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Explanation} from '../../forecast/explain/explanation.ts';
import type {Scene} from '../scene/scene.ts';
import type {TapeMark, TapeState} from '../scene/tape.ts';
import type {Bindings} from '../state/keyTable.ts';
import type {RowsShown} from '../state/rowsShown.ts';
import type {UiState} from '../state/uiState.ts';
import type {Glyphs} from '../theme/glyphs.ts';

/** The room on a terminal. */
export type Size = {readonly columns: number; readonly rows: number};

/** All that one frame is made of. */
export type View = {
	readonly state: UiState;
	readonly scene: Scene;
	readonly now: Instant;
	/** What time it is, though the screen may stand still at another. */
	readonly clock: Instant;
	/** In which times are shown. */
	readonly timeZone: TimeZone;
	readonly size: Size;
	readonly glyphs: Glyphs;
	readonly bindings: Bindings;
	/** The rows of the table that is shown; undefined where details are. */
	readonly shown: RowsShown | undefined;
	/** What the details explain; undefined where there is none. */
	readonly explanation: Explanation | undefined;
	/** What would be, line by line; undefined where it was not asked for. */
	readonly answer: readonly string[] | undefined;
	/** Undefined where time cannot be made to pass faster. */
	readonly speed: number | undefined;
	/** Undefined where no recording is played. */
	readonly tape: TapeState | undefined;
	/** What happens in it. */
	readonly marks: readonly TapeMark[];
	/** Whether what was seen can be saved. */
	readonly canSave: boolean;
	/** Whether there is a menu to go back to, of clusters or of outages. */
	readonly hasMenu: boolean;
};
