import type {Filter} from '../args/options.ts';
import type {Listed} from '../output/listing.ts';

/** What a filter means in one namespace; undefined stands for all of them. */
export type PodSelection<Item> = {
	/** Whether it is asked for at all. */
	readonly isMeant: (item: Item) => boolean;
	/** Whether it is also worth showing: what is well is not, unless it is asked for by name or with --all. */
	readonly isShown: (item: Item) => boolean;
};

/** Puts names, namespace and selectors together. */
export function selectionOf<Item>(
	{kind, namespaceOf, labelsOf, fieldsOf, isWell}: Listed<Item>,
	filter: Filter,
	namespace: string | undefined,
): PodSelection<Item> {
	const names = new Set(filter.names);
	const isMeant = (item: Item) =>
		(namespace === undefined || !namespaceOf || namespaceOf(item) === namespace) &&
		(names.size === 0 || names.has(kind.nameOf(item))) &&
		filter.labels(labelsOf(item)) &&
		filter.fields((path) => fieldsOf(item)[path] ?? '');
	const showsAll = filter.all || names.size > 0;
	return {isMeant, isShown: (item) => isMeant(item) && (showsAll || !isWell(item))};
}

/** The names asked for that nothing has. */
export function missingNames<Item>({kind}: Listed<Item>, filter: Filter, found: readonly Item[]): string[] {
	if (filter.names.length === 0) return [];
	const names = new Set(found.map(kind.nameOf));
	return filter.names.filter((name) => !names.has(name));
}
