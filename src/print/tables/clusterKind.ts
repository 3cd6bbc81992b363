import {compareNames} from '../../core/collections/compareNames.ts';
import {unique} from '../../core/collections/unique.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {ClusterForecast, ForecastSummary} from '../../impact/clusterForecast.ts';
import type {ClusterForecastJson} from '../contract/clusterForecast.ts';
import {formatCountdown, hasMoved} from '../countdown.ts';
import {problemsJson} from '../json/json.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import type {Column, Kind} from './kind.ts';
import {readyCell} from './zoneKind.ts';

const none = '-';

/** A cell of what was read of a cluster; a dash if nothing was. */
const summed = (
	title: string,
	cell: (summary: ForecastSummary, now: Instant) => string | null | undefined,
	isWide?: true,
): Column<ClusterForecast> => ({
	title,
	...(isWide && {isWide}),
	cell: ({summary, clockOffset}, {now}) => (summary && cell(summary, now + clockOffset)) ?? none,
});

export const clusters: Kind<ClusterForecast> = {
	name: 'ClusterForecast',
	singular: 'cluster',
	nameTitle: 'CONTEXT',
	columns: [
		{title: 'CONTEXT', cell: ({name}) => name},
		{
			title: 'STATUS',
			cell: ({status, heardAt}, {time}) =>
				status === 'Unreachable' && heardAt !== undefined ? `Unreachable since ${time(heardAt)}` : status,
		},
		summed('READY', ({nodes}) => nodes && readyCell({...nodes, size: nodes.all})),
		summed('STOPPED-ZONES', ({nodes, zones}) => nodes && `${zones.stopped.length}/${zones.all}`),
		summed('WITHIN-5M', ({evictions}) => evictions?.within5Minutes.toString()),
		summed('TO-ZERO', formatToZero),
		summed('FIRST', ({evictions}, now) => evictions?.first && formatCountdown(evictions.first, now)),
		summed('LAST', ({evictions}, now) => evictions?.last && formatCountdown(evictions.last, now)),
		{title: 'SERVER', isWide: true, cell: ({server}) => server ?? none},
		summed('VERSION', ({kubernetesVersion}) => kubernetesVersion ?? none, true),
		{title: 'HEARD', isWide: true, cell: ({heardAt}, {time}) => (heardAt ? time(heardAt) : none)},
		{
			title: 'PROBLEMS',
			isWide: true,
			cell: ({problems}) => unique(problems.map(({reason}) => reason)).join(',') || '<none>',
		},
	],
	keyOf: nameOf,
	nameOf,
	compare: (a, b) => urgencyOf(a) - urgencyOf(b) || compareNames(a.name, b.name),
	hasTurned,
	toJson: clusterJson,
	goneJson: {},
};

/** Clusters by the time of their first eviction, on the local clock; then those without data; healthy ones last. */
function urgencyOf({summary, status, clockOffset}: ClusterForecast): number {
	const first = summary?.evictions?.first;
	if (first) return first.expected - clockOffset;
	return status === 'Reachable' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
}

// Workloads whose state is not known may reach zero as well.
function formatToZero({workloads}: ForecastSummary): string | undefined {
	if (!workloads) return undefined;
	const {toZero, unknown} = workloads;
	return unknown === 0 ? String(toZero.length) : `${toZero.length}-${toZero.length + unknown}`;
}

function hasTurned(before: ClusterForecast, after: ClusterForecast, now: Instant) {
	if (before.status !== after.status || !before.summary || !after.summary)
		return before.status !== after.status || before.summary !== after.summary;
	const [one, other] = [before.summary, after.summary];
	const at = now + after.clockOffset;
	return (
		countsOf(one) !== countsOf(other) ||
		hasMoved(one.evictions?.first, other.evictions?.first, at) ||
		hasMoved(one.evictions?.last, other.evictions?.last, at)
	);
}

const countsOf = ({nodes, zones, evictions, unsure, workloads}: ForecastSummary) =>
	JSON.stringify([
		nodes,
		zones,
		evictions?.all,
		evictions?.within5Minutes,
		unsure,
		workloads?.unknown,
		workloads?.toZero.map(({namespace, kind, name}) => [namespace, kind, name]),
	]);

function clusterJson(cluster: ClusterForecast): KindJson<ClusterForecastJson> {
	const {name, summary} = cluster;
	return {
		metadata: {name, ...(summary && {observedAt: summary.observedAt})},
		...fieldsOf(cluster, 'server', 'status', 'heardAt'),
		kubernetesVersion: summary?.kubernetesVersion ?? null,
		nodes: summary?.nodes ?? null,
		zones: summary?.zones ?? null,
		evictions: summary?.evictions ? {...summary.evictions, unsure: summary.unsure} : null,
		workloads: summary?.workloads ?? null,
		problems: problemsJson(cluster.problems),
	};
}
