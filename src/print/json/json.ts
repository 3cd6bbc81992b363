import {formatTimestamp} from '../../dates/utc.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {escapeInsideQuotes} from '../../text/escape.ts';
import type {ApiVersion, ListMetadataJson} from '../contract/common.ts';
import type {Kind} from '../tables/kind.ts';

/** The version of the JSON contract. */
export const apiVersion: ApiVersion = 'evictwatch.dev/v1';

/** The list of the JSON contract. */
export function listJson<Item>(kind: Kind<Item>, items: readonly Item[], forecast: Forecast) {
	return {
		apiVersion,
		kind: `${kind.name}List`,
		metadata: metadataJson(forecast),
		items: items.map((item) => itemJson(kind, item)),
	};
}

/** What a list says of where it comes from, and of what could not be seen. */
export const metadataJson = (
	forecast: Pick<Forecast, 'observedAt' | 'source' | 'kubernetesVersion' | 'problems'>,
): ListMetadataJson => ({
	observedAt: formatTimestamp(forecast.observedAt),
	source: forecast.source,
	kubernetesVersion: forecast.kubernetesVersion ?? null,
	problems: forecast.problems.map(({reason, message}) => ({reason, message})),
});

/** One item of such a list. */
export const itemJson = <Item>(kind: Kind<Item>, item: Item) => ({kind: kind.name, ...kind.toJson(item)});

/** One item that stands alone. */
export const singleJson = <Item>(kind: Kind<Item>, item: Item) => ({apiVersion, ...itemJson(kind, item)});

/** What a watch says of an item that is gone: all that was known, but nothing that is still to come. */
export const goneJson = <Item>(kind: Kind<Item>, item: Item) => ({...itemJson(kind, item), ...kind.goneJson});

/** JSON over several lines, indented as kubectl does. */
export const formatJson = (value: unknown): string =>
	`${escapeInsideQuotes(JSON.stringify(value, null, 4))}\n`;

/** How many items are made into text at a time: the text of a large cluster is larger than what it is made from. */
const itemsAtOnce = 50;

/** The same text for a list of the contract as `formatJson` gives, piece by piece. */
export function* formatJsonList<Item>(
	kind: Kind<Item>,
	items: readonly Item[],
	forecast: Forecast,
): Generator<string> {
	const [head = '', tail = ''] = formatJson(listJson(kind, [], forecast)).split('"items": []');
	if (items.length === 0) {
		yield `${head}"items": []${tail}`;
		return;
	}
	yield `${head}"items": [`;
	for (let from = 0; from < items.length; from += itemsAtOnce) {
		const some = items.slice(from, from + itemsAtOnce).map((item) => itemJson(kind, item));
		// As an array of its own, but one level deeper, and without its brackets.
		const text = formatJson(some).slice(1, -3).replaceAll('\n', '\n    ');
		yield from === 0 ? text : `,${text}`;
	}
	yield `\n    ]${tail}`;
}

/** JSON in one line, for streams. */
export const formatJsonLine = (value: unknown): string => `${escapeInsideQuotes(JSON.stringify(value))}\n`;
