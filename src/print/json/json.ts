import type {Problem} from '../../core/model/problem.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {escapeInsideQuotes} from '../../text/escape.ts';
import type {ApiVersion, PrintedJson, ProblemJson, SourceJson} from '../contract/common.ts';
import type {Kind} from '../tables/kind.ts';
import {jsonOf} from './jsonOf.ts';

/** The version of the JSON contract. */
export const apiVersion: ApiVersion = 'evictwatch.dev/v1';

/** When and where something was observed, and what could not be read. */
export type Seen = Pick<Forecast, 'observedAt' | 'source' | 'problems'> & {
	readonly kubernetesVersion?: string | undefined;
};

/** The beginning of an object that a command prints by itself. */
export const headJson = <Kind extends string>(kind: Kind, seen: Seen): PrintedJson<Kind> => ({
	apiVersion,
	kind,
	metadata: {observedAt: seen.observedAt, ...sourceJson(seen)},
});

/** The list of the JSON contract. */
export const listJson = <Item>(kind: Kind<Item>, items: readonly Item[], seen: Seen) => ({
	...headJson(`${kind.name}List`, seen),
	items: items.map((item) => itemJson(kind, item)),
});

/** Where something was observed, and what could not be read. */
export const sourceJson = ({source, kubernetesVersion, problems}: Omit<Seen, 'observedAt'>): SourceJson => ({
	source,
	kubernetesVersion: kubernetesVersion ?? null,
	problems: problemsJson(problems),
});

/** Problems without what only this program needs. */
export const problemsJson = (problems: readonly Problem[]): readonly ProblemJson[] =>
	problems.map(({reason, message}) => ({reason, message}));

/** One item of such a list. */
export const itemJson = <Item>(kind: Kind<Item>, item: Item) => ({kind: kind.name, ...kind.toJson(item)});

/** One item on its own. */
export const singleJson = <Item>(kind: Kind<Item>, item: Item) => ({apiVersion, ...itemJson(kind, item)});

/** The last event of a watch for an item: its last state, without what was still to come. */
export const goneJson = <Item>(kind: Kind<Item>, item: Item) => ({...itemJson(kind, item), ...kind.goneJson});

/** JSON over several lines, indented as in kubectl. */
export const formatJson = (value: unknown) =>
	`${escapeInsideQuotes(JSON.stringify(jsonOf(value), null, 4))}\n`;

/** How many items are formatted at a time, because the text of a large cluster is larger than its data. */
const itemsAtOnce = 50;

/** The text of a list in pieces; together they equal the output of `formatJson`. */
export function* formatJsonList<Item>(
	kind: Kind<Item>,
	items: readonly Item[],
	seen: Seen,
): Generator<string> {
	const [head = '', tail = ''] = formatJson(listJson(kind, [], seen)).split('"items": []');
	if (items.length === 0) {
		yield `${head}"items": []${tail}`;
		return;
	}
	yield `${head}"items": [`;
	for (let from = 0; from < items.length; from += itemsAtOnce) {
		const some = items.slice(from, from + itemsAtOnce).map((item) => itemJson(kind, item));
		// Formatted as a separate array, one level deeper, without its brackets.
		const text = formatJson(some).slice(1, -3).replaceAll('\n', '\n    ');
		yield from === 0 ? text : `,${text}`;
	}
	yield `\n    ]${tail}`;
}

/** JSON in one line, for streams. */
export const formatJsonLine = (value: unknown) => `${escapeInsideQuotes(JSON.stringify(jsonOf(value)))}\n`;
