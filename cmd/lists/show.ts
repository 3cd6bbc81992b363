import {hidesPods, refusesLeases} from '../../src/core/model/problem.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {formatJsonList, itemJson, listJson, type Seen, singleJson} from '../../src/print/json/json.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {type Column, formatNames} from '../../src/print/tables/kind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {sortBy} from '../../src/print/template/sortBy.ts';
import {noneWords} from '../../src/print/whyNotYet.ts';
import {pasted, shellWord} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {
	blaming,
	documentPrinter,
	includesProblems,
	isDocumentFormat,
	printIn,
} from '../output/documentPrinter.ts';
import {isTable, tableOptions} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {type AbsentWords, nothing} from '../sources/absent.ts';
import {didYouMean} from '../sources/notFound.ts';
import {type Listed, type Listing, missingNames, type SeenPods, selectionOf} from './listings.ts';
import {columnsFor} from './tableColumns.ts';

/** A forecast and the namespace in scope; undefined stands for all namespaces. */
export type PrintedScene<From extends Seen = Forecast & {readonly happenings?: readonly ObservedDeletion[]}> =
	Readonly<{
		forecast: From;
		now: Instant;
		namespace: string | undefined;
		/** The owners of pods; needed if workloads are named. */
		related?: Related;
		/** Called if nothing with a namespace matches. */
		absence?: AbsentWords | undefined;
		/** Whether its problems were printed before. */
		areProblemsTold?: boolean;
		/** Whether the items themselves were. */
		isPrinted?: boolean;
		options: Options;
		terminal: Terminal;
	}>;

/** The chosen items, the shown ones among them, how many are only counted, and the names without an item. */
export function chosenItems<Item, From extends Seen>(
	listing: Listing<Item, From>,
	{forecast, namespace, related, options}: PrintedScene<From>,
) {
	const {isSelected, isShown, isFolded} = selectionOf(
		listing,
		options.filter,
		namespace,
		() => related ?? nothingRelated,
	);
	const selected = listing.itemsOf(forecast).filter(isSelected);
	const shown = selected.filter(isShown);
	const folded = isTable(options) ? shown.filter(isFolded) : [];
	const listed = folded.length > 0 ? shown.filter((item) => !isFolded(item)) : shown;
	const items = sorted(listed.toSorted(listing.kind.compare), listing, options);
	const missing = options.flags.ignoreNotFound ? [] : missingNames(listing, options.filter, selected);
	return {selected, items, folded: folded.length, missing};
}

/** Prints a list once. Returns the exit code. */
export async function show<Item, From extends Seen>(
	listing: Listing<Item, From>,
	scene: PrintedScene<From>,
	{selected, items, folded, missing} = chosenItems(listing, scene),
) {
	const {forecast, now, namespace, areProblemsTold, isPrinted, options, terminal} = scene;
	const print = printIn(terminal, options.output);
	// kubectl prints no document if its only name is unknown.
	const hasDocument =
		isTable(options) || options.filter.names.length !== 1 || listing.mayLackNames || selected.length > 0;
	const rows = mayFold(items, options, terminal) ? (listing.together?.(items) ?? items) : items;
	if (hasDocument && !isPrinted) for await (const text of format(listing, rows, scene)) await print(text);
	if (!areProblemsTold && (!hasDocument || !includesProblems(options.output))) {
		await terminal.printError(warnings(forecast.problems, now, options));
	}
	// As in kubectl, --ignore-not-found suppresses the error.
	const mayBeMissing = options.flags.ignoreNotFound && options.filter.names.length > 0;
	if (isTable(options) && items.length === 0 && missing.length === 0 && !mayBeMissing)
		await terminal.printError(await nothingFound(listing, scene, selected));
	await terminal.printError(
		(rows.length < items.length
			? 'Pods that are alike share a row: -o wide shows each, and so does a pipe.\n'
			: '') +
			foldedText(folded) +
			remedyText(listing, items, options, terminal),
	);
	await terminal.printError(
		missing.map((name) => `error: ${notThere(name, listing, forecast, namespace)}\n`).join(''),
	);
	if (missing.length > 0) {
		const lacking = isTable(options) && namespace !== undefined ? await scene.absence?.() : '';
		if (lacking) await terminal.printError(`${lacking}.\n`);
		return 1;
	}
	if (items.length === 0 && isUnseen(listing, forecast)) return 1;
	const code = listing.exitCodeOf(selected, forecast);
	// Names alone claim nothing.
	const isDoubtful = options.output !== 'name' && mayBeSilent(code, forecast);
	if (isDoubtful && isTable(options) && items.length > 0)
		await terminal.printError(`${noneWords(forecast.problems)}.\n`);
	return options.exitCode || isDoubtful ? code : 0;
}

/**
 * Whether what seems well may be silent, and no eviction is known. That a file has no leases is said, and no failure: whoever made
 * it chose what it holds.
 *
 * @param code that of `--exit-code`
 */
const mayBeSilent = (code: number, {problems}: Seen) => code === 1 && problems.some(refusesLeases);

/** Whether nothing is listed because it may not be read. */
export const isUnseen = <Item, From extends Seen>(
	{itemsOf, isHiddenBy}: Listing<Item, From>,
	forecast: From,
) =>
	itemsOf(forecast).length === 0 &&
	forecast.problems.some((problem) => hidesPods(problem) && isHiddenBy(problem));

export const unseenWords = ({plural}: {readonly plural: string}) =>
	`nothing is known of ${plural}: not all may be read`;

/** The error for an unknown name, with a suggestion. */
export function notThere<Item, From extends Seen>(
	name: string,
	{plural, itemsOf, kind, suggestionFor}: Listing<Item, From>,
	forecast: From,
	namespace: string | undefined,
): string {
	const known = itemsOf(forecast).map(kind.nameOf);
	return `${plural} "${name}" not found${suggestionFor?.(name, forecast, namespace) ?? didYouMean(name, known)}`;
}

/** The message for an empty table, with evictions in other namespaces. @param selected what matches, although none is shown */
export async function nothingFound<Item, From extends SeenPods>(
	listing: Listing<Item, From>,
	{forecast, namespace, absence, options: {filter}}: PrintedScene<From>,
	selected: readonly Item[],
): Promise<string> {
	const {whenAllIsWell, whatMayFollow, whatIsUnasked, isHiddenBy, elsewhere} = listing;
	const {namespaceOf} = listing.kind;
	const {problems, nodes = []} = forecast;
	const isNarrowed = filter.all || filter.verdicts.length > 0;
	const isWell = !isNarrowed && !problems.some(isHiddenBy);
	const absent = namespaceOf === undefined || selected.length > 0 ? '' : await absence?.();
	const unseen = isUnseen(listing, forecast) ? capitalized(unseenWords(listing)) : '';
	const isOfOne = namespaceOf !== undefined && namespace !== undefined;
	const where = isOfOne ? `in ${namespace} namespace` : '';
	const mayFollow = isNarrowed ? '' : (whatMayFollow?.(nodes, where) ?? '');
	const unasked = isWell ? (whatIsUnasked?.({...forecast, nodes}) ?? '') : '';
	const whose = filter.names.length > 0 ? ` of ${filter.names.join(', ')}` : '';
	const what = `${(isWell && whenAllIsWell?.(whose, problems)) || nothing}${isOfOne ? ` ${where}` : ''}${unasked}`;
	const rest = isOfOne ? (elsewhere?.(forecast, namespace, filter.names) ?? '') : '';
	return `${absent || mayFollow || unseen || what}.\n${rest}`;
}

/** More rows than these push the first, most urgent ones out of sight. */
const mostRows = 30;

/** Whether like rows are shown as one: where a person reads many, and did not ask for each. */
const mayFold = ({length}: readonly unknown[], {output, filter, flags}: Options, {width}: Terminal) =>
	length > mostRows &&
	width !== undefined &&
	output === 'table' &&
	filter.names.length === 0 &&
	!flags.sortBy &&
	!flags.showLabels &&
	flags.labelColumns.length === 0;

/** The line that names the command with the remedies, for a person at a terminal. */
function remedyText<Item>(
	{remedyCommand}: Pick<Listing<Item>, 'remedyCommand'>,
	items: readonly Item[],
	options: Options,
	{width}: Terminal,
): string {
	const command = isTable(options) && width !== undefined ? (remedyCommand?.(items) ?? '') : '';
	if (command === '') return '';
	const {namespace} = options.flags;
	const scope = namespace ? ` -n ${shellWord(namespace)}` : '';
	return `How to save pods, and until when: ${pasted(command + scope, connectionOf(options))}\n`;
}

/** The line that counts folded rows. */
export const foldedText = (folded: number) =>
	folded === 0
		? ''
		: `${folded} DaemonSet ${folded === 1 ? 'pod stays' : 'pods stay'} on nodes in trouble; see them with --verdict Stays.\n`;

/** Formats a list. JSON comes in pieces, as the whole text of a large cluster needs more memory than its items. */
async function* format<Item>(
	listing: Listed<Item>,
	items: readonly Item[],
	{forecast, now, options, terminal}: PrintedScene<Seen>,
): AsyncGenerator<string> {
	const {output, filter} = options;
	const {kind} = listing;
	if (output === 'json') yield* formatJsonList(kind, items, forecast);
	else if (output === 'name') yield formatNames(kind, items);
	else if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		const documents = includesProblems(output) ? [] : items.map((item) => itemJson(kind, item));
		// As in kubectl, a template gets a single named object, or else a list.
		const [only] = filter.names.length === 1 && documents.length === 1 ? items : [];
		yield await print(only ? singleJson(kind, only) : listJson(kind, items, forecast), documents);
	} else
		yield new Table({columns: columnsOf(items, listing, options)}, tableOptions(options, terminal)).rows(
			items,
			now,
		);
}

/** The columns without those that no item has a value for; all of them with `-o wide`. */
function columnsOf<Item>(
	items: readonly Item[],
	listing: Listed<Item>,
	options: Options,
): readonly Column<Item>[] {
	const columns = columnsFor(listing, options);
	return options.output === 'wide'
		? columns
		: columns.filter(({hasValue}) => !hasValue || items.some(hasValue));
}

/** Items in the order of `--sort-by`, or as they come. @throws UserError for an unknown order */
export function sorted<Item>(
	items: readonly Item[],
	{kind}: Listed<Item>,
	{flags}: Options,
): readonly Item[] {
	const path = flags.sortBy;
	if (!path) return items;
	return blaming(`cannot sort by ${JSON.stringify(path)}`, () =>
		sortBy(items, path, (item) => jsonOf(itemJson(kind, item))),
	);
}
