import {workloadOf} from '../../core/model/workloads/workload.ts';
import {never} from '../../core/time/instant.ts';
import {horizons, isWithin} from '../../forecast/pending.ts';
import {otherLabel} from './boundedLabels.ts';
import type {Family, Sample} from './family.ts';
import {countBy, inSeconds, type MetricsState} from './state.ts';

// Kubernetes names contain no space.
const separator = ' ';

function* pendingByHorizon({view, now, pending, zoneLabels}: MetricsState): Generator<Sample> {
	const zones = new Set(view.forecast.zones.map(({zone}) => zoneLabels.labelOf(zone)));
	for (const [horizon, length] of horizons) {
		const within = pending.filter((pod) => isWithin(pod, length, now));
		const counts = countBy(within, ({zone}) => zoneLabels.labelOf(zone));
		for (const zone of new Set([...zones, ...counts.keys()])) yield [{zone, horizon}, counts.get(zone) ?? 0];
	}
}

function* nextByZone({now, pending, zoneLabels}: MetricsState): Generator<Sample> {
	const next = new Map<string, {earliest: number; expected: number}>();
	for (const {zone, eviction} of pending) {
		const label = zoneLabels.labelOf(zone);
		const known = next.get(label);
		next.set(label, {
			earliest: Math.min(known?.earliest ?? never, eviction.earliest),
			expected: Math.min(known?.expected ?? never, eviction.expected),
		});
	}
	for (const [zone, {earliest, expected}] of next) {
		yield [{zone, bound: 'earliest'}, inSeconds(earliest - now)];
		yield [{zone, bound: 'expected'}, inSeconds(expected - now)];
	}
}

function* pendingByWorkload({now, pending, workloads}: MetricsState): Generator<Sample> {
	const counts = countBy(pending, (pod) => {
		const {kind, name} = workloadOf(pod);
		return [pod.namespace, kind, name].join(separator);
	});
	const {shown, rest} = workloads.assign(counts, now);
	for (const [key, count] of shown) {
		const [namespace = '', kind = '', workload = ''] = key.split(separator);
		yield [{namespace, kind, workload}, count];
	}
	if (rest > 0) yield [{namespace: otherLabel, kind: otherLabel, workload: otherLabel}, rest];
}

/** Metrics of future evictions: of pods that will be evicted if nothing changes (Scheduled, Expected, Overdue). */
export const evictionFamilies: readonly Family<MetricsState>[] = [
	{
		name: 'evictwatch_pending_evictions',
		help: 'Pods whose eviction is expected (by the median) within the horizon; the longer hold the shorter.',
		type: 'gauge',
		labels: ['zone', 'horizon'],
		samples: pendingByHorizon,
	},
	{
		name: 'evictwatch_next_eviction_seconds',
		help: 'Seconds to the next eviction of the zone, at the earliest and by the median; absent where none is to come.',
		type: 'gauge',
		labels: ['zone', 'bound'],
		samples: nextByZone,
	},
	{
		name: 'evictwatch_pods',
		help: 'Pods by verdict.',
		type: 'gauge',
		labels: ['verdict'],
		samples: ({view}) => [...countBy(view.forecast.pods, ({verdict}) => verdict)].map(byVerdict),
	},
	{
		name: 'evictwatch_nodes',
		help: 'Nodes by verdict.',
		type: 'gauge',
		labels: ['verdict'],
		samples: ({view}) => [...countBy(view.forecast.nodes, ({verdict}) => verdict)].map(byVerdict),
	},
	{
		name: 'evictwatch_taint_eviction_controller_pod_deletions_total',
		help: 'Pods that the controllers deleted since this process started, as taint_eviction_controller_pod_deletions_total.',
		type: 'counter',
		samples: ({deleted}) => [[{}, deleted.DeletePod]],
	},
	{
		name: 'evictwatch_device_taint_eviction_controller_pod_deletions_total',
		help: 'The same for tainted devices, as device_taint_eviction_controller_pod_deletions_total.',
		type: 'counter',
		samples: ({deleted}) => [[{}, deleted.DeletePodForDevice]],
	},
];

/** Metrics by workload: optional, as there are many names. */
export const workloadFamily: Family<MetricsState> = {
	name: 'evictwatch_workload_pending_evictions',
	help: 'Pods of the workload that will be evicted if nothing changes; what has no series of its own is _other.',
	type: 'gauge',
	labels: ['namespace', 'kind', 'workload'],
	samples: pendingByWorkload,
};

const byVerdict = ([verdict, count]: readonly [string, number]): Sample => [{verdict}, count];
