import {formatSettingValue, type Setting} from '../forecast/settings/setting.ts';
import {html, type Markup} from './markup.ts';

/** The cells of a row. */
export type Cells = readonly (Markup | string)[];

/** A table of a page, which becomes cards where the screen is narrow. */
export function pageTable(titles: readonly string[], rows: readonly Cells[]): Markup {
	const head = titles.map((title) => html`<th scope="col">${title}</th>`);
	const body = rows.map(
		(cells) =>
			html`<tr>${cells.map((cell, i) => html`<td data-label="${titles[i] ?? ''}"><span>${cell}</span></td>`)}</tr>\n`,
	);
	return html`<div class="wide rows"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** The name of an object. */
export const nameCell = (text: string): Markup => html`<span class="name">${text}</span>`;

/** By which values the controllers are followed. */
export const settingTable = (settings: readonly Setting[]): Markup =>
	pageTable(
		['Setting', 'Value', 'Source'],
		settings.map(({name, value, unit, source}) => [
			nameCell(name),
			formatSettingValue(value, unit),
			source.detail,
		]),
	);
