import {compareNames} from '../../core/collections/compareNames.ts';
import {numberOfQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import {isObject} from './goText.ts';
import {relaxedPath} from './relaxedPath.ts';
import {TemplateError} from './templateError.ts';

/**
 * Sorts by the value of a path in each item; items without one come first.
 *
 * @throws TemplateError if no item has one, or the values have no order
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/kubectl/pkg/cmd/get/sorter.go NewTableSorter, isLess
 */
export function sortBy<Item>(
	items: readonly Item[],
	expression: string,
	documentOf: (item: Item) => unknown,
): Item[] {
	const {path, find} = relaxedPath(expression);
	const keyed = items.map((item) => ({item, found: find(documentOf(item))}));
	if (keyed.length > 0 && keyed.every(({found}) => found.length === 0)) {
		throw new TemplateError(`couldn't find any field with path "${path}" in the list of objects`);
	}
	return keyed.toSorted((a, b) => compareFound(a.found, b.found)).map(({item}) => item);
}

function compareFound(a: readonly unknown[], b: readonly unknown[]): number {
	if (a.length === 0 || b.length === 0) return Math.min(a.length, 1) - Math.min(b.length, 1);
	return compareJson(a[0], b[0]);
}

function compareJson(a: unknown, b: unknown): number {
	if (a === null || b === null) return Number(a !== null) - Number(b !== null);
	if (typeof a === 'number' && typeof b === 'number') return a - b;
	if (typeof a === 'string' && typeof b === 'string') return compareWords(a, b);
	if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
	const type = Array.isArray(a) ? 'list' : isObject(a) ? 'object' : typeof a;
	throw new TemplateError(`unsortable type: ${type}`);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
	for (let index = 0; index < Math.min(a.length, b.length); index++) {
		const order = compareJson(a[index], b[index]);
		if (order !== 0) return order;
	}
	return a.length - b.length;
}

// Texts that are quantities are compared as numbers: 2k is more than 900.
function compareWords(a: string, b: string): number {
	const [first, second] = [numberOfQuantity(a), numberOfQuantity(b)];
	return first === undefined || second === undefined ? compareNames(a, b) : first - second;
}
