import {compareNames} from '../../core/collections/compareNames.ts';
import {withoutPrefix} from '../../core/model/taint.ts';
import {kindAndName, workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {
	type Cause,
	type Held,
	type PodForecast,
	shownVerdict,
	willBeEvicted,
} from '../../forecast/podForecast.ts';
import {count, stopInBrief} from '../../forecast/words.ts';
import type {HeldJson, PodForecastJson} from '../contract/podForecast.ts';
import {compareRanges, formatAt, formatCountdown} from '../countdown.ts';
import {hasMoved, optionalRangeJson, rangeJson} from '../json/rangeJson.ts';
import {outcomeWord} from '../legend.ts';
import {briefReason} from './briefReason.ts';
import type {Kind} from './kind.ts';
import type {PodRow} from './podFolds.ts';

export const pods: Kind<PodForecast> = {
	name: 'PodForecast',
	singular: 'pod',
	nameTitle: 'NAME',
	columns: [
		{title: 'NAMESPACE', cell: ({namespace}) => namespace},
		{title: 'NAME', cell: nameCell},
		{title: 'IN', whenGone: '-', cell: formatIn},
		{title: 'AT', drop: 1, whenGone: '-', cell: ({eviction}, now) => formatAt(eviction, now)},
		{title: 'VERDICT', whenGone: 'Gone', cell: shownVerdict},
		{title: 'NODE', drop: 2, cell: nodeCell},
		{title: 'ZONE', drop: 4, cell: ({zone}) => zone || '<none>'},
		{title: 'CAUSE', drop: 3, cell: causeCell},
		{title: 'OWNER', isWide: true, cell: ({owner}) => (owner ? `${owner.kind}/${owner.name}` : '<none>')},
		{title: 'THEN', isWide: true, whenGone: '-', cell: ({after}) => outcomeWord(after) ?? '<none>'},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: because},
	],
	keyOf: ({namespace, name, uid}) => `${namespace}/${name}/${uid}`,
	nameOf: ({name}) => name,
	compare: comparePods,
	hasChanged: (before, after, now) =>
		before.verdict !== after.verdict || hasMoved(before.eviction, after.eviction, now),
	hasTurned: (before, after) => before.verdict !== after.verdict,
	toJson: podJson,
	goneJson: {verdict: 'Gone', eviction: null, held: null, because: [], after: null},
};

function nameCell(pod: PodRow): string {
	return pod.fold
		? `${kindAndName(workloadOf(pod.fold.pods[0] ?? pod))} (${pod.fold.pods.length} pods)`
		: pod.name;
}

function nodeCell({node, fold}: PodRow): string {
	return fold && fold.nodes.size > 1 ? count(fold.nodes.size, 'node') : node || '<none>';
}

function formatIn({verdict, eviction, held}: PodForecast, now: Instant): string {
	if (verdict === 'Held' || held !== null) return 'held';
	if (eviction === null) return '-';
	if (verdict !== 'Overdue') return formatCountdown(eviction, now);
	return `overdue ${formatDuration(now - (eviction.latest ?? eviction.earliest))}`;
}

// The cause of a held pod is what holds it, as on the dashboard.
function causeCell(pod: PodForecast): string {
	const {cause, held, verdict} = pod;
	if (held) return stopInBrief(held.by);
	if (cause !== null) return formatCause(cause);
	if (verdict === 'Terminating') return 'already deleted';
	const [, taints] = pod.because[0]?.match(/^it tolerates (.+) forever$/) ?? [];
	return taints === undefined ? '-' : `${withoutPrefix(taints)} (tolerated forever)`;
}

function formatCause({kind, taint, tolerationSeconds, signals, by, driver, pool, device}: Cause): string {
	if (signals) return `${kind} (${signals.join(' or ')})`;
	if (taint === undefined) return by === undefined ? kind : `${kind} (${by})`;
	const own = withoutPrefix(taint);
	const short = device === undefined ? own : `device ${driver}/${pool}/${device} ${own}`;
	if (tolerationSeconds === undefined) return short;
	return `${short} (${tolerationSeconds === null ? 'not tolerated' : `${tolerationSeconds}s`})`;
}

/** What started a running countdown; for other pods the first reason. */
function because(pod: PodForecast): string {
	const {verdict, cause} = pod;
	const began = pod.because.find((one) => one.includes(`got the taint ${cause?.taint}`));
	return briefReason(
		verdict === 'Scheduled' && began
			? {because: [began.replace(' taint node.kubernetes.io/', ' taint ')]}
			: pod,
	);
}

// Overdue pods come first, then those that will be evicted, the soonest first, then possible and held ones.
function comparePods(a: PodForecast, b: PodForecast): number {
	return (
		rank(a) - rank(b) ||
		compareRanges(a.eviction, b.eviction) ||
		compareNames(a.namespace, b.namespace) ||
		compareNames(a.name, b.name)
	);
}

function rank({verdict, eviction}: PodForecast): number {
	if (verdict === 'Overdue') return 0;
	if (eviction !== null) return willBeEvicted(verdict) ? 1 : 2;
	return ['Held', 'Unsure', 'Terminating', 'Stays', 'Safe'].indexOf(verdict) + 3;
}

function podJson({namespace, name, uid, ...pod}: PodForecast): Omit<PodForecastJson, 'kind' | 'apiVersion'> {
	return {
		metadata: {namespace, name, uid, labels: pod.labels},
		node: pod.node,
		zone: pod.zone,
		verdict: pod.verdict,
		eviction: optionalRangeJson(pod.eviction),
		cause: pod.cause,
		held: pod.held && heldJson(pod.held),
		because: pod.because,
		after: pod.after,
		owner: pod.owner ? {kind: pod.owner.kind, name: pod.owner.name} : null,
	};
}

/** What stops an eviction, as in the JSON contract. */
export function heldJson({by, since, releasedBy, ifReleasedNow}: Held): HeldJson {
	return {
		by,
		since: since === null ? null : formatTimestamp(since),
		releasedBy,
		ifReleasedNow: rangeJson(ifReleasedNow),
	};
}
