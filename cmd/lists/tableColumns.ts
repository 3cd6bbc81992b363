import {compareValues} from '../../src/core/collections/compareValues.ts';
import type {Column} from '../../src/print/tables/kind.ts';
import type {TextMap} from '../../src/text/textMap.ts';
import type {Options} from '../args/options.ts';
import {listIn} from '../args/quantities.ts';
import type {Listed} from './listings.ts';

/** The columns of a listing, with those of flags, as in `kubectl get`. */
export function columnsFor<Item>({kind}: Listed<Item>, options: Options): readonly Column<Item>[] {
	const {flags} = options;
	const labels = listIn(flags.labelColumns);
	const labelsOf = (item: Item) => kind.labelsOf?.(item) ?? {};
	return [
		...kind.columns
			.filter(isShownBy(options))
			.map((column) =>
				flags.showKind && column.title === kind.nameTitle ? withKind(column, kind.singular) : column,
			),
		...labels.map((label) => ({
			title: label.slice(label.lastIndexOf('/') + 1).toUpperCase(),
			cell: (item: Item) => labelsOf(item)[label] ?? '',
		})),
		...(flags.showLabels ? [{title: 'LABELS', cell: (item: Item) => formatLabels(labelsOf(item))}] : []),
	];
}

/** kubectl hides the namespace if there is only one. A file's items are all shown, unless a namespace is chosen. */
function isShownBy({command, filter, filenames, flags}: Options) {
	const isFree = command === undefined || command === 'replay' || filenames.length > 0;
	const isOneNamespace = !filter.allNamespaces && (!isFree || flags.namespace !== undefined);
	return ({title}: {readonly title: string}) => title !== 'NAMESPACE' || !isOneNamespace;
}

const withKind = <Item>(column: Column<Item>, singular: string): Column<Item> => ({
	...column,
	cell: (item, context) => `${singular}/${column.cell(item, context)}`,
});

function formatLabels(labels: TextMap): string {
	const entries = Object.entries(labels).toSorted(([a], [b]) => compareValues(a, b));
	return entries.map(([name, value]) => `${name}=${value}`).join(',') || '<none>';
}
