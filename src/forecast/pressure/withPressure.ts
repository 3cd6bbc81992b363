import {mapBy} from '../../core/collections/mapBy.ts';
import type {Node} from '../../core/model/node.ts';
import {podKey} from '../../core/model/pod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {isSignal, pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import {announcedIn, type ShutdownGroup, shutdownCondition} from '../../core/nodeshutdown/nodeShutdown.ts';
import {never, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast, NodePressure} from '../nodeForecast.ts';
import type {Interval} from '../observe/interval.ts';
import type {PodForecast} from '../podForecast.ts';
import {shutdownRange, shutdownWords} from '../shutdownRange.ts';
import {isUnderPressure} from './observe/pressuredNodes.ts';
import type {PressureEviction, PressureForecast} from './pressureForecast.ts';
import {
	evictedWhen,
	evictionWords,
	isPressing,
	nodeWords,
	placeWords,
	signalWords,
	untilWords,
} from './pressureWords.ts';

/**
 * Adds node-pressure evictions to a forecast. A pod that is threatened by both a taint and its kubelet shows the earlier
 * eviction.
 *
 * @param nodeOf a node as it is now: a forecast of a healthy cluster may be older than its conditions
 */
export function withPressure(
	forecast: Forecast,
	pressure: readonly PressureForecast[],
	nodeOf: (of: NodeForecast) => Node | undefined = ({node}) => node,
): Forecast {
	const byNode = mapBy(pressure, (one) => one.node);
	const evictions = new Map(
		pressure.flatMap((one) =>
			one.evictions.map((eviction) => [podKey(eviction.pod), {eviction, of: one}] as const),
		),
	);
	const changed = forecast.nodes.map((node) =>
		nodeWithPressure(node, nodeOf(node), byNode.get(node.name), forecast),
	);
	// Callers derive much from a list of nodes: an unchanged list stays the same object, so that they do so only once.
	const isSame = changed.every((node, index) => node === forecast.nodes[index]);
	const nodes = isSame ? forecast.nodes : changed;
	const shutdowns = shutdownsIn(nodes, byNode, nodeOf);
	if (evictions.size === 0 && shutdowns.size === 0) return {...forecast, nodes, pressure};
	const pods = forecast.pods.map((pod) => {
		const shutdown = pod.cause?.kind === 'NodeShutdown' ? shutdowns.get(pod.node) : undefined;
		if (shutdown) return podInShutdown(pod, shutdown, forecast);
		const found = evictions.get(podKey(pod));
		return found ? podWithPressure(pod, found.eviction, found.of, forecast) : pod;
	});
	return {...forecast, nodes, pods, pressure};
}

/** A shutdown that a node announces, its periods by configz, and the node's pods. */
type Shutdown = {
	readonly announced: Interval;
	readonly groups: readonly ShutdownGroup[];
	readonly pods: readonly NodePod[];
};

/** The shutdowns with known periods, by node. A kubelet without periods announces none: then its configuration is another. */
function shutdownsIn(
	nodes: readonly NodeForecast[],
	pressure: ReadonlyMap<string, PressureForecast>,
	nodeOf: (of: NodeForecast) => Node | undefined,
): ReadonlyMap<string, Shutdown> {
	return new Map(
		nodes.flatMap((one) => {
			const {shutdown: groups = [], pods = []} = pressure.get(one.name) ?? {};
			const node = groups.length > 0 ? nodeOf(one) : undefined;
			const condition = node && shutdownCondition(node);
			return condition ? [[one.name, {announced: announcedIn(condition), groups, pods}] as const] : [];
		}),
	);
}

/** A pod whose node shuts down, by its kubelet's own periods. */
function podInShutdown(
	pod: PodForecast,
	{announced, groups, pods}: Shutdown,
	{observedAt: now}: Forecast,
): PodForecast {
	const seconds = pods.find(({uid}) => uid === pod.uid)?.terminationGracePeriodSeconds;
	const grace = seconds === undefined ? undefined : seconds * second;
	const range = shutdownRange({priority: pod.priority ?? 0, grace}, announced, groups, now);
	if (!pod.eviction || !range) return pod;
	const others = pod.withoutRepair?.eviction.end ?? never;
	const words = shutdownWords(pod.node);
	return {
		...pod,
		verdict: 'Scheduled',
		eviction: range.until(Math.min(range.end, others)),
		because: pod.because.map((one) => one.replace(words, shutdownWords(pod.node, groups))),
	};
}

function podWithPressure(
	pod: PodForecast,
	eviction: PressureEviction,
	pressure: PressureForecast,
	{observedAt: now}: Forecast,
): PodForecast {
	const because = podWords(eviction, pressure, now);
	const also = {...pod, because: [...pod.because, ...because]};
	if (pod.verdict === 'Terminating' || pod.verdict === 'Overdue') return also;
	const isSureAlready = pod.verdict === 'Scheduled' || pod.verdict === 'Expected' || pod.verdict === 'Held';
	if (isSureAlready && !eviction.isCertain) return also;
	if (pod.eviction && pod.eviction.expected <= eviction.when.expected) return also;
	return {
		...pod,
		verdict: eviction.isCertain ? 'Expected' : 'Unsure',
		eviction: eviction.when,
		cause: {kind: 'NodePressure', signals: eviction.signals},
		held: null,
		because,
	};
}

/** Why a kubelet evicts a pod, one sentence per step. */
function podWords(eviction: PressureEviction, {signals}: PressureForecast, now: number): readonly string[] {
	const ofSignals = signals
		.filter(({signal}) => eviction.signals.includes(signal))
		.flatMap((one) => {
			const [threshold] = one.thresholds.filter(isPressing);
			const victim = one.victims.find(({pod}) => pod.uid === eviction.pod.uid);
			return [
				...(threshold ? [signalWords(one, threshold, now)] : []),
				...(victim ? [`${placeWords(victim, one.victims.length)}: it ${victim.because}`] : []),
			];
		});
	const until = untilWords(eviction, {signals}, now);
	const when = until === '' ? [] : [`it is evicted ${evictedWhen(eviction, {signals}, now)}`];
	const isOfLimit = eviction.signals.some((signal) => !isSignal(signal));
	return [...when, ...ofSignals, ...(isOfLimit ? [eviction.message.trim()] : []), evictionWords(eviction)];
}

function nodeWithPressure(
	node: NodeForecast,
	present: Node | undefined,
	pressure: PressureForecast | undefined,
	{observedAt: now}: Forecast,
): NodeForecast {
	const isPressed = present !== undefined && isUnderPressure(present);
	const [next] = pressure?.evictions ?? [];
	if (!isPressed && !next) return node;
	const found: NodePressure = {
		conditions: present ? pressureConditionsOf(present) : [],
		next: next
			? {
					namespace: next.pod.namespace,
					name: next.pod.name,
					when: next.when,
					isCertain: next.isCertain,
				}
			: null,
	};
	const words = pressure ? nodeWords(pressure, now) : found.conditions.map((name) => `${name} is True`);
	return {...node, pressure: found, because: [...node.because, ...words]};
}
