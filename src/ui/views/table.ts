import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import type {ShownForecast} from '../scene/digest.ts';
import type {Scene} from '../scene/scene.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import type {Line, StyledText} from '../theme/line.ts';

/** What cells are made of: the scene, and the instant that the frame shows. */
export type CellContext = {
	readonly scene: Scene;
	readonly forecast: ShownForecast;
	readonly now: Instant;
	/** In which times are shown. */
	readonly timeZone: TimeZone;
	readonly glyphs: Glyphs;
};

/** What cells are measured by: it stays the same from frame to frame. */
export type Measuring = Pick<CellContext, 'forecast'> & {readonly scene: CountedBy};

/** What pods of workloads are counted by. */
export type CountedBy = Pick<Scene, 'isPartial'> & {readonly impacts?: Scene['impacts'] | undefined};

/** Where details are written: in so many columns. */
export type DetailLayout = Pick<CellContext, 'now' | 'timeZone' | 'glyphs'> & {readonly width: number};

export type TableColumn<Row> = {
	readonly title: string;
	/** The title where that has no room. */
	readonly briefTitle?: string;
	/** What fits always. Where absent, the column is as wide as the longest of its cells, within `least` and `most`. */
	readonly width?: number;
	readonly least?: number;
	readonly most?: number;
	/** The longest of the column's cells is found with this: it must not change with time. */
	readonly measure?: (row: Row, context: Measuring) => string;
	/** Undefined where there is nothing to show; where absent, cells are what is measured. */
	readonly cell?: (row: Row, context: CellContext, width: number) => StyledText | undefined;
	/** What takes the place of a cell's text where that does not fit. */
	readonly brief?: (row: Row, context: CellContext) => string;
	/** The letter that sorts by it, with shift. */
	readonly sortKey?: string;
	/** What the help says that it sorts by, where that is not the title. */
	readonly sortWord?: string;
	readonly compare?: (a: Row, b: Row) => number;
	/** Whether that puts the most, or the newest, first; the sign in the title tells. */
	readonly isMostFirst?: boolean;
	readonly isRight?: boolean;
	/** A name is cut in its middle. */
	readonly isName?: boolean;
	/** Whether nearly all of its cells change each second: it is drawn apart from the columns beside it. */
	readonly isTimed?: boolean;
	/** Whether a row has something in it: where none has, it goes before all others where there is not enough room. */
	readonly isFilled?: (row: Row) => boolean;
	/** Where there is not enough room, columns with a higher number go first, of equal ones the left one; 0 stays always. */
	readonly drop: number;
};

/** The names of the views, as `:` takes them. */
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

/** One kind of rows, and how they are shown. */
export type DashboardTable<Row> = {
	readonly view: ViewName;
	/** Rows in their own order: the most urgent first. */
	readonly rows: (context: Omit<CellContext, 'glyphs'>) => readonly Row[];
	readonly columns: readonly TableColumn<Row>[];
	/** By which a row is known again in another scene. */
	readonly keyOf: (row: Row) => string;
	/** Joins rows that stand alike into one, in the rows' own order. */
	readonly fold?: (
		rows: readonly Row[],
		unfolded: ReadonlySet<string>,
		forecast: ShownForecast,
	) => readonly Row[];
	/** Whether `enter` shows the rows that are joined in one. */
	readonly isFold?: (row: Row) => boolean;
	/** What takes the place of all cells but the first. */
	readonly across?: (row: Row, context: CellContext, width: number) => string | undefined;
	/** What `c` copies. */
	readonly nameOf: (row: Row) => string;
	/** What a filter looks at. */
	readonly textOf: (row: Row) => string;
	readonly labelsOf?: (row: Row) => Readonly<Record<string, string>>;
	readonly namespaceOf?: (row: Row) => string;
	/** What `enter` explains; undefined where there is nothing to explain. */
	readonly targetOf?: (row: Row) => Target | undefined;
	/** What `enter` tells of a row that is no target: a line a sentence. */
	readonly tell?: (row: Row, context: CellContext) => readonly string[];
	/** What `enter` shows of a row where that is more than sentences, by the row's key: the row itself may be gone. */
	readonly details?: (key: string, context: CellContext, width: number) => readonly Line[];
	/** The node that is looked at while these are shown. */
	readonly looksAt?: (key: string) => string;
	/** What is said where there are no rows. */
	readonly empty: (context: Omit<CellContext, 'glyphs'>) => string;
};

/** A table whose rows are nobody's business. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of different tables never meet
export type AnyTable = DashboardTable<any>;
