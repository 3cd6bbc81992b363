import {compareNames} from '../../core/collections/compareNames.ts';
import type {Instant} from '../../core/time/instant.ts';
import {clockTime, formatTimestamp} from '../../dates/utc.ts';
import type {Range} from '../../forecast/range.ts';
import type {ClusterForecast, ForecastSummary} from '../../impact/clusterForecast.ts';
import type {ClusterForecastJson} from '../contract/clusterForecast.ts';
import {formatCountdown} from '../countdown.ts';
import {hasMoved, optionalRangeJson} from '../json/rangeJson.ts';
import type {Column, Kind} from './kind.ts';

const none = '-';

/** A cell of what was read of a cluster; a dash if nothing was. */
const summed = (
	title: string,
	cell: (summary: ForecastSummary, now: Instant) => string,
): Column<ClusterForecast> => ({
	title,
	cell: ({summary, clockOffset}, now) => (summary ? cell(summary, now + clockOffset) : none),
});

export const clusters: Kind<ClusterForecast> = {
	name: 'ClusterForecast',
	singular: 'cluster',
	nameTitle: 'CONTEXT',
	columns: [
		{title: 'CONTEXT', cell: ({name}) => name},
		{title: 'STATUS', cell: formatStatus},
		summed('READY', ({nodes}) => (nodes ? `${nodes.ready}/${nodes.all}` : none)),
		summed('SILENT', ({nodes}) => (nodes ? String(nodes.silent) : none)),
		summed('STOPPED-ZONES', ({zones}) => `${zones.stopped.length}/${zones.all}`),
		summed('WITHIN-5M', ({evictions}) => String(evictions.within5Minutes)),
		summed('TO-ZERO', formatToZero),
		summed('FIRST', ({evictions}, now) => formatRange(evictions.first, now)),
		summed('LAST', ({evictions}, now) => formatRange(evictions.last, now)),
		{title: 'SERVER', isWide: true, cell: ({server}) => server ?? none},
		{...summed('VERSION', ({kubernetesVersion}) => kubernetesVersion ?? none), isWide: true},
		{title: 'HEARD', isWide: true, cell: ({heardAt}, now) => (heardAt ? clockTime(heardAt, now) : none)},
		{
			title: 'PROBLEMS',
			isWide: true,
			cell: ({problems}) => [...new Set(problems.map(({reason}) => reason))].join(',') || '<none>',
		},
	],
	keyOf: ({name}) => name,
	nameOf: ({name}) => name,
	compare: (a, b) => urgencyOf(a) - urgencyOf(b) || compareNames(a.name, b.name),
	hasChanged,
	toJson: clusterJson,
	goneJson: {},
};

/** Clusters by the time of their first eviction, on the local clock; then those without data; healthy ones last. */
function urgencyOf({summary, status, clockOffset}: ClusterForecast): number {
	const first = summary?.evictions.first;
	if (first) return first.expected - clockOffset;
	return status === 'Reachable' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
}

function formatStatus({status, heardAt}: ClusterForecast, now: Instant): string {
	return status === 'Unreachable' && heardAt !== undefined
		? `Unreachable since ${clockTime(heardAt, now)}`
		: status;
}

// Workloads whose state is not known may reach zero as well.
function formatToZero({workloads}: ForecastSummary): string {
	const {toZero, unknown} = workloads;
	return unknown === 0 ? String(toZero.length) : `${toZero.length}-${toZero.length + unknown}`;
}

const formatRange = (range: Range | null, now: Instant): string =>
	range === null ? none : formatCountdown(range, now);

function hasChanged(before: ClusterForecast, after: ClusterForecast, now: Instant): boolean {
	if (before.status !== after.status || !before.summary || !after.summary)
		return before.status !== after.status || before.summary !== after.summary;
	const [one, other] = [before.summary, after.summary];
	const at = now + after.clockOffset;
	return (
		countsOf(one) !== countsOf(other) ||
		hasMoved(one.evictions.first, other.evictions.first, at) ||
		hasMoved(one.evictions.last, other.evictions.last, at)
	);
}

const countsOf = ({nodes, zones, evictions, unsure, workloads}: ForecastSummary): string =>
	JSON.stringify([
		...[nodes, zones, evictions.all, evictions.within5Minutes, unsure, workloads.unknown],
		workloads.toZero.map(({namespace, kind, name}) => [namespace, kind, name]),
	]);

function clusterJson({
	name,
	server,
	status,
	heardAt,
	summary,
	problems,
}: ClusterForecast): Omit<ClusterForecastJson, 'kind' | 'apiVersion'> {
	return {
		metadata: {name, ...(summary && {observedAt: formatTimestamp(summary.observedAt)})},
		server: server ?? null,
		status,
		heardAt: heardAt === undefined ? null : formatTimestamp(heardAt),
		kubernetesVersion: summary?.kubernetesVersion ?? null,
		nodes: summary?.nodes ?? null,
		zones: summary?.zones ?? null,
		evictions: summary ? evictionsJson(summary) : null,
		workloads: summary ? workloadsJson(summary) : null,
		problems: problems.map(({reason, message}) => ({reason, message})),
	};
}

const evictionsJson = ({evictions, unsure}: ForecastSummary) => ({
	all: evictions.all,
	within5Minutes: evictions.within5Minutes,
	first: optionalRangeJson(evictions.first),
	last: optionalRangeJson(evictions.last),
	unsure,
});

const workloadsJson = ({workloads}: ForecastSummary) => ({
	toZero: workloads.toZero.map(({namespace, kind, name, at}) => ({
		...{namespace, kind, name},
		at: optionalRangeJson(at),
	})),
	unknown: workloads.unknown,
});
