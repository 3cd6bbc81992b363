import {podKey} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {EvictionCounts} from '../../forecast/evictionCounts.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {horizons, type PendingPod} from '../../forecast/pending.ts';
import {formatSettingValue, type Setting} from '../../forecast/settings/setting.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import {inTable, type Kind} from '../../print/tables/kind.ts';
import {pods} from '../../print/tables/podKind.ts';
import {zones} from '../../print/tables/zoneKind.ts';
import {clock, clockRange} from '../../report/words.ts';
import type {Divergence} from '../compare/divergence.ts';
import type {WatchGap} from '../shadowView.ts';
import {html, type Markup, nothing} from './markup.ts';

type Cells = readonly (Markup | string)[];

/** A table of a page, shown as cards on a narrow screen. */
function pageTable(titles: readonly string[], rows: readonly Cells[]): Markup {
	const head = titles.map((title) => html`<th scope="col">${title}</th>`);
	const body = rows.map(
		(cells) =>
			html`<tr>${cells.map((cell, i) => html`<td data-label="${titles[i] ?? ''}"><span>${cell}</span></td>`)}</tr>\n`,
	);
	return html`<div class="wide rows"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const nameCell = (text: string): Markup => html`<span class="name">${text}</span>`;

const maxRows = 50;

/** A table of the first items; states how many were left out. Probes wait for a page: cells are made of what it shows alone. */
function table<Item>(
	titles: readonly string[],
	items: readonly Item[],
	rowOf: (item: Item) => Cells,
	none: string,
): Markup {
	if (items.length === 0) return html`<p class="soft">${none}</p>`;
	const more = items.length - maxRows;
	return html`${pageTable(titles, items.slice(0, maxRows).map(rowOf))}
${more > 0 ? html`<p class="soft">and ${more} more</p>` : nothing}`;
}

const range = (text: string): Markup => html`<span class="range">${text}</span>`;

/** The cells of an object from the terminal tables' columns, so that both show the same. */
const cellsOf = <Item>(kind: Kind<Item>, titles: readonly string[], item: Item, now: Instant): string[] =>
	titles.map(
		(title) => kind.columns.find((column) => column.title === title)?.cell(item, inTable(now)) ?? '',
	);

/** How many evictions are to be expected within each horizon. @param zone only of this one */
export const countsWithin = (counts: EvictionCounts, now: Instant, zone?: string): string =>
	horizons.map(([, length]) => Math.round(counts.by(now + length, zone).expected)).join(' / ');

export function zoneTable(forecast: Forecast, counts: EvictionCounts, now: Instant): Markup {
	const titles = ['STATE', 'READY', 'RATE', 'NEXT-TAINT', 'WAITING', 'NEXT-STATE'];
	const rowOf = (zone: ZoneForecast): Cells => {
		const within = countsWithin(counts, now, zone.zone);
		return [nameCell(zone.zone), ...cellsOf(zones, titles, zone, now), within];
	};
	const heads = titles.map((title) => title[0] + title.slice(1).toLowerCase().replace('-', ' '));
	return table(
		['Zone', ...heads, 'Pods in 1 / 5 / 15 min'],
		forecast.zones.toSorted(zones.compare),
		rowOf,
		'There is no zone.',
	);
}

export function evictionTable(pending: readonly PendingPod[], now: Instant): Markup {
	const rowOf = (pod: PendingPod): Cells => [
		...cellsOf(pods, ['IN'], pod, now).map(range),
		range(clockRange(pod.eviction)),
		nameCell(podKey(pod)),
		pod.verdict,
		nameCell(pod.node),
		nameCell(pod.zone),
		...cellsOf(pods, ['CAUSE'], pod, now),
	];
	const heads = ['In', 'At (UTC)', 'Pod', 'Verdict', 'Node', 'Zone', 'Cause'];
	return table(heads, pending, rowOf, 'No eviction is to come.');
}

export function divergenceTable(divergences: readonly Divergence[], now: Instant): Markup {
	const rowOf = (divergence: Divergence): Cells => {
		const {kind, action, object, expected, actual, reason, because, isAlarm, endedAt} = divergence;
		const whose = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
		const since = `${formatDuration(now - divergence.noticedAt)} ago`;
		return [
			isAlarm && endedAt === null ? html`<b class="bad">${kind}</b>` : kind,
			action,
			nameCell(whose),
			expected === null ? 'not at all' : range(clockRange(expected)),
			actual === null ? 'not yet' : clock(actual),
			html`${reason}${because.map((text) => html`<small>${text}</small>`)}`,
			endedAt === null ? since : html`${since}<small>over at ${clock(endedAt)}</small>`,
		];
	};
	const heads = ['Kind', 'Action', 'Object', 'Expected (UTC)', 'Came (UTC)', 'Why', 'Noticed'];
	return table(heads, divergences, rowOf, 'none');
}

export function gapTable(gaps: readonly WatchGap[]): Markup {
	const rowOf = ({from, until, reason}: WatchGap): Cells => [
		clock(from),
		until === null ? html`<b class="bad">still</b>` : clock(until),
		reason,
	];
	return table(['From (UTC)', 'Until (UTC)', 'Reason'], gaps, rowOf, 'none');
}

export const optionTable = (options: readonly (readonly [string, string])[]): Markup =>
	pageTable(
		['Option', 'Value'],
		options.map(([option, value]) => [nameCell(option), value]),
	);

export const settingTable = (settings: readonly Setting[]): Markup =>
	pageTable(
		['Setting', 'Value', 'Source'],
		settings.map(({name, value, unit, source}) => [
			nameCell(name),
			formatSettingValue(value, unit),
			source.detail,
		]),
	);
