import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Explanation} from '../../forecast/explain/explanation.ts';
import type {Scene, SceneSource} from '../scene/scene.ts';
import type {TapeState} from '../scene/tape.ts';
import type {RowsShown} from '../state/rowsShown.ts';
import type {UiState} from '../state/uiState.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import type {AnyTable} from '../views/table.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** Everything that one frame is made of. */
export type View = Readonly<{
	state: UiState;
	scene: Scene;
	now: Instant;
	source: SceneSource;
	timeZone: TimeZone;
	size: Size;
	glyphs: Glyphs;
	/** The rows of the visible table; undefined if details are visible. */
	shown: RowsShown | undefined;
	/** The explanation in the details; undefined if there is none. */
	explanation: Explanation | undefined;
	/** The answer to a what-if, line by line; undefined if none was asked. */
	answer: readonly string[] | undefined;
	/** Undefined if no recording is played. */
	tape: TapeState | undefined;
	/** The alternative to UTC. */
	localTimeZone: () => TimeZone;
	/** What else can be shown, clusters or outages; undefined if there is nothing else. */
	menu: AnyTable | undefined;
}>;
