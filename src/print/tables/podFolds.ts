import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Duration} from '../../core/time/instant.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {Range} from '../../forecast/range.ts';

/** Similar pods of one workload: with one verdict, in one zone and with nearly one range, or none. */
type Fold = {readonly pods: readonly PodForecast[]; readonly nodes: ReadonlySet<string>};

/** A pod, or a fold with the workload's name and a range that covers all of its pods, if they have any. */
export type PodRow = PodForecast & {readonly fold?: Fold};

const fewest = 3;
const alike: Duration = 1000;
/** The ends of long ranges may differ by this share of their length, because passes check nodes seconds apart. */
const alikeShare = 0.01;

/** The same pods in the same order, with similar ones folded into one row at the place of the first. */
export function foldedRows(pods: readonly PodForecast[]): readonly PodRow[] {
	const last = new Map<string, PodForecast[]>();
	const groups: PodForecast[][] = [];
	for (const pod of pods) {
		const {owner, verdict, zone} = pod;
		const key = owner ? `${owner.uid} ${verdict} ${zone}` : undefined;
		const group = key === undefined ? undefined : last.get(key);
		if (group && isAlike(group[0], pod)) {
			group.push(pod);
			continue;
		}
		const fresh = [pod];
		groups.push(fresh);
		if (key !== undefined) last.set(key, fresh);
	}
	const folds = new Map<string, number>();
	return groups.flatMap((group) => (group.length < fewest ? group : foldOf(group, folds)));
}

function isAlike(a: PodForecast | undefined, {eviction}: PodForecast): boolean {
	const [from, to] = [a?.eviction ?? null, eviction];
	if (!from || !to) return from === to;
	const length = from.latest === null ? 0 : from.latest - from.earliest;
	const apart = Math.max(alike, length * alikeShare);
	return from.isNear(to, apart);
}

/** @param folds the number of folds of each kind so far, which makes their keys unique whichever pods they have */
function foldOf(pods: readonly PodForecast[], folds: Map<string, number>): readonly PodRow[] {
	const [first] = pods;
	if (!first) return [];
	const kind = `${first.owner?.uid} ${first.verdict} ${first.zone}`;
	const place = folds.get(kind) ?? 0;
	folds.set(kind, place + 1);
	const ranges = pods.flatMap(({eviction}) => eviction ?? []);
	const all = Range.covering(ranges);
	return [
		{
			...first,
			uid: `fold ${kind} ${place}`,
			name: workloadOf(first).name,
			eviction: all && new Range(all.earliest, ranges[0]?.expected ?? all.earliest, all.latest),
			fold: {pods, nodes: new Set(pods.map(({node}) => node))},
		},
	];
}
