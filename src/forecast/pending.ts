import {ascending} from '../core/collections/ascending.ts';
import {maxOf, minOf} from '../core/collections/extremes.ts';
import {nameOf} from '../core/model/objectName.ts';
import {isPodTerminal} from '../core/model/pod.ts';
import {isNodeLifecycleTaint} from '../core/model/taint.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import type {Forecast} from './forecast.ts';
import {type NodeForecast, seemsHealthy} from './nodeForecast.ts';
import {passMayLast} from './observe/latencies.ts';
import {type PodForecast, willBeEvicted} from './podForecast.ts';
import {Range} from './range.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/** How far ahead pending evictions are counted, with labels. */
export const horizons: readonly (readonly [name: string, length: Duration])[] = [
	['1m', minute],
	['5m', 5 * minute],
	['15m', 15 * minute],
];

/** The pods without those that have ended, of which only the objects are left. */
export const livingOf = (pods: readonly PodForecast[]): readonly PodForecast[] =>
	pods.filter((pod) => !isPodTerminal(pod));

/** A pod that will be evicted if nothing changes. */
export type PendingPod = PodForecast & {readonly eviction: Range};

/** Whether a pod will be evicted if nothing changes, at a known time. */
export const isPending = (pod: PodForecast): pod is PendingPod =>
	pod.eviction !== null && willBeEvicted(pod.verdict);

/** The pods that will be evicted, the soonest by their median first. */
export const pendingOf = (pods: readonly PodForecast[]): readonly PendingPod[] =>
	pods.filter(isPending).toSorted(ascending(({eviction}) => eviction.expected));

/** The same without overdue ones, whose time is over. */
export const comingOf = (pods: readonly PodForecast[]): readonly PendingPod[] =>
	pendingOf(pods).filter(({verdict}) => verdict !== 'Overdue');

/** The nodes that get their taints in random order, as others of their zone wait too: no time is the likeliest one of their pods. */
export const nodesInRandomOrder = (
	pending: readonly PendingPod[],
	nodes: readonly NodeForecast[],
): ReadonlySet<string> =>
	new Set(
		[...toTaintByZone(pending, nodes).values()]
			.map((pods) => new Set(pods.map(({node}) => node)))
			.filter((waiting) => waiting.size > 1)
			.flatMap((waiting) => [...waiting]),
	);

/** When the last of these evictions happens; null if there are none. */
export const lastOf = (pending: readonly PendingPod[]): Range | null =>
	pending.reduce<Range | null>((last, {eviction}) => (last ? later(last, eviction) : eviction), null);

/** When the later of two events happens. */
function later(a: Range, b: Range): Range {
	const [earliest, expected] = [Math.max(a.earliest, b.earliest), Math.max(a.expected, b.expected)];
	if (a.latest !== null && b.latest !== null)
		return new Range(earliest, expected, Math.max(a.latest, b.latest));
	return new Range(earliest, expected, null, {shownEnd: (a.latest === null ? a : b).shownEnd});
}

/**
 * When the first eviction happens; null if none is predicted. Random order leaves each waiting node a wide range, but one of them
 * gets its zone's next token, and its pods go after that.
 */
export function startOfEvictions({
	pods,
	nodes,
	zones,
}: Pick<Forecast, 'pods' | 'nodes' | 'zones'>): Range | null {
	const pending = comingOf(pods);
	const [first] = pending;
	if (!first) return null;
	const toTaint = toTaintByZone(pending, nodes);
	const ends = zones.flatMap((zone) => latestStart(zone, toTaint.get(zone.zone) ?? [], nodes) ?? []);
	const latest = minOf([...ends, ...pending.map(({eviction}) => eviction.end)]);
	const earliest = minOf(pending.map(({eviction}) => eviction.earliest));
	const {expected, shownEnd} = first.eviction;
	return new Range(earliest, Math.min(expected, latest), latest, {shownEnd});
}

/** The latest time by which a pod of a zone is evicted whose node still waits for its taint; undefined if it is not known. */
function latestStart(
	{zone, taints}: ZoneForecast,
	pods: readonly PendingPod[],
	nodes: readonly NodeForecast[],
): Instant | undefined {
	const byNode = Map.groupBy(pods, ({node}) => node);
	if (byNode.size === 0) return undefined;
	// Nodes without such pods may get the first tokens: also late ones, and before the first pass of new controllers tainted ones.
	const others = nodes.filter(
		(node) => node.zone === zone && !seemsHealthy(node) && isWaiting(node) && !byNode.has(node.name),
	);
	const before = Math.max(others.length, taints.length - byNode.size);
	const token = taints[before]?.latest ?? undefined;
	if (token === undefined) return undefined;
	const tolerated = ({cause}: PendingPod) => (cause?.tolerationSeconds ?? 0) * second;
	const shortest = [...byNode.values()].map((ones) => minOf(ones.map(tolerated)));
	return token + maxOf(shortest) + passMayLast;
}

/**
 * When the last eviction happens; null if none is predicted. Random order leaves each waiting node a wide range, but one of them
 * gets its zone's last token, and its pods go after that.
 */
export function endOfEvictions({
	pods,
	nodes,
	zones,
}: Pick<Forecast, 'pods' | 'nodes' | 'zones'>): Range | null {
	const pending = comingOf(pods);
	const toTaint = toTaintByZone(pending, nodes);
	const starts = zones.flatMap((zone) => soonestEnd(zone, toTaint.get(zone.zone) ?? []) ?? []);
	return starts.reduce<Range | null>((last, start) => last?.notBefore(start) ?? null, lastOf(pending));
}

const isWaiting = ({taints}: NodeForecast) => !taints.some((key) => isNodeLifecycleTaint({key}));

/** The pods that will be evicted once their nodes get the taint that they wait for, by zone. */
export function toTaintByZone(
	pending: readonly PendingPod[],
	nodes: readonly NodeForecast[],
): ReadonlyMap<string, readonly PendingPod[]> {
	const waiting = new Set(nodes.filter(isWaiting).map(nameOf));
	const toTaint = pending.filter(
		({verdict, node, cause}) =>
			verdict === 'Expected' &&
			waiting.has(node) &&
			isNodeLifecycleTaint({key: cause?.taint?.split(':')[0] ?? ''}),
	);
	return Map.groupBy(toTaint, ({zone}) => zone);
}

/** The earliest time by which all pods of a zone can be evicted whose nodes still wait for their taints. */
function soonestEnd(zone: ZoneForecast, pods: readonly PendingPod[]): Instant | undefined {
	const ofNodes = [...Map.groupBy(pods, ({node}) => node).values()];
	const token = soonestToken(zone, ofNodes.length);
	const longest = ofNodes.map((ones) => maxOf(ones.map(({cause}) => cause?.tolerationSeconds ?? 0)));
	return token === undefined ? undefined : token + minOf(longest) * second;
}

/** The earliest time of a zone's n-th token from now; undefined if it is not known. */
function soonestToken({taints, rate, coming}: ZoneForecast, n: number): Instant | undefined {
	const last = taints[Math.min(n, taints.length) - 1];
	if (!last || n <= taints.length) return last?.earliest;
	// Later tokens come at the pace of the listed ones, unless the zone may be in another state by then.
	const isSteady = coming.isSure && coming.steps.every(({at}) => at.end <= last.earliest);
	const steps = [rate, ...coming.steps.map((step) => step.rate)];
	const gaps = taints.slice(1).map((taint, index) => taint.earliest - (taints[index] ?? taint).earliest);
	const pace = minOf(
		isSteady ? gaps.slice(-1) : gaps,
		second / (isSteady ? (steps.at(-1) ?? rate) : maxOf(steps)),
	);
	return last.earliest + (n - taints.length) * pace;
}
