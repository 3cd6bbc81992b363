import {hidesNodes} from '../../core/model/problem.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import {nodes as nodeKind} from '../../print/tables/nodeKind.ts';
import {arranged, type DashboardTable} from './table.ts';

/** The nodes: those closest to losing their pods first, those under pressure before healthy ones. */
export const nodes: DashboardTable<NodeForecast> = {
	...nodeKind,
	view: 'nodes',
	rows: ({forecast}) => forecast.digest.nodeRows,
	columns: arranged(nodeKind.columns, [
		'NAME',
		'VERDICT',
		'ZONE',
		'READY',
		'HEARTBEAT',
		'UNKNOWN-IN',
		'TAINT-IN',
		'TAINTS',
		'QUEUE',
		{
			title: 'PODS',
			drop: 7,
			cell: ({name}, {forecast}) => String(forecast.digest.podsOf(name)?.all ?? '-'),
			drawn: {width: 5, isRight: true},
		},
		{
			title: 'EVICTING',
			drop: 4,
			cell: ({name}, {forecast}) => String(forecast.digest.podsOf(name)?.coming || '-'),
			drawn: {width: 8, isRight: true, tone: 'certain'},
		},
		'PRESSURE',
		'BECAUSE',
	]),
	textOf: ({name, zone, verdict}) => `${name} ${zone} ${verdict}`,
	targetOf: ({name}) => ({kind: 'node', name}),
	empty: ({forecast}) =>
		forecast.problems.some(hidesNodes) ? 'Nodes are not known: they may not be read.' : 'There are no nodes.',
};
