import type {Related} from '../../src/core/model/workloads/related.ts';
import type {Filter} from '../args/options.ts';
import {invalidValue} from '../args/usageError.ts';
import type {Listed} from './listings.ts';

/** A filter in one namespace; undefined stands for all namespaces. */
export type PodSelection<Item> = {
	/** Whether the filter matches. */
	readonly isSelected: (item: Item) => boolean;
	/** Whether it is shown: healthy items are not, unless chosen by name, by verdict or with --all. */
	readonly isShown: (item: Item) => boolean;
	/** Whether a table only counts it. */
	readonly isFolded: (item: Item) => boolean;
};

/** Combines names, namespace and selectors. @param related the owners of pods; needed if the filter names workloads */
export function selectionOf<Item>(
	{kind, namespaceOf, labelsOf, fieldsOf, verdictOf, verdicts, isWell, isFolded, belongsTo}: Listed<Item>,
	filter: Filter,
	namespace: string | undefined,
	related: () => Related,
): PodSelection<Item> {
	const {owners} = filter;
	const names = new Set(filter.names);
	const isNamed = (item: Item) =>
		(names.size === 0 && owners.length === 0) ||
		names.has(kind.nameOf(item)) ||
		owners.some((owner) => belongsTo?.(item, owner, related()));
	const isSelected = (item: Item) =>
		(namespace === undefined || !namespaceOf || namespaceOf(item) === namespace) &&
		isNamed(item) &&
		filter.labels(labelsOf(item)) &&
		filter.fields((path) => fieldsOf(item)[path] ?? '');
	const chosen = new Set(filter.verdicts.map((word) => verdictNamed(word, verdicts)));
	const showsAll = filter.all || names.size > 0;
	const isChosen = (item: Item) =>
		chosen.size > 0 ? chosen.has(verdictOf(item)) : showsAll || !isWell(item);
	const folds = !showsAll && chosen.size === 0;
	return {
		isSelected,
		isShown: (item) => isSelected(item) && isChosen(item),
		isFolded: (item) => folds && isFolded(item),
	};
}

function verdictNamed(word: string, verdicts: readonly string[]): string {
	const verdict = verdicts.find((one) => one.toLowerCase() === word.toLowerCase());
	if (verdict !== undefined) return verdict;
	throw invalidValue('verdict', word, `want one of ${verdicts.join(', ')}`);
}

/** Named objects that do not exist. */
export function missingNames<Item>(
	{kind, mayLackNames}: Listed<Item>,
	filter: Filter,
	found: readonly Item[],
): string[] {
	if (filter.names.length === 0 || mayLackNames) return [];
	const names = new Set(found.map(kind.nameOf));
	return filter.names.filter((name) => !names.has(name));
}
