import {compareText} from '../../print/tables/compareText.ts';
import type {Scene} from '../state/scene.ts';
import {compareWorkloads, type WorkloadGroup, workloadsOf} from '../state/workloads.ts';
import {span} from '../theme/line.ts';
import {nameCell, rangeCell} from './cells.ts';
import type {DashboardTable, TableColumn} from './table.ts';

const shownName = ({namespace, kind, name}: WorkloadGroup): string => `${namespace}/${kind}/${name}`;

// The pods of nodes that are well are not read: there may be more.
const atLeast = (count: number, {isPartial}: Scene): string => `${count}${isPartial ? '+' : ''}`;

const columns: readonly TableColumn<WorkloadGroup>[] = [
	{
		...{title: 'WORKLOAD', least: 30, most: 70, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareText(a.key, b.key),
		measure: shownName,
		cell: (one) => nameCell(shownName(one)),
	},
	{
		...{title: 'NOW', width: 5, drop: 1, isRight: true},
		cell: ({replicas}, {scene}) => span(atLeast(replicas, scene)),
	},
	{
		...{
			title: 'AFTER',
			width: 5,
			drop: 0,
			isRight: true,
			sortKey: 'A',
			compare: (a, b) => a.after - b.after || compareWorkloads(a, b),
		},
		cell: ({replicas, after}, {scene}) =>
			span(atLeast(after, scene), after === replicas ? 'good' : after === 0 ? 'bad' : 'likely'),
	},
	{
		...{title: 'FIRST IN', width: 12, drop: 0, sortKey: 'T', compare: compareWorkloads},
		cell: ({first}, {now, glyphs}) => rangeCell(first, now, glyphs, 'certain'),
	},
	{
		...{
			title: 'GOING',
			width: 5,
			drop: 2,
			isRight: true,
			sortKey: 'P',
			isMostFirst: true,
			compare: (a, b) => b.coming - a.coming || compareWorkloads(a, b),
		},
		cell: ({coming}, {glyphs}) => (coming > 0 ? span(String(coming), 'certain') : span(glyphs.none, 'dim')),
	},
	{
		...{title: 'HELD', width: 5, drop: 3, isRight: true},
		cell: ({held}, {glyphs}) => (held > 0 ? span(String(held), 'held') : span(glyphs.none, 'dim')),
	},
	{
		...{title: 'HANGING', width: 7, drop: 4, isRight: true},
		cell: ({terminating}, {glyphs}) =>
			terminating > 0 ? span(String(terminating), 'warn') : span(glyphs.none, 'dim'),
	},
	{
		...{title: 'THEN', least: 10, most: 40, drop: 3},
		measure: ({afterwards}) => afterwards,
		cell: ({afterwards}) => nameCell(afterwards, 'dim'),
	},
];

/** Pods by what controls them: how many there are, and how many are left before anything is replaced. */
export const workloads: DashboardTable<WorkloadGroup> = {
	view: 'workloads',
	rows: ({forecast}) => workloadsOf(forecast),
	columns,
	keyOf: ({key}) => key,
	nameOf: ({name}) => name,
	textOf: shownName,
	namespaceOf: ({namespace}) => namespace,
	tell: (one, {scene}) => tellWorkload(one, scene),
	empty: () => 'There are no pods.',
};

function tellWorkload(
	{namespace, kind, name, replicas, after, coming, held, terminating, afterwards}: WorkloadGroup,
	{isPartial}: Scene,
) {
	const least = isPartial ? 'at least ' : '';
	return [
		`${kind} ${name} in namespace ${namespace} has ${least}${replicas} ${replicas === 1 ? 'pod' : 'pods'} not on ${replicas === 1 ? 'its' : 'their'} way out.`,
		coming === 0
			? 'None of them is foretold to go.'
			: `${coming} of them ${coming === 1 ? 'is' : 'are'} foretold to go, which leaves ${least}${after} before anything is replaced.`,
		...(held === 1 ? ['1 is held: it goes once evictions go on.'] : []),
		...(held > 1 ? [`${held} are held: they go once evictions go on.`] : []),
		...(terminating > 0
			? [`${terminating} more are Terminating; on a silent node they hang until it is back.`]
			: []),
		`Of each pod that goes: ${afterwards}.`,
		...(isPartial
			? ['Pods of nodes that are well are not read, and not counted here; --all reads them, too.']
			: []),
	];
}
