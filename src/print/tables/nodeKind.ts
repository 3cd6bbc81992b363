import {compareNames} from '../../core/collections/compareNames.ts';
import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {NodeForecast, NodePressure, NodeVerdict} from '../../forecast/nodeForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {NodeForecastJson} from '../contract/nodeForecast.ts';
import {formatAt, formatCountdown} from '../countdown.ts';
import {hasMoved, optionalRangeJson, rangeJson} from '../json/rangeJson.ts';
import {briefReason} from './briefReason.ts';
import type {Kind} from './kind.ts';

/** In the order of how close a node is to losing its pods. */
export const nodeVerdicts: readonly NodeVerdict[] = [
	'Tainted',
	'Evicted',
	'Queued',
	'Unknown',
	'NotReady',
	'Silent',
	'Held',
	'Recovering',
	'Late',
	'Healthy',
];

export const nodes: Kind<NodeForecast> = {
	name: 'NodeForecast',
	singular: 'node',
	nameTitle: 'NAME',
	columns: [
		{title: 'NAME', cell: ({name}) => name},
		{title: 'VERDICT', whenGone: 'Gone', cell: ({verdict}) => verdict},
		{
			title: 'READY',
			drop: 4,
			cell: ({ready, pressure}) => [ready ?? '<none>', ...(pressure?.conditions ?? [])].join(','),
		},
		{title: 'ZONE', drop: 5, cell: ({zone}) => zone || '<none>'},
		{title: 'HEARTBEAT', drop: 1, cell: formatLastRenewal},
		{
			title: 'UNKNOWN-IN',
			whenGone: '-',
			cell: ({unknown}, now) => optionalCountdown(unknown, now),
		},
		{title: 'UNKNOWN-AT', isWide: true, whenGone: '-', cell: ({unknown}, now) => formatAt(unknown, now)},
		{
			title: 'TAINT-IN',
			whenGone: '-',
			// Without taints, pods are evicted when the taint would be added.
			cell: ({noExecute, eviction}, now) => optionalCountdown(eviction ?? noExecute, now),
		},
		{
			title: 'TAINT-AT',
			drop: 3,
			whenGone: '-',
			cell: ({noExecute, eviction}, now) => formatAt(eviction ?? noExecute, now),
		},
		{title: 'QUEUE', drop: 2, whenGone: '-', cell: formatTurn},
		{title: 'PRESSURE', isWide: true, whenGone: '-', cell: formatPressure},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: briefReason},
	],
	keyOf: ({name, uid}) => `${name}/${uid}`,
	nameOf: ({name}) => name,
	compare: (a, b) =>
		nodeVerdicts.indexOf(a.verdict) - nodeVerdicts.indexOf(b.verdict) || compareNames(a.name, b.name),
	hasChanged: (before, after, now) =>
		before.verdict !== after.verdict ||
		before.ready !== after.ready ||
		hasMoved(before.unknown, after.unknown, now) ||
		hasMoved(before.noExecute, after.noExecute, now) ||
		hasMoved(before.eviction ?? null, after.eviction ?? null, now) ||
		hasOtherPressure(before.pressure, after.pressure, now),
	hasTurned: (before, after) => before.verdict !== after.verdict || before.ready !== after.ready,
	toJson: nodeJson,
	goneJson: {verdict: 'Gone', unknown: null, noExecute: null, nextProbability: null, because: []},
};

const hasOtherPressure = (
	before: NodePressure | undefined,
	after: NodePressure | undefined,
	now: Instant,
): boolean =>
	before?.conditions.join() !== after?.conditions.join() ||
	before?.next?.name !== after?.next?.name ||
	hasMoved(before?.next?.when ?? null, after?.next?.when ?? null, now);

/** `Memory: shop/cart 5s-10s`: the resource that is short, and the pod that its kubelet evicts next. */
function formatPressure({pressure}: NodeForecast, now: Instant): string {
	if (!pressure) return '-';
	const {conditions, next} = pressure;
	const short = conditions.map((name) => name.replace(/Pressure$/, '')).join(',') || 'soon';
	return next ? `${short}: ${next.namespace}/${next.name} ${formatCountdown(next.when, now)}` : short;
}

const pressureJson = ({conditions, next}: NodePressure): NonNullable<NodeForecastJson['pressure']> => ({
	conditions,
	next: next && {
		...{namespace: next.namespace, name: next.name},
		...{eviction: rangeJson(next.when), certain: next.isCertain},
	},
});

// A renewal in the future (the local clock is behind, or the kubelet's is wrong) has no age.
function formatLastRenewal({lastRenewal}: NodeForecast, now: Instant): string {
	return lastRenewal === null ? '<unknown>' : formatDuration(now - lastRenewal);
}

const optionalCountdown = (range: Range | null, now: Instant): string =>
	range ? formatCountdown(range, now) : '-';

/** The probability of being the next node of its zone; `waiting` if its zone is stopped. */
function formatTurn({verdict, nextProbability}: NodeForecast): string {
	if (nextProbability !== null) return `next: ${Math.round(nextProbability * 100)}%`;
	return verdict === 'Held' ? 'waiting' : '-';
}

function nodeJson({
	name,
	uid,
	verdict,
	zone,
	ready,
	lastRenewal,
	unknown,
	noExecute,
	...node
}: NodeForecast): Omit<NodeForecastJson, 'kind' | 'apiVersion'> {
	return {
		metadata: {name, uid, labels: node.labels},
		verdict,
		zone,
		ready: ready ?? null,
		lastRenewal: lastRenewal === null ? null : formatTimestamp(lastRenewal),
		unknown: optionalRangeJson(unknown),
		noExecute: optionalRangeJson(noExecute),
		...(node.eviction !== undefined && {eviction: optionalRangeJson(node.eviction)}),
		nextProbability: node.nextProbability,
		because: node.because,
		...(node.repairs && {
			repairs: node.repairs.map(({at, ...one}) => ({...one, at: optionalRangeJson(at)})),
		}),
		...(node.pressure && {pressure: pressureJson(node.pressure)}),
	};
}
