import {compareNames} from '../../core/collections/compareNames.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {withoutPrefix} from '../../core/model/taint.ts';
import {kindAndName, workloadOf} from '../../core/model/workloads/workload.ts';
import type {Duration} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {certaintyOf} from '../../forecast/certainty.ts';
import {
	type Cause,
	type PodForecast,
	type PodVerdict,
	shownVerdict,
	willBeEvicted,
} from '../../forecast/podForecast.ts';
import {Range} from '../../forecast/range.ts';
import {count, linked, percent, stopInBrief} from '../../forecast/words.ts';
import type {PodForecastJson} from '../contract/podForecast.ts';
import {hasMoved, rangePlace} from '../countdown.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import {outcomeWord} from '../legend.ts';
import {
	briefReason,
	type CellContext,
	type Kind,
	namespaceColumn,
	orNone,
	type Sign,
	zoneColumn,
} from './kind.ts';

export const pods: Kind<PodForecast> = {
	name: 'PodForecast',
	singular: 'pod',
	nameTitle: 'NAME',
	columns: [
		namespaceColumn,
		{title: 'NAME', cell: nameCell, drawn: {least: 26, most: 70, isName: true, sortKey: 'N'}},
		{
			title: 'IN',
			whenGone: '-',
			cell: inCell,
			drawn: {
				width: 13,
				text: (pod, context) => {
					const text = inCell(pod, context);
					return text === '-' && pod.verdict !== 'Safe' ? shownVerdict(pod).toLowerCase() : text;
				},
				sign: (pod) => certaintyOf(pod) ?? signs[pod.verdict] ?? 'possible',
				isTimed: true,
				sortKey: 'T',
				sortWord: 'time',
				compare: comparePods,
			},
		},
		{
			title: 'LIKELY',
			isWide: 'ifRoom',
			drop: 5,
			whenGone: '-',
			cell: likelyCell,
			drawn: {
				width: 14,
				text: (pod, context) => likelyCell(pod, context).replace(/^-$/, ''),
				isTimed: true,
				tone: 'dim',
			},
		},
		{title: 'AT', drop: 1, whenGone: '-', cell: ({eviction}, {at}) => at(eviction)},
		{title: 'VERDICT', whenGone: 'Gone', cell: shownVerdict},
		{
			title: 'NODE',
			drop: 2,
			cell: ({node, fold}: PodRow, {nodeName}) =>
				fold && fold.nodes.size > 1 ? count(fold.nodes.size, 'node') : orNone(nodeName(node)),
			drawn: {least: 8, most: 45, isName: true, sortKey: 'O'},
		},
		zoneColumn,
		{
			title: 'CAUSE',
			drop: 4,
			cell: causeCell,
			brief: briefCause,
			drawn: {least: 16, most: 46, tone: ({held}) => (held ? 'held' : undefined)},
		},
		{
			title: 'OWNER',
			isWide: true,
			drop: 5,
			cell: (pod) => {
				const {kind, name} = workloadOf(pod);
				return pod.owner ? `${kind}/${name}` : '<none>';
			},
			drawn: {least: 20, most: 40, isName: true, sortKey: 'W'},
		},
		{
			title: 'THEN',
			isWide: true,
			drop: 5,
			whenGone: '-',
			cell: ({after}) => outcomeWord(after) ?? '<none>',
			drawn: {least: 8, tone: 'dim'},
		},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: because},
	],
	keyOf: ({namespace, name, uid}) => `${namespace}/${name}/${uid}`,
	nameOf,
	namespaceOf: ({namespace}) => namespace,
	labelsOf: ({labels}) => labels,
	compare: comparePods,
	hasTurned: (before, after) => before.verdict !== after.verdict,
	hasMoved: (before, after, now) =>
		hasMoved(before.eviction, after.eviction, now) || outcomeWord(before.after) !== outcomeWord(after.after),
	toJson: podJson,
	goneJson: {verdict: 'Gone', eviction: null, held: null, because: [], reasons: [], after: null},
};

/** `deployment/cart (3 pods)` for pods that share a row. */
function nameCell({namespace, name, fold}: PodRow, {podName}: CellContext): string {
	const [first] = fold?.pods ?? [];
	return podName({
		namespace,
		name: first ? `${kindAndName(workloadOf(first))} (${fold?.pods.length} pods)` : name,
	});
}

function inCell({verdict, eviction, held}: PodForecast, {now, countdown}: CellContext): string {
	if (verdict === 'Held' || held !== null) return 'held';
	if (eviction === null) return '-';
	if (verdict !== 'Overdue') return countdown(eviction);
	return `overdue ${formatDuration(now - (eviction.latest ?? eviction.earliest))}`;
}

/** The central 80 % of the cases, after how likely it happens at all, if that is not sure: `13% 39s-41s`. */
function likelyCell({verdict, eviction}: PodForecast, {countdown}: CellContext): string {
	if (!eviction || verdict === 'Overdue') return '-';
	const {expected, likely, probability, isWorthOdds} = eviction;
	const share = probability === undefined ? '' : percent(probability);
	const odds = likely && isWorthOdds ? countdown(new Range(likely.from, expected, likely.until)) : '';
	// The whole range needs no second telling.
	return linked(' ', share, odds === countdown(eviction) ? '' : odds) || '-';
}

/** The signs of verdicts without a certainty. */
const signs: Readonly<Partial<Record<PodVerdict, Sign>>> = {
	Held: 'held',
	Terminating: 'terminating',
	Stays: 'stays',
	Safe: 'safe',
};

/** Why a pod is evicted; of a held one, what holds it. */
export function causeCell(pod: PodForecast): string {
	const {cause, held, verdict} = pod;
	if (held) return stopInBrief(held.by);
	if (cause !== null) return formatCause(cause);
	if (verdict === 'Terminating') return 'already deleted';
	const taints = toleratedForEver(pod);
	return taints === undefined ? '-' : `${withoutPrefix(taints)} (tolerated forever)`;
}

/** The taints that a pod tolerates forever, if that is why it stays. */
export const toleratedForEver = ({reasons}: PodForecast) =>
	reasons?.find(({code}) => code === 'ToleratesForEver')?.params['taints'];

/** Why a pod is evicted: `unreachable:NoExecute (300s)`. */
export function formatCause({
	kind,
	taint,
	tolerationSeconds,
	signals,
	by,
	driver,
	pool,
	device,
}: Cause): string {
	if (signals) return `${kind} (${signals.join(' or ')})`;
	if (taint === undefined) return by === undefined ? kind : `${kind} (${by})`;
	const short = withoutPrefix(taint);
	const whole = device === undefined ? short : `device ${driver}/${pool}/${device} ${short}`;
	if (tolerationSeconds === undefined) return whole;
	return `${whole} (${tolerationSeconds === null ? 'not tolerated' : `${tolerationSeconds}s`})`;
}

/** The shortest form of the cause: `unreachable 300s`; of what holds a pod, the longest that fits. */
function briefCause(pod: PodForecast, _context: CellContext, width = 0): string {
	const {cause, held} = pod;
	if (held) {
		const stop = stopInBrief(held.by);
		return stop.length <= width ? stop : stop.replace(/^evictions in (.+) are /, '$1 ');
	}
	if (cause?.taint === undefined) return cause ? cause.kind : causeCell(pod);
	if (cause.device !== undefined) return `device ${cause.device}`;
	const taint = shortTaint(cause.taint);
	return cause.tolerationSeconds === undefined ? taint : `${taint} ${cause.tolerationSeconds ?? 0}s`;
}

/** A taint without the common prefix and effect. */
export const shortTaint = (taint: string) => withoutPrefix(taint).replace(/:NoExecute$/, '');

/** What started a running countdown; for other pods the first reason. */
function because(pod: PodForecast): string {
	const {verdict, cause} = pod;
	const began = pod.reasons?.find(
		({code, params}) => code === 'NodeTainted' && params['taint'] === cause?.taint,
	);
	return briefReason(verdict === 'Scheduled' && began ? {because: pod.because.slice(began.sentence)} : pod);
}

function comparePods(a: PodForecast, b: PodForecast): number {
	return urgencyOf(a) - urgencyOf(b) || comparePodNames(a, b);
}

export const comparePodNames = (a: PodForecast, b: PodForecast) =>
	compareNames(a.namespace, b.namespace) || compareNames(a.name, b.name);

/** Larger than the place of any range. */
const nextRank = 1e15;

/** The place of a pod in lists: overdue ones, those that will be evicted, possible ones, each as `rangePlace`, then those without a time. */
export function urgencyOf({verdict, eviction}: PodForecast): number {
	if (eviction === null) return (withoutTime.indexOf(verdict) + 3) * nextRank;
	const rank = verdict === 'Overdue' ? 0 : willBeEvicted(verdict) ? 1 : 2;
	return rank * nextRank + rangePlace(eviction);
}

/** The order of pods whose eviction has no time. */
const withoutTime: readonly PodVerdict[] = ['Held', 'Unsure', 'Terminating', 'Stays', 'Safe'];

function podJson(pod: PodForecast): KindJson<PodForecastJson> {
	return {
		metadata: fieldsOf(pod, 'namespace', 'name', 'uid', 'labels'),
		...fieldsOf(pod, 'node', 'zone', 'verdict', 'eviction', 'cause', 'held', 'because'),
		reasons: pod.reasons ?? [],
		after: pod.after,
		owner: pod.owner ? workloadOf(pod) : null,
	};
}

/** Similar pods of one workload: with one verdict, in one zone and with nearly one range, or none. */
type Fold = {readonly pods: readonly PodForecast[]; readonly nodes: ReadonlySet<string>};

/** A pod, or a fold with the workload's name and a range that covers all of its pods, if they have any. */
export type PodRow = PodForecast & {readonly fold?: Fold};

const fewest = 3;
const alike: Duration = 1000;
/** The ends of long ranges may differ by this share of their length, because passes check nodes seconds apart. */
const alikeShare = 0.01;

/** Pods that may share a row. */
type Alike = [PodForecast, ...PodForecast[]];

/** The same pods in the same order, with similar ones folded into one row at the place of the first. */
export function foldedRows(pods: readonly PodForecast[]): readonly PodRow[] {
	const last = new Map<string, Alike>();
	const groups: Alike[] = [];
	for (const pod of pods) {
		const {owner, verdict, zone} = pod;
		const key = owner ? `${owner.uid} ${verdict} ${zone}` : undefined;
		const group = key === undefined ? undefined : last.get(key);
		if (group && isAlike(group[0], pod)) {
			group.push(pod);
			continue;
		}
		const fresh: Alike = [pod];
		groups.push(fresh);
		if (key !== undefined) last.set(key, fresh);
	}
	const folds = new Map<string, number>();
	return groups.flatMap((group) => (group.length < fewest ? group : foldOf(group, folds)));
}

function isAlike({eviction: from}: PodForecast, {eviction: to}: PodForecast) {
	if (!from || !to) return from === to;
	const length = from.latest === null ? 0 : from.latest - from.earliest;
	const apart = Math.max(alike, length * alikeShare);
	return from.isNear(to, apart);
}

/** @param folds the number of folds of each kind so far, which makes their keys unique whichever pods they have */
function foldOf(pods: Alike, folds: Map<string, number>): PodRow {
	const [first] = pods;
	const kind = `${first.owner?.uid} ${first.verdict} ${first.zone}`;
	const place = folds.get(kind) ?? 0;
	folds.set(kind, place + 1);
	const ranges = pods.flatMap(({eviction}) => eviction ?? []);
	const all = Range.covering(ranges);
	return {
		...first,
		uid: `fold ${kind} ${place}`,
		name: workloadOf(first).name,
		eviction:
			all &&
			new Range(all.earliest, ranges[0]?.expected ?? all.earliest, all.latest, {
				likely: all.likely,
				probability: ranges[0]?.probability,
			}),
		fold: {pods, nodes: new Set(pods.map(({node}) => node))},
	};
}
