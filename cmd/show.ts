import type {Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Instant} from '../src/core/time/instant.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import {escapeForTerminal} from '../src/print/escape.ts';
import {formatJsonList, listJson} from '../src/print/json.ts';
import type {Kind} from '../src/print/kind.ts';
import {formatNames} from '../src/print/names.ts';
import {formatStructured} from '../src/print/structured.ts';
import {Table} from '../src/print/table.ts';
import {exitCodeOf, hidesPods} from './exitCode.ts';
import {type Listing, nothing} from './listing.ts';
import type {Options} from './options.ts';
import {missingNames, selectionOf} from './select.ts';
import type {Terminal} from './terminal.ts';

/** One forecast, and whose namespace of it is asked for; undefined stands for all of them. */
export type Scene = {
	readonly forecast: Forecast;
	readonly now: Instant;
	readonly namespace: string | undefined;
};

/** Prints one kind of a forecast once, and answers with the exit code. */
export async function show<Item>(
	listing: Listing<Item>,
	{forecast, now, namespace}: Scene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {isMeant, isShown} = selectionOf(listing, options.filter, namespace);
	const meant = listing.kind.itemsOf(forecast).filter(isMeant);
	const items = meant.filter(isShown).toSorted(listing.kind.compare);
	const missing = missingNames(listing, options.filter, meant);
	for await (const text of format(listing.kind, items, forecast, now, options)) await terminal.print(text);
	if (isTable(options) || options.output === 'name') {
		await terminal.printError(warnings(forecast.problems));
	}
	if (isTable(options) && items.length === 0 && missing.length === 0) {
		await terminal.printError(nothingFound(listing, options, {namespace, problems: forecast.problems}));
	}
	const complaints = missing.map(
		(name) => `error: ${listing.plural} "${escapeForTerminal(name)}" not found\n`,
	);
	await terminal.printError(complaints.join(''));
	if (missing.length > 0) return 1;
	return options.exitCode ? exitCodeOf(listing.podsOf(meant, forecast), forecast.problems) : 0;
}

/** What could not be seen, in the form of the API server's own warnings. */
export const warnings = (problems: readonly Problem[]): string =>
	problems.map(({reason, message}) => `Warning: ${escapeForTerminal(`${reason}: ${message}`)}\n`).join('');

/** What takes the place of an empty table. */
export function nothingFound<Item>(
	{whenAllIsWell, namespaceOf}: Listing<Item>,
	{filter}: Options,
	{namespace, problems}: {readonly namespace: string | undefined; readonly problems: readonly Problem[]},
): string {
	const what = filter.all || problems.some(hidesPods) ? nothing : whenAllIsWell;
	return namespaceOf && namespace !== undefined ? `${what} in ${namespace} namespace.\n` : `${what}.\n`;
}

const isTable = ({output}: Options): boolean => output === 'table' || output === 'wide';

/** The text of a list; as JSON piece by piece, since that of a large cluster is larger than all that it is made from. */
async function* format<Item>(
	kind: Kind<Item>,
	items: readonly Item[],
	forecast: Forecast,
	now: Instant,
	{output, showHeaders}: Options,
): AsyncGenerator<string> {
	switch (output) {
		case 'json':
			yield* formatJsonList(kind, items, forecast);
			break;
		case 'yaml':
			yield await formatStructured(listJson(kind, items, forecast), output);
			break;
		case 'name':
			yield formatNames(kind, items);
			break;
		case 'table':
		case 'wide':
			yield new Table(kind, {isWide: output === 'wide', showHeaders}).rows(items, now);
	}
}
