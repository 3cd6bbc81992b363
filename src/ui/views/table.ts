import {podKey} from '../../core/model/pod.ts';
import {inTimeZone, timeOfDayBeside} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {
	type CellContext,
	type Column,
	type Drawn,
	isBlank,
	type Sign,
	type Tone,
} from '../../print/tables/kind.ts';
import type {TextMap} from '../../text/textMap.ts';
import type {ShownForecast} from '../scene/digest.ts';
import type {Subject} from '../scene/questions.ts';
import type {Scene} from '../scene/scene.ts';
import {clockTimes, countdown} from '../scene/spans.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type Line, type StyledText, span} from '../theme/line.ts';
import {widthOf} from '../theme/text.ts';

/** The input of cells: the scene, the instant of the frame, and how the dashboard writes times and names. */
export type DrawContext = CellContext &
	Readonly<{
		scene: Scene;
		forecast: ShownForecast;
		timeZone: TimeZone;
		glyphs: Glyphs;
	}>;

/** The part of a frame that cells need. */
type Framed = Pick<DrawContext, 'scene' | 'now' | 'timeZone' | 'glyphs'>;

/** Durations are written as on a clock, and names without what all names share. */
export function cellContext({scene, now, timeZone, glyphs}: Framed, forecast: ShownForecast): DrawContext {
	const {names} = forecast.digest;
	return {
		scene,
		forecast,
		now,
		timeZone,
		glyphs,
		countdown: (range) => countdown(range, now),
		at: (range) => (range ? clockTimes(range, now, timeZone).join('–') : '-'),
		time: (instant) => timeOfDayBeside(instant, now, timeZone),
		nodeName: (name) => names.shortNode(name),
		zoneName: (name) => names.shortZone(name),
		told: (sentence) => names.shorten(sentence),
		podName: podKey,
	};
}

/** The layout of details, with their width. */
export type DetailLayout = Pick<DrawContext, 'now' | 'timeZone' | 'glyphs'> & {readonly width: number};

export type DrawnColumn<Row> = Column<Row, DrawContext> & {readonly drawn: Drawn<Row, DrawContext>};

/** A kind's columns of these titles in this order, with further ones that only the dashboard has. */
export const arranged = <Row>(
	columns: readonly Column<Row, DrawContext>[],
	order: readonly (string | DrawnColumn<Row>)[],
) =>
	order.flatMap((wanted) => {
		if (typeof wanted !== 'string') return wanted;
		return columns.flatMap((column) =>
			column.title === wanted ? {...column, drawn: column.drawn ?? {}} : [],
		);
	});

/** The title as shown. */
export const titleOf = ({title}: {readonly title: string}) => title.replaceAll('-', ' ');

/** The text of a cell without its sign. @param width 0 where widths are measured */
export const textOf = <Row>(
	{cell, drawn}: DrawnColumn<Row>,
	row: Row,
	context: DrawContext,
	width: number,
) => (drawn.text ? drawn.text(row, context, width) : cell(row, context));

/** A cell with its sign, in the short form where it does not fit, or another cell of its column does not. */
export function spanOf<Row>(
	column: DrawnColumn<Row>,
	row: Row,
	context: DrawContext,
	width: number,
	isBrief = false,
): StyledText {
	const {glyphs, now, timeZone} = context;
	const {sign: signOf, tone: toneOf} = column.drawn;
	const whole = inTimeZone(textOf(column, row, context, width), now, timeZone);
	if (isBlank(whole)) return span(glyphs.none, 'dim');
	const sign = signOf?.(row);
	const lead = sign === undefined ? '' : `${signGlyph(sign, glyphs)} `;
	const room = width - widthOf(lead);
	const text = column.brief && (isBrief || widthOf(whole) > room) ? column.brief(row, context, room) : whole;
	const tone = typeof toneOf === 'function' ? toneOf(row, context) : toneOf;
	return span(lead + text, tone ?? (sign && signTone(sign)));
}

const signGlyph = (sign: Sign, {certainty, ...glyphs}: Glyphs) =>
	sign === 'certain' || sign === 'likely' || sign === 'possible' ? certainty[sign] : glyphs[sign];

export const signTone = (sign: Sign): Tone =>
	sign === 'terminating' || sign === 'stays' || sign === 'safe' ? 'dim' : sign;

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

export type DashboardTable<Row> = Readonly<{
	/** A menu is no view: it lists what else can be shown. */
	view: ViewName | 'menu';
	/** The words above the rows of a menu, and the row on which its cursor starts. */
	title?: string;
	first?: string | undefined;
	/** The rows in their default order, the most urgent first. */
	rows: (context: DrawContext) => readonly Row[];
	columns: readonly DrawnColumn<Row>[];
	/** Identifies a row across scenes. */
	keyOf: (row: Row) => string;
	/** Merges similar rows into one, keeping the order. */
	fold?: (rows: readonly Row[], unfolded: ReadonlySet<string>, forecast: ShownForecast) => readonly Row[];
	/** Whether `enter` shows the rows that were merged into this one. */
	isFold?: (row: Row) => boolean;
	/** A text that replaces all cells but the first. */
	across?: (row: Row, context: DrawContext, width: number) => string | undefined;
	/** The text that `c` copies. */
	nameOf: (row: Row) => string;
	textOf: (row: Row) => string;
	labelsOf?: (row: Row) => TextMap;
	namespaceOf?: (row: Row) => string;
	/** What `enter` explains, and questions are about; undefined if there is nothing to explain. */
	targetOf?: (row: Row) => Subject | undefined;
	/** What `enter` shows of a row that is no target: one sentence per line. */
	sentencesOf?: (row: Row, context: DrawContext) => readonly string[];
	/** Details of a row that are more than sentences, by the row's key, because the row itself may be gone. */
	details?: (key: string, context: DrawContext, width: number) => readonly Line[];
	/** The same as an answer in words, as commands print it; wider tables are records. */
	answer?: (key: string, context: DrawContext, recordWidth: number) => readonly string[];
	/** The node whose kubelet is queried while the details are shown. */
	looksAt?: (key: string) => string;
	/** The text shown if there are no rows. */
	empty: (context: DrawContext) => string;
}>;

/** A table with any type of rows. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of different tables never meet
export type AnyTable = DashboardTable<any>;
