import {countBy} from '../../core/collections/countBy.ts';
import {minOf} from '../../core/collections/extremes.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import {EvictionCounts} from '../../forecast/evictionCounts.ts';
import {horizons} from '../../forecast/pending.ts';
import {otherLabel} from './boundedLabels.ts';
import {countsBy, type Family, gauge, type Sample} from './family.ts';
import {inSeconds, type MetricsState} from './state.ts';

function* pendingByHorizon({view, now, pending, zoneLabels}: MetricsState): Generator<Sample> {
	const evictions = new EvictionCounts(pending, view.forecast);
	const zones = new Set([...view.forecast.zones, ...pending].map(({zone}) => zone));
	for (const [horizon, length] of horizons) {
		const counts = new Map<string, number>();
		for (const name of zones) {
			const zone = zoneLabels(name);
			counts.set(zone, (counts.get(zone) ?? 0) + evictions.by(now + length, name).expected);
		}
		for (const [zone, expected] of counts) yield [{zone, horizon}, Math.round(expected)];
	}
}

function* nextByZone({now, pending, zoneLabels}: MetricsState): Generator<Sample> {
	for (const [zone, pods] of grouped(pending, (pod) => zoneLabels(pod.zone)))
		for (const bound of ['earliest', 'expected'] as const)
			yield [{zone, bound}, inSeconds(minOf(pods.map(({eviction}) => eviction[bound])) - now)];
}

function* pendingByWorkload({now, pending, workloads}: MetricsState): Generator<Sample> {
	// Kubernetes' names contain no space.
	const counts = countBy(pending, (pod) => {
		const {kind, name} = workloadOf(pod);
		return `${pod.namespace} ${kind} ${name}`;
	});
	const {shown, rest} = workloads.assign(counts, now);
	for (const [key, count] of shown) {
		const [namespace = '', kind = '', workload = ''] = key.split(' ');
		yield [{namespace, kind, workload}, count];
	}
	if (rest > 0) yield [{namespace: otherLabel, kind: otherLabel, workload: otherLabel}, rest];
}

/** Metrics of future evictions: of pods that will be evicted if nothing changes (Scheduled, Expected, Overdue). */
export const evictionFamilies: readonly Family<MetricsState>[] = [
	gauge(
		'evictwatch_pending_evictions',
		'How many pods are to be expected to be evicted within the horizon, the mean of all cases; the longer hold the shorter.',
		['zone', 'horizon'],
		pendingByHorizon,
	),
	gauge(
		'evictwatch_next_eviction_seconds',
		'Seconds to the next eviction of the zone, at the earliest and by the median; absent where none is to come.',
		['zone', 'bound'],
		nextByZone,
	),
	gauge('evictwatch_pods', 'Pods by verdict.', ['verdict'], ({view}) =>
		countsBy(view.forecast.pods, ({verdict}) => ({verdict})),
	),
	gauge('evictwatch_nodes', 'Nodes by verdict.', ['verdict'], ({view}) =>
		countsBy(view.forecast.nodes, ({verdict}) => ({verdict})),
	),
];

/** Metrics by workload: optional, as there are many names. */
export const workloadFamily: Family<MetricsState> = gauge(
	'evictwatch_workload_pending_evictions',
	'Pods of the workload that will be evicted if nothing changes; what has no series of its own is _other.',
	['namespace', 'kind', 'workload'],
	pendingByWorkload,
);
