import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import type {ShownForecast} from '../scene/digest.ts';
import type {Scene} from '../scene/scene.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import type {Line, StyledText} from '../theme/line.ts';

/** The input of cells: the scene, and the instant of the frame. */
export type CellContext = {
	readonly scene: Scene;
	readonly forecast: ShownForecast;
	readonly now: Instant;
	readonly timeZone: TimeZone;
	readonly glyphs: Glyphs;
};

/** The context of texts that decide widths; it stays the same for one forecast. */
export type WidthContext = Pick<CellContext, 'forecast'> & {readonly scene: CountedBy};

/** The part of a scene that counts the pods of workloads. */
export type CountedBy = Pick<Scene, 'isPartial'> & {readonly impacts?: Scene['impacts'] | undefined};

/** The layout of details, with their width. */
export type DetailLayout = Pick<CellContext, 'now' | 'timeZone' | 'glyphs'> & {readonly width: number};

export type TableColumn<Row> = {
	readonly title: string;
	/** The title if there is no room for the full one. */
	readonly briefTitle?: string;
	/** A fixed width. If absent, the column is as wide as its longest cell, within `least` and `most`. */
	readonly width?: number;
	readonly least?: number;
	readonly most?: number;
	/** The text that decides the width; it must not change over time. */
	readonly measure?: (row: Row, context: WidthContext) => string;
	/** The cell; undefined if it is empty. If absent, cells show the text of `measure`. */
	readonly cell?: (row: Row, context: CellContext, width: number) => StyledText | undefined;
	/** A shorter text for a cell that does not fit. */
	readonly brief?: (row: Row, context: CellContext, width: number) => string;
	/** The letter that sorts by the column, with shift. */
	readonly sortKey?: string;
	/** The name of the order in the help, if it is not the title. */
	readonly sortWord?: string;
	readonly compare?: (a: Row, b: Row) => number;
	/** Whether that puts the largest or newest first; the sign in the title shows it. */
	readonly isMostFirst?: boolean;
	readonly isRight?: boolean;
	/** A name is truncated in its middle. */
	readonly isName?: boolean;
	/** Whether nearly all of its cells change each second; it is then rendered separately from its neighbours. */
	readonly isTimed?: boolean;
	/** Whether a row has a value in it: a column without any is dropped first if there is not enough room. */
	readonly isFilled?: (row: Row) => boolean;
	/** Columns with a higher number are dropped first, of equal ones the left one; 0 is never dropped. */
	readonly drop: number;
};

/** The names of the views, as typed after `:`. */
export type ViewName =
	| 'overview'
	| 'zones'
	| 'nodes'
	| 'pods'
	| 'workloads'
	| 'events'
	| 'settings'
	| 'problems'
	| 'pressure';

export type DashboardTable<Row> = {
	readonly view: ViewName;
	/** The rows in their default order, the most urgent first. */
	readonly rows: (context: Omit<CellContext, 'glyphs'>) => readonly Row[];
	readonly columns: readonly TableColumn<Row>[];
	/** Identifies a row across scenes. */
	readonly keyOf: (row: Row) => string;
	/** Merges similar rows into one, keeping the order. */
	readonly fold?: (
		rows: readonly Row[],
		unfolded: ReadonlySet<string>,
		forecast: ShownForecast,
	) => readonly Row[];
	/** Whether `enter` shows the rows that were merged into this one. */
	readonly isFold?: (row: Row) => boolean;
	/** A text that replaces all cells but the first. */
	readonly across?: (row: Row, context: CellContext, width: number) => string | undefined;
	/** The text that `c` copies. */
	readonly nameOf: (row: Row) => string;
	readonly textOf: (row: Row) => string;
	readonly labelsOf?: (row: Row) => Readonly<Record<string, string>>;
	readonly namespaceOf?: (row: Row) => string;
	/** What `enter` explains; undefined if there is nothing to explain. */
	readonly targetOf?: (row: Row) => Target | undefined;
	/** What `enter` shows of a row that is no target: one sentence per line. */
	readonly sentencesOf?: (row: Row, context: CellContext) => readonly string[];
	/** Details of a row that are more than sentences, by the row's key, because the row itself may be gone. */
	readonly details?: (key: string, context: CellContext, width: number) => readonly Line[];
	/** The node whose kubelet is queried while the details are shown. */
	readonly looksAt?: (key: string) => string;
	/** The text shown if there are no rows. */
	readonly empty: (context: Omit<CellContext, 'glyphs'>) => string;
};

/** A table with any type of rows. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of different tables never meet
export type AnyTable = DashboardTable<any>;
