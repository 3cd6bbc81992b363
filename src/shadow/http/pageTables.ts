import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {horizons, isWithin, type PendingPod} from '../../forecast/pending.ts';
import type {Kind} from '../../print/tables/kind.ts';
import {pods} from '../../print/tables/podKind.ts';
import {zones} from '../../print/tables/zoneKind.ts';
import {type Cells, html, type Markup, nameCell, nothing, pageTable} from '../../report/markup.ts';
import {clock, clockRange} from '../../report/words.ts';
import type {Divergence} from '../compare/divergence.ts';
import type {WatchGap} from '../shadowView.ts';

const maxRows = 50;

/** A table of the first rows; states how many were left out. */
function table(titles: readonly string[], rows: readonly Cells[], none: string): Markup {
	if (rows.length === 0) return html`<p class="soft">${none}</p>`;
	const more = rows.length - maxRows;
	return html`${pageTable(titles, rows.slice(0, maxRows))}
${more > 0 ? html`<p class="soft">and ${more} more</p>` : nothing}`;
}

const range = (text: string): Markup => html`<span class="range">${text}</span>`;

/** The cells of an object from the terminal tables' columns, so that both show the same. */
const cellsOf = <Item>(kind: Kind<Item>, titles: readonly string[], item: Item, now: Instant): string[] =>
	titles.map((title) => kind.columns.find((column) => column.title === title)?.cell(item, now) ?? '');

export function zoneTable(forecast: Forecast, pending: readonly PendingPod[], now: Instant): Markup {
	const titles = ['STATE', 'READY', 'RATE', 'NEXT-TAINT', 'WAITING', 'NEXT-STATE'];
	const rows = forecast.zones.toSorted(zones.compare).map((zone): Cells => {
		const own = pending.filter((pod) => pod.zone === zone.zone);
		const counts = horizons.map(([, length]) => own.filter((pod) => isWithin(pod, length, now)).length);
		return [nameCell(zone.zone), ...cellsOf(zones, titles, zone, now), counts.join(' / ')];
	});
	const heads = [
		'Zone',
		'State',
		'Ready',
		'Rate',
		'Next taint',
		'Waiting',
		'Next state',
		'Pods in 1 / 5 / 15 min',
	];
	return table(heads, rows, 'There is no zone.');
}

export function evictionTable(pending: readonly PendingPod[], now: Instant): Markup {
	const rows = pending.map(
		(pod): Cells => [
			...cellsOf(pods, ['IN'], pod, now).map(range),
			range(clockRange(pod.eviction)),
			nameCell(`${pod.namespace}/${pod.name}`),
			pod.verdict,
			nameCell(pod.node),
			nameCell(pod.zone),
			...cellsOf(pods, ['CAUSE'], pod, now),
		],
	);
	const heads = ['In', 'At (UTC)', 'Pod', 'Verdict', 'Node', 'Zone', 'Cause'];
	return table(heads, rows, 'No eviction is to come.');
}

export function divergenceTable(divergences: readonly Divergence[], now: Instant): Markup {
	const rows = divergences.map((divergence): Cells => {
		const {kind, action, object, expected, actual, reason, because, explainedBy, isAlarm, endedAt} =
			divergence;
		const whose = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
		const since = `${formatDuration(now - divergence.noticedAt)} ago`;
		return [
			isAlarm && endedAt === null ? html`<b class="bad">${kind}</b>` : kind,
			action,
			nameCell(whose),
			expected === null ? 'not at all' : range(clockRange(expected)),
			actual === null ? 'not yet' : clock(actual),
			html`${reason}${because.map((text) => html`<small>${text}</small>`)}${explainedBy === null ? nothing : html`<small><code>${explainedBy}</code> would explain it</small>`}`,
			endedAt === null ? since : html`${since}<small>over at ${clock(endedAt)}</small>`,
		];
	});
	const heads = ['Kind', 'Action', 'Object', 'Expected (UTC)', 'Came (UTC)', 'Why', 'Noticed'];
	return table(heads, rows, 'none');
}

export function gapTable(gaps: readonly WatchGap[]): Markup {
	const rows = gaps.map(
		({from, until, reason}): Cells => [
			clock(from),
			until === null ? html`<b class="bad">still</b>` : clock(until),
			reason,
		],
	);
	return table(['From (UTC)', 'Until (UTC)', 'Reason'], rows, 'none');
}

export const optionTable = (options: readonly (readonly [string, string])[]): Markup =>
	pageTable(
		['Option', 'Value'],
		options.map(([option, value]) => [nameCell(option), value]),
	);
