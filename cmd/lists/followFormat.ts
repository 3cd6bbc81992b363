import type {Instant} from '../../src/core/time/instant.ts';
import {clockTime} from '../../src/dates/utc.ts';
import type {Score} from '../../src/forecast/ledger/score.ts';
import {formatJsonLine, goneJson, itemJson} from '../../src/print/json/json.ts';
import {withScore} from '../../src/print/score.ts';
import type {ChangedItems} from '../../src/print/tables/changes.ts';
import {type Column, formatNames} from '../../src/print/tables/kind.ts';
import {Table} from '../../src/print/tables/table.ts';
import type {Options} from '../args/options.ts';
import type {DocumentFormat} from '../args/outputFormat.ts';
import {documentPrinter, isDocumentFormat} from '../output/documentPrinter.ts';
import {tableOptions} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import type {Listed} from './listings.ts';
import {columnsFor} from './tableColumns.ts';

/** Formats new, changed and removed items. */
export type Format<Item> = (
	changes: ChangedItems<Item>,
	now: Instant,
	score: Score,
) => Promise<string> | string;

/** kubectl's word for a change. */
type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * The format of a watch; columns keep their widths.
 *
 * @param isRecorded whether times are a recording's; JSON then includes them
 * @throws UserError if a template cannot be parsed
 */
export async function followFormat<Item>(
	listing: Listed<Item>,
	options: Options,
	isRecorded: boolean,
	terminal: Terminal,
): Promise<Format<Item>> {
	const {output} = options;
	if (isDocumentFormat(output)) return documentFormat(listing, output, options, isRecorded);
	if (output === 'name') return ({changed, gone}) => formatNames(listing.kind, [...changed, ...gone]);
	return tableFormat(listing, options, terminal);
}

function tableFormat<Item>(listing: Listed<Item>, options: Options, terminal: Terminal): Format<Item> {
	let events: ReadonlyMap<Item, EventType> = new Map();
	// First in each line, as in a log, and the last to be dropped.
	const time: Column<Item> = {title: 'TIME', drop: 1, cell: (_, {now}) => clockTime(now)};
	const event: Column<Item> = {title: 'EVENT', cell: (item) => events.get(item) ?? ''};
	const first = options.flags.outputWatchEvents ? [time, event] : [time];
	const columns = [...first, ...columnsFor(listing, options)];
	const table = new Table({columns}, tableOptions(options, terminal));
	return (changes, now) => {
		events = eventsOf(changes);
		return table.rows(changes.changed, now) + table.goneRows(changes.gone, now);
	};
}

async function documentFormat<Item>(
	{kind}: Listed<Item>,
	output: DocumentFormat,
	options: Options,
	isRecorded: boolean,
): Promise<Format<Item>> {
	const {outputWatchEvents} = options.flags;
	// JSON is valid YAML: in a stream each item is one line in both.
	const isLine = output === 'json' || output === 'yaml';
	const line = async (document: unknown) => (output === 'yaml' ? '---\n' : '') + formatJsonLine(document);
	const print = isLine ? line : await documentPrinter(output, options);
	return async (changes, now, score) => {
		const texts: string[] = [];
		for (const [item, type] of eventsOf(changes)) {
			const json = type === 'DELETED' ? goneJson(kind, item) : itemJson(kind, item);
			const object = withScore(isRecorded ? withInstant(json, now) : json, score);
			const document = outputWatchEvents ? {type, object} : object;
			texts.push(await print(document, [document]));
		}
		return texts.join('');
	};
}

/** Adds the recorded time to an item's metadata. */
const withInstant = <Item extends {readonly kind: string; readonly metadata?: object}>(
	item: Item,
	now: Instant,
) => ({
	...item,
	metadata: {...item.metadata, observedAt: now},
});

const eventsOf = <Item>({changed, added, gone}: ChangedItems<Item>): ReadonlyMap<Item, EventType> =>
	new Map([
		...changed.map((item) => [item, added.has(item) ? 'ADDED' : 'MODIFIED'] as const),
		...gone.map((item) => [item, 'DELETED'] as const),
	]);
