import {mapBy} from '../../core/collections/mapBy.ts';
import type {Node} from '../../core/model/node.ts';
import {podKey} from '../../core/model/pod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {isSignal, pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import {announcedIn, type ShutdownGroup, shutdownCondition} from '../../core/nodeshutdown/nodeShutdown.ts';
import {second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast, NodePressure} from '../nodeForecast.ts';
import type {Interval} from '../observe/interval.ts';
import {type Coming, type PodForecast, willBeEvicted} from '../podForecast.ts';
import {shutdownRange, shutdownWords} from '../shutdownRange.ts';
import {endingsIn, type Judgement, judged, verdictOf} from '../verdict.ts';
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
		const shutdown = shutdowns.get(pod.node);
		const one = shutdown ? podInShutdown(pod, shutdown, forecast) : pod;
		const found = evictions.get(podKey(pod));
		return found ? podWithPressure(one, found.eviction, found.of, forecast) : one;
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
	const isOfShutdown = ({cause}: Coming) => cause?.kind === 'NodeShutdown';
	const endings = endingsIn(pod);
	if (!range || !endings.some(isOfShutdown)) return pod;
	const known = endings.map(
		(one): Judgement => (isOfShutdown(one) ? {...one, verdict: 'Scheduled', eviction: range} : one),
	);
	const words = shutdownWords(pod.node);
	return {
		...pod,
		...verdictOf(known),
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
	const joined = withKubelet(pod, eviction);
	const isFirst = joined !== pod && joined.cause?.kind === 'NodePressure';
	return {...pod, ...joined, because: isFirst ? because : [...pod.because, ...because]};
}

/** What is not certain changes nothing of a pod that is sure to go, or held. */
export function withKubelet(pod: Judgement, {isCertain, signals, when}: PressureEviction): Judgement {
	if (!isCertain && (willBeEvicted(pod.verdict) || pod.verdict === 'Held')) return pod;
	const cause = {kind: 'NodePressure', signals} as const;
	return verdictOf([pod, judged(isCertain ? 'Expected' : 'Unsure', cause, when)]);
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
