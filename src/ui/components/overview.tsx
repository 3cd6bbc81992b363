import {Box} from 'ink';
import type {ReactNode} from 'react';
import {podKey} from '../../core/model/pod.ts';
import {timeOfDayBeside} from '../../dates/format.ts';
import {isWellNode} from '../../forecast/nodeForecast.ts';
import {count} from '../../forecast/words.ts';
import {isInTrouble} from '../../print/tables/zoneKind.ts';
import {riskWords} from '../scene/risks.ts';
import {blank, type Line, line, span, textLine} from '../theme/line.ts';
import {clip, padTo, widthOf, wrapText} from '../theme/text.ts';
import {nodes as nodeTable} from '../views/nodesView.ts';
import {cellContext, type DrawContext, type DrawnColumn} from '../views/table.ts';
import {zones as zoneTable} from '../views/zonesView.ts';
import {headerLine, measureColumns, placeColumns, rowSpans} from './columns.ts';
import {Column, Lines, Repeated} from './lines.tsx';
import {reasonLines} from './reasons.ts';
import {TableWindow} from './tableWindow.tsx';
import {timelinePanel} from './timelinePanel.ts';
import type {View} from './view.ts';

export type OverviewLayout = Readonly<{
	zoneRows: number;
	/** The height of the timeline's bars; 0 if there is no room for it. */
	barHeight: number;
	hasGaps: boolean;
	hasLegend: boolean;
	/** Whether the title tells of more zones. */
	isTight: boolean;
	/** The height of the table, including its header. */
	tableHeight: number;
	/** The width of the reasoning beside it; 0 if there is no room. */
	sideWidth: number;
}>;

/** Below this height, the title shows that there are more zones. */
const tight = 10;

/** A header and a row. */
const leastTable = 2;

/** Whether the screen is wide enough for a second column beside the table. */
export const hasSide = (columns: number) => columns >= 170;

/**
 * Divides the lines: the zones and the next evictions first, then the timeline, then blank lines.
 *
 * @param room the lines that there are
 * @param lent those that a prompt or a message has for a while: the table gives them, so that nothing else moves
 */
export function layoutOf(view: View, room: number, lent: number): OverviewLayout {
	const {size, scene} = view;
	const zoneCount = scene.forecast?.zones.length ?? 0;
	const height = room + lent;
	const fitting =
		height >= 36
			? 10
			: height >= 18
				? 5
				: height >= 14
					? 3
					: Math.max(0, Math.min(2, height - 1 - leastTable));
	// A line that tells of one more zone has room for that zone.
	const most = height >= tight && zoneCount === fitting + 1 ? zoneCount : fitting;
	const zoneRows = Math.min(zoneCount, most);
	const hasMoreLine = height >= tight && zoneCount > most;
	const barHeight = height >= 40 ? 5 : height >= 30 ? 4 : height >= 17 ? 2 : 0;
	const hasGaps = height >= 17;
	const zonesHeight = zoneRows === 0 ? 0 : 1 + zoneRows + (hasMoreLine ? 1 : 0);
	const timeline = barHeight > 0 ? barHeight + (height >= 22 ? 2 : 1) : 0;
	const gaps = hasGaps ? 2 : 0;
	const title = height >= 17 ? 1 : 0;
	const tableHeight = room - zonesHeight - timeline - gaps - title;
	if (tableHeight < leastTable && lent > 0) return layoutOf(view, room, 0);
	return {
		zoneRows,
		barHeight,
		hasGaps,
		hasLegend: height >= 22,
		isTight: height < tight,
		tableHeight: Math.min(room, Math.max(leastTable, tableHeight)),
		sideWidth: hasSide(size.columns) ? Math.min(80, Math.floor(size.columns * 0.34)) : 0,
	};
}

/** The first screen: the zones, the next ten minutes, and the next evictions. */
export function Overview({view, layout}: {readonly view: View; readonly layout: OverviewLayout}): ReactNode {
	const {forecast} = view.scene;
	if (!forecast) return null;
	const {columns: width} = view.size;
	const gap = layout.hasGaps ? [blank] : [];
	const timeline = layout.barHeight > 0 ? timelinePanel(view, layout.barHeight) : [];
	const above = [
		...zoneLines(view, layout.zoneRows, layout.isTight),
		...gap,
		// Drops the legend if there are few lines.
		...(layout.hasLegend ? timeline : timeline.slice(0, -1)),
		...gap,
		...(layout.hasGaps ? [listTitle(view)] : []),
	];
	return (
		<>
			<Lines lines={above} width={width} />
			<NextEvictions view={view} layout={layout} />
		</>
	);
}

function zoneLines(view: View, most: number, isTight: boolean): readonly Line[] {
	const {scene, glyphs, size} = view;
	const {forecast} = scene;
	if (!forecast || most === 0) return [];
	const context = cellContext(view, forecast);
	const rows = zoneTable.rows(context);
	// The headline and the zones view already show what releases a zone.
	const columns = zoneTable.columns.filter(({title}) => title !== 'RESUMES-WHEN');
	const [header, ...lines] = drawn(columns, rows, context, size.columns - 2, most);
	const hidden = rows.slice(most);
	const more = hidden.length;
	const wells = hidden.some((zone) => isInTrouble(zone) || zone.late > 0) ? '' : ', all well';
	const [first, ...titles] = header?.spans.slice(1) ?? [];
	const name = isTight && more > 0 ? `ZONE ${lines.length}/${rows.length}` : 'ZONE';
	const title = span(padTo(name, widthOf(first?.text ?? ''), glyphs.cut), 'heading');
	return [
		line(span('  '), title, ...titles),
		...lines,
		...(more > 0 && !isTight ? [textLine(`  + ${count(more, 'more zone')}${wells}: press 2`, 'dim')] : []),
	];
}

/** A header, and the first rows of a table without a cursor. */
function drawn<Row>(
	columns: readonly DrawnColumn<Row>[],
	rows: readonly Row[],
	context: DrawContext,
	width: number,
	most: number,
): readonly Line[] {
	const placed = placeColumns(measureColumns(columns, rows, context), width);
	return [
		headerLine(placed, undefined, context.glyphs),
		...rows.slice(0, most).map((row) => rowSpans(placed, row, context)),
	].map((spans) => line(span('  '), ...spans));
}

/** The nodes in trouble, where the evictions leave room below them. */
function nodeLines(view: View, width: number, room: number): readonly Line[] {
	const {forecast} = view.scene;
	const unwell = forecast?.digest.nodeRows.filter((node) => !isWellNode(node)) ?? [];
	if (!forecast || unwell.length === 0 || room < 4) return [];
	const columns = nodeTable.columns.filter(({title}) => title !== 'BECAUSE');
	const title = line(span(' NODES IN TROUBLE ', 'heading'), span(String(unwell.length), 'strong'));
	return [blank, title, ...drawn(columns, unwell, cellContext(view, forecast), width - 2, room - 3)];
}

function listTitle({scene, shown}: View): Line {
	const {coming = [], counts} = scene.forecast?.digest.pods ?? {};
	const held = counts?.Held ?? 0;
	// The common parts of all node and zone names, which rows omit.
	const shared = scene.forecast?.digest.names.words ?? '';
	const [before, after] = [shown?.all ?? 0, shown?.passed ?? 0];
	const filtered = after === before ? '' : `   ${after} of ${before} shown`;
	if (coming.length === 0 && held > 0)
		return line(
			span(' HELD: EVICTED ONCE EVICTIONS RESUME ', 'heading'),
			span(String(held), 'strong'),
			span(filtered, 'dim'),
		);
	return line(
		span(' NEXT EVICTIONS ', 'heading'),
		span(coming.length > 0 ? `${coming.length}${scene.reading ? '+' : ''}` : '', 'strong'),
		...(held > 0 ? [span('   THEN HELD ', 'heading'), span(String(held), 'strong')] : []),
		span(filtered, 'dim'),
		span(shared === '' ? '' : `   ${shared}`, 'dim'),
	);
}

/** The next evictions, with the reasoning of the row under the cursor below, or beside if there is room. */
function NextEvictions({view, layout}: {readonly view: View; readonly layout: OverviewLayout}): ReactNode {
	const {tableHeight: height, sideWidth} = layout;
	const width = view.size.columns;
	const side = sideWidth === 0 ? [] : sideLines(view, sideWidth, height);
	if (side.length === 0) return <TableWindow view={view} height={height} width={width} hasReasons />;
	const left = width - sideWidth - 3;
	const nodes = nodeLines(view, left, height - 1 - (view.shown?.rows.length ?? 0));
	const wall = textLine(` ${view.glyphs.wall}`, 'dim');
	return (
		<Box>
			<Column width={left}>
				<TableWindow view={view} height={height} width={left} hasReasons={false} />
				<Lines lines={nodes} width={left} />
			</Column>
			<Column width={3}>
				<Repeated line={wall} width={3} times={height} />
			</Column>
			<Column width={sideWidth}>
				<Lines lines={side} width={sideWidth} />
			</Column>
		</Box>
	);
}

/** The second column of a wide screen: reasons, workloads at risk, which stand nowhere else, and the last evictions. */
function sideLines(view: View, width: number, height: number): readonly Line[] {
	const {scene, now, timeZone} = view;
	const risks = scene.impacts?.risks ?? [];
	const events = scene.happenings.slice(-mostEvents).toReversed();
	const atRisk = [
		...(risks.length === 0 ? [] : [blank, textLine('WORKLOADS AT RISK', 'heading')]),
		...risks
			.slice(0, mostRisks)
			.flatMap((risk) =>
				wrapText(riskWords(risk, now), width).map((text) =>
					textLine(text, risk.kind === 'Zero' ? 'bad' : 'warn'),
				),
			),
	];
	const room = Math.max(Math.ceil(height / 2), height - atRisk.length);
	return [
		...reasonLines(view, width).slice(0, room),
		...atRisk,
		...(events.length === 0 ? [] : [blank, textLine('LAST EVICTIONS', 'heading')]),
		...events.map((one) =>
			textLine(clip(`${timeOfDayBeside(one.at, now, timeZone)}  ${podKey(one)}`, width, '…'), 'dim'),
		),
	].slice(0, height);
}

const mostRisks = 12;
const mostEvents = 12;
