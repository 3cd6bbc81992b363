import {nameOf} from '../../core/model/objectName.ts';
import type {ClusterForecast} from '../../impact/clusterForecast.ts';
import {clusters} from '../../print/tables/clusterKind.ts';
import type {AnyTable, DashboardTable, DrawnColumn} from './table.ts';

/** What a menu lists: `enter` shows the one under the cursor. */
type Choice = {readonly name: string};

const menuOf = <Row extends Choice>(
	menu: Pick<DashboardTable<Row>, 'title' | 'first' | 'rows' | 'columns' | 'across' | 'textOf'>,
): AnyTable => ({view: 'menu', keyOf: nameOf, nameOf, empty: () => 'There is nothing to choose.', ...menu});

const named = {least: 12, most: 70, isName: true} as const;

type OutageChoice = Choice & {readonly title: string};

/** All outages of the demo. @param first the one that is played */
export const outageMenu = (outages: readonly OutageChoice[], first?: string) =>
	menuOf<OutageChoice>({
		title: 'choose an outage',
		first,
		rows: () => outages,
		columns: [
			{title: 'NAME', cell: nameOf, drawn: {...named, sortKey: 'N'}},
			{title: 'WHAT-HAPPENS', cell: ({title}) => title, drawn: {}},
		],
		textOf: ({name, title}) => `${name} ${title}`,
	});

/** A context, and what is known of its cluster if that is followed. */
type ContextChoice = Choice & {readonly member?: ClusterForecast | undefined};

/** Columns with such a number go before names are cut, and up to so many letters of a name are shown. */
const [figuresFrom, wholeNames] = [10, 44];

const contextColumns = clusters.columns.flatMap(
	({title, cell, isWide}, index): DrawnColumn<ContextChoice>[] => {
		const isName = title === clusters.nameTitle;
		if (isWide) return [];
		return [
			{
				title,
				// Which context it is decides: the figures go first, the last ones before the others.
				...(!isName && {drop: figuresFrom + index}),
				cell: ({name, member}, context) => (isName ? name : member ? cell(member, context) : ''),
				drawn: isName ? {...named, least: wholeNames} : {},
			},
		];
	},
);

/** The contexts of the kubeconfig; no cluster is asked for what it shows. @param first the one that is shown */
export const clusterMenu = (rows: () => readonly ContextChoice[], first?: string) =>
	menuOf<ContextChoice>({
		title: 'choose a cluster',
		first,
		rows,
		columns: contextColumns,
		across: ({member}) => (member ? undefined : 'not queried; enter queries it'),
		textOf: ({name, member}) => `${name} ${member?.status ?? ''}`,
	});
