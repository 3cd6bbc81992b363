import {ascending} from '../../core/collections/ascending.ts';
import {compareNames} from '../../core/collections/compareNames.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {never} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {NodeForecast, NodePressure, NodeVerdict} from '../../forecast/nodeForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {NodeForecastJson} from '../contract/nodeForecast.ts';
import {hasMoved} from '../countdown.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import {nodeMeanings} from '../legend.ts';
import {briefReason, type Column, type Kind, orNone, type Sign, zoneColumn} from './kind.ts';
import {shortTaint} from './podKind.ts';

/** In the order of how close a node is to losing its pods. */
export const nodeVerdicts = Object.keys(nodeMeanings) as readonly NodeVerdict[];

/** When it first gets its taint; until 1.26, when its pods are evicted without one. */
const taintOf = (node: NodeForecast) => node.eviction ?? node.noExecute;

/** How long until something happens to a node. */
function timeLeft(
	title: string,
	of: (node: NodeForecast) => Range | null,
	sortKey: string,
): Column<NodeForecast> {
	const startOf = (node: NodeForecast) => of(node)?.earliest ?? never;
	return {
		title,
		drop: 1,
		whenGone: '-',
		cell: (node, {countdown}) => {
			const range = of(node);
			return range ? countdown(range) : '-';
		},
		drawn: {
			width: 12,
			tone: 'likely',
			isTimed: true,
			sortKey,
			compare: ascending(startOf),
		},
	};
}

export const nodes: Kind<NodeForecast> = {
	name: 'NodeForecast',
	singular: 'node',
	nameTitle: 'NAME',
	columns: [
		{
			title: 'NAME',
			cell: ({name}, {nodeName}) => nodeName(name),
			drawn: {least: 10, most: 50, isName: true, sortKey: 'N'},
		},
		{
			title: 'VERDICT',
			whenGone: 'Gone',
			cell: ({verdict}) => verdict,
			drawn: {
				width: 12,
				sign: ({verdict}) => nodeSigns[verdict],
				tone: ({verdict}) => (verdict === 'Healthy' ? 'good' : undefined),
				sortKey: 'V',
				compare: compareNodes,
			},
		},
		{
			title: 'READY',
			drop: 5,
			cell: ({ready = '<none>', pressure}) => [ready, ...(pressure?.conditions ?? [])].join(','),
			brief: ({ready = '<none>'}) => ready,
			drawn: {least: 7, most: 22, tone: ({ready}) => (ready === 'True' ? 'good' : 'bad')},
		},
		zoneColumn,
		{
			title: 'HEARTBEAT',
			drop: 2,
			// A renewal in the future (the local clock is behind, or the kubelet's is wrong) has no age.
			cell: ({lastRenewal}, {now}) =>
				lastRenewal === null ? '<unknown>' : formatDuration(now - lastRenewal),
			drawn: {
				width: 9,
				tone: ({isSilent}) => (isSilent ? 'bad' : undefined),
				isTimed: true,
				isRight: true,
				sortKey: 'A',
				compare: (a, b) => (a.lastRenewal ?? 0) - (b.lastRenewal ?? 0),
			},
		},
		timeLeft('UNKNOWN-IN', ({unknown}) => unknown, 'U'),
		{title: 'UNKNOWN-AT', isWide: true, whenGone: '-', cell: ({unknown}, {at}) => at(unknown)},
		timeLeft('TAINT-IN', taintOf, 'T'),
		{title: 'TAINT-AT', drop: 3, whenGone: '-', cell: (node, {at}) => at(taintOf(node))},
		{
			title: 'TAINTS',
			isWide: true,
			drop: 8,
			cell: ({taints}) => orNone(taints.map(shortTaint).join(',')),
			drawn: {least: 11, most: 24, tone: 'certain'},
		},
		{title: 'QUEUE', drop: 7, whenGone: '-', cell: formatTurn, drawn: {width: 10, tone: 'certain'}},
		{
			title: 'PRESSURE',
			isWide: true,
			drop: 5,
			whenGone: '-',
			// The resource that is short, and the pod that its kubelet evicts next: `Memory: shop/cart 5s-10s`.
			cell: ({pressure}, {countdown}) => {
				const next = pressure?.next;
				return shortOf(pressure) + (next ? `: ${podKey(next)} ${countdown(next.when)}` : '');
			},
			brief: ({pressure}) => shortOf(pressure),
			drawn: {least: 11, most: 40, tone: ({pressure}) => (pressure?.conditions.length ? 'bad' : 'likely')},
		},
		{
			title: 'BECAUSE',
			isWide: true,
			drop: 10,
			whenGone: '-',
			// The last step is what it waits for.
			cell: ({because}, {told}) => told(briefReason({because: because.slice(-1)})),
			drawn: {least: 20, most: 160, tone: 'dim'},
		},
	],
	keyOf: ({name, uid}) => `${name}/${uid}`,
	nameOf,
	labelsOf: ({labels}) => labels,
	compare: compareNodes,
	hasTurned: (before, after) => before.verdict !== after.verdict || before.ready !== after.ready,
	hasMoved: (before, after, now) =>
		hasMoved(before.unknown, after.unknown, now) ||
		hasMoved(before.noExecute, after.noExecute, now) ||
		hasMoved(before.eviction, after.eviction, now) ||
		before.pressure?.conditions.join() !== after.pressure?.conditions.join() ||
		before.pressure?.next?.name !== after.pressure?.next?.name ||
		hasMoved(before.pressure?.next?.when, after.pressure?.next?.when, now),
	toJson: nodeJson,
	goneJson: {
		verdict: 'Gone',
		unknown: null,
		noExecute: null,
		nextProbability: null,
		because: [],
		reasons: [],
	},
};

function compareNodes(a: NodeForecast, b: NodeForecast): number {
	return nodeVerdicts.indexOf(a.verdict) - nodeVerdicts.indexOf(b.verdict) || compareNames(a.name, b.name);
}

/** The sign of each verdict. */
export const nodeSigns: Readonly<Record<NodeVerdict, Sign>> = {
	Healthy: 'safe',
	Unsure: 'possible',
	Late: 'possible',
	Silent: 'likely',
	NotReady: 'likely',
	Unknown: 'likely',
	Queued: 'certain',
	Held: 'held',
	Tainted: 'certain',
	Evicted: 'certain',
	Recovering: 'possible',
};

function shortOf(pressure: NodePressure | undefined): string {
	if (!pressure) return '-';
	return pressure.conditions.map((name) => name.replace(/Pressure$/, '')).join(',') || 'soon';
}

/** The probability of being the next node of its zone; `waiting` if its zone is stopped. */
function formatTurn({verdict, nextProbability: chance}: NodeForecast): string {
	if (chance !== null) return `next: ${chance > 0 && chance < 0.01 ? '<1' : Math.round(chance * 100)}%`;
	return verdict === 'Held' ? 'waiting' : '-';
}

function nodeJson(node: NodeForecast): KindJson<NodeForecastJson> {
	const {eviction, repairs, pressure} = node;
	const next = pressure?.next;
	return {
		metadata: fieldsOf(node, 'name', 'uid', 'labels'),
		...fieldsOf(node, 'verdict', 'zone', 'ready', 'lastRenewal', 'unknown', 'noExecute'),
		...(eviction !== undefined && {eviction}),
		...fieldsOf(node, 'nextProbability', 'because'),
		reasons: node.reasons ?? [],
		...(repairs && {repairs}),
		...(pressure && {
			pressure: {
				conditions: pressure.conditions,
				next: next
					? {...fieldsOf(next, 'namespace', 'name'), eviction: next.when, certain: next.isCertain}
					: null,
			},
		}),
	};
}
