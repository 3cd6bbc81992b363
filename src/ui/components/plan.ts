import {AnswerPage} from '../../print/answerPage.ts';
import {formatBrief, verdictWords} from '../../print/explanation/explanation.ts';
import {questionsOf} from '../scene/questions.ts';
import {commandIn} from '../state/commands.ts';
import {hasMore} from '../state/reduce.ts';
import {placeOf, type Screen, screenOf} from '../state/uiState.ts';
import {blank, type Line, line, paragraph, span, textLine, widthOfSpans} from '../theme/line.ts';
import {clip, clipMiddle, widthOf, wrapText} from '../theme/text.ts';
import {cellContext, type ViewName} from '../views/table.ts';
import {tables} from '../views/tables.ts';
import {answerLines, answerWidth} from './answerLines.ts';
import {explanationLines} from './detailLines.ts';
import {countsLine, keyLine, riskLines, statusLines} from './footer.ts';
import {doNowLines, headlineLines, isStale, noticeLines, titleLine} from './header.ts';
import {helpLines} from './helpScreen.ts';
import {topRow} from './lines.tsx';
import {hasSide, layoutOf, type OverviewLayout} from './overview.tsx';
import {pausedLines, rowsIn} from './reasons.ts';
import {tapeLine} from './tapeLine.ts';
import type {View} from './view.ts';

const smallest = {columns: 40, rows: 9};

/** Divides the rows of the screen: title, headline and notices above, the view in the middle, counts and keys below. */
export function planOf(view: View) {
	const {size} = view;
	// One line less than the terminal has, because a full one would scroll.
	const height = size.rows - 1;
	if (size.columns < smallest.columns || size.rows < smallest.rows) return tooSmall(view, height);
	const hasRisks = isOverview(view) && size.rows >= (hasSide(size.columns) ? 40 : 24);
	const [headline, notice] = [headlineLines(view, hasRisks), noticeLines(view)];
	const words = isStale(view.scene, view.now) ? [...notice, ...headline] : [...headline, ...notice];
	const isHelp = view.state.helpTop !== undefined;
	const isMenu = screenOf(view.state).view === 'menu';
	const above = [
		titleLine(view),
		...(isHelp ? [] : [...(isMenu ? [] : [...words, ...doNowLines(view)]), ...(height >= 20 ? [blank] : [])]),
	];
	const status = statusLines(view);
	const counts = isOverview(view) ? [...(hasRisks ? riskLines(view) : []), countsLine(view)] : [];
	const tape = tapeLine(view);
	const below = [...counts, ...status, ...(tape ? [tape] : [])];
	const room = Math.max(1, height - above.length - below.length - 1);
	const layout = isOverview(view) ? layoutOf(view, room, status.length) : undefined;
	const body = bodyOf(view, room, layout);
	return {
		above,
		room,
		layout,
		lines: body.lines?.slice(0, room),
		below: [...below, keyLine(view, body.first, body.page)].slice(
			0,
			Math.max(0, height - above.length - room),
		),
		page: Math.max(1, body.page),
		detailLength: body.detailLength,
	};
}

/** Whether the first screen is visible, with nothing on top of it. */
function isOverview({state}: View) {
	const {view, kind} = screenOf(state);
	return view === 'overview' && kind === 'table' && state.helpTop === undefined;
}

type Body = Readonly<{
	/** Lines of text, or undefined for a table. */
	lines: readonly Line[] | undefined;
	/** The number of rows of the table, or lines of the details, that fit, and the first that is shown. */
	page: number;
	first: number;
	/** The number of lines of the details; 0 for a table. */
	detailLength: number;
}>;

function bodyOf(view: View, room: number, layout: OverviewLayout | undefined): Body {
	const screen = screenOf(view.state);
	if (view.state.helpTop !== undefined) return helpBody(view, view.state.helpTop, room);
	if (screen.kind === 'detail') return detailBody(view, screen, room);
	if (screen.kind === 'choice') {
		const title = textLine(` ${screen.target.kind} ${screen.target.name}: what if…`, 'title');
		return {lines: [title, ...choiceLines(view, screen)], page: room - 1, first: 0, detailLength: 0};
	}
	const {shown, state} = view;
	const height = layout?.tableHeight ?? room - 1;
	const page = layout && layout.sideWidth > 0 ? height - 1 : rowsIn(view, height);
	const first = shown ? topRow(shown.index, placeOf(state).offset, shown.rows.length, page) : 0;
	return {lines: undefined, page, first, detailLength: 0};
}

/** Some lines of a text below a title, which tells which ones if they are not all. */
function pageOf(all: readonly Line[], first: number, room: number, titleOf: (where: string) => Line): Body {
	const page = room - 1;
	const last = Math.min(first + page, all.length);
	const where = all.length > page ? `  ${first + 1}-${last} of ${all.length} lines` : '';
	return {lines: [titleOf(where), ...all.slice(first, last)], page, first, detailLength: all.length};
}

const helpBody = (view: View, top: number, room: number) =>
	pageOf(helpLines(view), top, room, (where) =>
		line(span(' HELP', 'title'), span(where, 'dim'), span('   any other key leaves it', 'dim')),
	);

export function viewTitle({state, shown, scene, size}: View): Line {
	const screen = screenOf(state);
	const {view} = screen;
	const {of} = screen.kind === 'table' ? screen : {};
	const title = shown?.table.title ?? (of && `PODS of ${of.kind} ${of.name}`);
	const namesAny = !title && view !== 'workloads' && view !== 'settings' && view !== 'problems';
	const shared = scene.forecast && namesAny ? scene.forecast.digest.names.words : '';
	const [count, all] = [shown?.passed ?? 0, shown?.all ?? 0];
	const more = scene.reading && view === 'pods' ? '+' : '';
	const counts = `${count === all ? all : `${count} of ${all}`}${more}`;
	const counted = [span(` ${title ?? view.toUpperCase()} `, 'heading'), span(counts, 'strong')];
	// Where both do not fit, those of nodes alone.
	const room = size.columns - widthOfSpans(counted) - 3;
	const [words = ''] = widthOf(shared) <= room ? [shared] : shared.split(', ');
	return line(...counted, span(words === '' ? '' : `   ${words}`, 'dim'));
}

function detailBody(view: View, screen: Extract<Screen, {kind: 'detail'}>, room: number): Body {
	const all = detailLines(view, screen, Math.min(view.size.columns, 140));
	const first = Math.max(0, Math.min(placeOf(view.state).index, all.length - (room - 1)));
	return pageOf(all, first, room, (where) =>
		line(span(titleOf(screen, view, view.size.columns - where.length), 'title'), span(where, 'dim')),
	);
}

/** The title of details; where it is too long, a name in it is cut, so that what it is about can still be read. */
function titleOf(screen: Extract<Screen, {kind: 'detail'}>, view: View, room: number): string {
	const [name, rest] = titleParts(screen, view);
	const {cut} = view.glyphs;
	const part = Math.max(leastName, room - 1 - widthOf(rest));
	return clip(` ${clipMiddle(name, part, cut)}${rest}`, room, cut);
}

const leastName = 24;

function titleParts(
	{target, view, key, question}: Extract<Screen, {kind: 'detail'}>,
	shown: View,
): readonly [name: string, rest: string] {
	const node = target ? undefined : tables[view].looksAt?.(key);
	if (node !== undefined) return [`${view} of node ${node}`, ''];
	if (!target || (target.kind === 'workload' && !question))
		return [rowOf(view, key, shown) ? view.toUpperCase() : key, ''];
	const {explanation, scene} = shown;
	const name = `${target.kind} ${'namespace' in target ? `${target.namespace}/` : ''}${target.name}`;
	if (!question) return [name, explanation ? `: ${verdictWords(explanation)}` : ''];
	const title = scene.forecast?.digest.names.shorten(question.title) ?? question.title;
	const isAsked = question.kind === 'rescue' || question.kind === 'yaml';
	return [name, isAsked ? `: ${title}` : `: what if ${title}?`];
}

export function detailLines(
	view: View,
	screen: Extract<Screen, {kind: 'detail'}>,
	width: number,
): readonly Line[] {
	const {target, view: name, key, question} = screen;
	const {scene, size, explanation, answer} = view;
	const isBrief = hasMore(screen);
	if (answer) return answerLines(isBrief ? briefOf(answer) : answer, size.columns, question?.kind === 'yaml');
	if (target && target.kind !== 'workload') {
		if (explanation && isBrief) {
			const {now, timeZone, source} = view;
			const options = {timeZone, connection: source.connection, textWidth: answerWidth(width)};
			const page = new AnswerPage(now, options);
			return answerLines(formatBrief(explanation, page).trimEnd().split('\n'), width, false);
		}
		if (explanation) return explanationLines(explanation, {...view, width});
		const ofThen = view.state.paused && pausedLines(target, view, width);
		if (ofThen) return ofThen;
		const why = view.scene.reading
			? 'It is not known yet: the pods are still being read.'
			: `There is no ${target.kind} ${target.name} any more.`;
		return paragraph(`${why} Press esc.`, width, 'dim');
	}
	const {details, answer: tell} = tables[name];
	if (tell && scene.forecast) {
		const told = tell(key, cellContext(view, scene.forecast), answerWidth(width));
		return answerLines(told, width, false);
	}
	if (details && scene.forecast) return details(key, cellContext(view, scene.forecast), width);
	const row = rowOf(name, key, view);
	if (!row) return [textLine(' It is gone. Press esc.', 'dim')];
	const sentences = tables[name].sentencesOf?.(row.row, row.context) ?? [];
	return sentences.flatMap((text) => [...paragraph(text, width), blank]);
}

/** The paragraphs of an answer that ten lines hold, at least the first two: the instant, and what is asked. */
function briefOf(answer: readonly string[]): readonly string[] {
	const ends = answer.flatMap((text, index) => (text === '' ? index : []));
	const end = ends.findLast((index) => index <= mostBrief) ?? mostBrief;
	// The first command, if it is near, is the answer.
	const command = answer.findIndex((text) => commandIn(text) !== undefined) + 1;
	const near = command <= mostBrief + 2 ? Math.max(command, end) : end;
	return answer.length <= mostBrief + 1 ? answer : answer.slice(0, near === ends[0] ? mostBrief : near);
}

const mostBrief = 10;

function rowOf(name: ViewName, key: string, view: View) {
	const {forecast} = view.scene;
	if (!forecast) return undefined;
	const context = cellContext(view, forecast);
	const row = tables[name].rows(context).find((one) => tables[name].keyOf(one) === key);
	return row === undefined ? undefined : {row, context};
}

function tooSmall({size}: View, height: number) {
	const lines = wrapText(`Too small: ${smallest.columns}x${smallest.rows} is the least.`, size.columns);
	const room = Math.max(1, height);
	const shown = lines.slice(0, room).map((text) => textLine(text));
	return {above: [], lines: shown, layout: undefined, room, below: [], page: 1, detailLength: 0};
}

/** The menu of questions about a row, with the cursor on one of them. */
export function choiceLines(
	{scene, state, glyphs}: View,
	{target}: Extract<Screen, {kind: 'choice'}>,
): readonly Line[] {
	const questions = scene.forecast ? questionsOf(target, scene.forecast) : [];
	const at = Math.min(placeOf(state).index, questions.length - 1);
	return questions.map(({title}, index) => {
		const isSelected = index === at;
		const text = scene.forecast?.digest.names.shorten(title) ?? title;
		const sign = span(` ${isSelected ? glyphs.cursor : ' '} `, 'key');
		return {spans: [sign, span(text, isSelected ? 'title' : 'strong')], isSelected};
	});
}
