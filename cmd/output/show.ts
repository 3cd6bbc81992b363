import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {inTimeZone} from '../../src/dates/format.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {formatJsonList, itemJson, listJson, type Seen, singleJson} from '../../src/print/json/json.ts';
import {formatNames, type Kind} from '../../src/print/tables/kind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {sortBy} from '../../src/print/template/sortBy.ts';
import type {Options} from '../args/options.ts';
import {missingNames, selectionOf} from '../sources/select.ts';
import {blaming, type DocumentPrinter, documentPrinter, printIn, tellsProblems} from './documentPrinter.ts';
import {hidesPods} from './exitCode.ts';
import {type Listed, type Listing, nothing} from './listing.ts';
import {columnsFor} from './tableColumns.ts';
import type {Terminal} from './terminal.ts';

/** One forecast, and whose namespace of it is asked for; undefined stands for all of them. */
export type PrintedScene<From extends Seen = Forecast> = {
	readonly forecast: From;
	readonly now: Instant;
	readonly namespace: string | undefined;
};

/** Prints one kind of a forecast once, and answers with the exit code. */
export async function show<Item, From extends Seen>(
	listing: Listing<Item, From>,
	{forecast, now, namespace}: PrintedScene<From>,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {isMeant, isShown} = selectionOf(listing, options.filter, namespace);
	const meant = listing.itemsOf(forecast).filter(isMeant);
	const items = sorted(meant.filter(isShown).toSorted(listing.kind.compare), listing, options);
	const missing = options.flags.ignoreNotFound ? [] : missingNames(listing, options.filter, meant);
	const print = printIn(terminal, options.output);
	for await (const text of format(listing, items, forecast, now, options)) await print(text);
	if (!tellsProblems(options.output)) {
		await terminal.printError(warnings(forecast.problems, now, options));
	}
	// As kubectl does: who says that it may be missing does not want to hear that it is.
	const mayBeMissing = options.flags.ignoreNotFound && options.filter.names.length > 0;
	if (isTable(options) && items.length === 0 && missing.length === 0 && !mayBeMissing) {
		await terminal.printError(nothingFound(listing, options, {namespace, problems: forecast.problems}));
	}
	const complaints = missing.map((name) => `error: ${listing.plural} "${name}" not found\n`);
	await terminal.printError(complaints.join(''));
	if (missing.length > 0) return 1;
	return options.exitCode ? listing.exitCodeOf(meant, forecast) : 0;
}

/** What could not be seen, in the form of the API server's own warnings. */
export const warnings = (
	problems: readonly Problem[],
	now: Instant,
	{timeZone}: Pick<Options, 'timeZone'>,
): string =>
	problems.map(({reason, message}) => `Warning: ${reason}: ${inTimeZone(message, now, timeZone)}\n`).join('');

/** What takes the place of an empty table. */
export function nothingFound(
	{whenAllIsWell, namespaceOf}: Pick<Listed<never>, 'whenAllIsWell' | 'namespaceOf'>,
	{filter}: Options,
	{namespace, problems}: {readonly namespace: string | undefined; readonly problems: readonly Problem[]},
): string {
	const what = filter.all || problems.some(hidesPods) ? nothing : whenAllIsWell;
	return namespaceOf && namespace !== undefined ? `${what} in ${namespace} namespace.\n` : `${what}.\n`;
}

const isTable = ({output}: Options): boolean => output === 'table' || output === 'wide';

/** The text of a list; as JSON piece by piece, since that of a large cluster is larger than all that it is made from. */
async function* format<Item>(
	listing: Listed<Item>,
	items: readonly Item[],
	forecast: Seen,
	now: Instant,
	options: Options,
): AsyncGenerator<string> {
	const {output, showHeaders, filter, timeZone} = options;
	const {kind} = listing;
	switch (output) {
		case 'json':
			yield* formatJsonList(kind, items, forecast);
			break;
		case 'name':
			yield formatNames(kind, items);
			break;
		case 'table':
		case 'wide':
		// Forms of pages, which no list has.
		case 'markdown':
		case 'html': {
			const columns = columnsFor(listing, options);
			yield new Table({columns}, {isWide: output === 'wide', showHeaders, timeZone}).rows(items, now);
			break;
		}
		case 'yaml':
		case 'kyaml': {
			const print = await documentPrinter(output, options);
			yield await print(listJson(kind, items, forecast), []);
			break;
		}
		default: {
			const print = await documentPrinter(output, options);
			yield await applied(print, kind, items, forecast, filter.names.length === 1);
		}
	}
}

// As with kubectl, a template gets the one object that was asked for by name, and a list of all others.
async function applied<Item>(
	print: DocumentPrinter,
	kind: Kind<Item>,
	items: readonly Item[],
	forecast: Seen,
	isSingle: boolean,
): Promise<string> {
	const [only, ...others] = items;
	if (isSingle && only === undefined) return '';
	const documents = items.map((item) => itemJson(kind, item));
	const isOne = isSingle && only !== undefined && others.length === 0;
	return print(isOne ? singleJson(kind, only) : listJson(kind, items, forecast), documents);
}

/** Items in the order that `--sort-by` asks for; as they come, without it. @throws UserError where they have no such order. */
export function sorted<Item>(
	items: readonly Item[],
	{kind}: Listed<Item>,
	{flags}: Pick<Options, 'flags'>,
): readonly Item[] {
	const path = flags.sortBy;
	if (!path) return items;
	return blaming(`cannot sort by ${JSON.stringify(path)}`, () =>
		sortBy(items, path, (item) => itemJson(kind, item)),
	);
}
