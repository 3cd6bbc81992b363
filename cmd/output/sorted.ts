import {itemJson} from '../../src/print/json/json.ts';
import {sortBy} from '../../src/print/template/sortBy.ts';
import type {Options} from '../args/options.ts';
import {blaming} from './documentPrinter.ts';
import type {Listing} from './listing.ts';

/** Items in the order that `--sort-by` asks for; as they come, without it. @throws UserError where they have no such order. */
export function sorted<Item>(
	items: readonly Item[],
	{kind}: Listing<Item>,
	{flags}: Pick<Options, 'flags'>,
): readonly Item[] {
	const path = flags.sortBy;
	if (!path) return items;
	return blaming(`cannot sort by ${JSON.stringify(path)}`, () =>
		sortBy(items, path, (item) => itemJson(kind, item)),
	);
}
