import {ascending} from '../core/collections/ascending.ts';
import {compareNames} from '../core/collections/compareNames.ts';
import {compareValues} from '../core/collections/compareValues.ts';
import {grouped} from '../core/collections/grouped.ts';
import {unique} from '../core/collections/unique.ts';
import {nameOf} from '../core/model/objectName.ts';
import {isPodTerminal} from '../core/model/pod.ts';
import {hidesEvictions, hidesPods, hidesSilence, letsFlap, type Problem} from '../core/model/problem.ts';
import type {Instant} from '../core/time/instant.ts';
import {formatDuration} from '../dates/duration.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {pendingOf} from '../forecast/pending.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {PressureForecast} from '../forecast/pressure/pressureForecast.ts';
import {pressedOf} from '../forecast/pressure/pressureWords.ts';
import {assumedWords, clockTime, count, joined, onePer, someOf, whenWords} from '../forecast/words.ts';

/** Why nothing is evicted yet from late or silent nodes: what happens to the first, and the names of the others; empty if there are none. */
export function lateWords(forecast: Forecast, grace: string): string {
	const {pods, observedAt} = forecast;
	const [first, ...others] = lateNodes(forecast);
	if (!first) return '';
	const {name, lastRenewal, unknown, isUntold} = first;
	const silence =
		lastRenewal === null
			? `${name} is not heard`
			: `${name} last renewed its lease ${formatDuration(observedAt - lastRenewal)} ago`;
	const own = pods.filter(({node, cause}) => node === name && cause?.kind === 'Taint');
	const then =
		unknown && !isUntold
			? `. If it stays silent, it turns Unknown ${whenWords(unknown, observedAt)} (the first monitor pass after the grace period of ${grace})${thenWords(name, own)}`
			: '';
	const names = someOf(others.map(nameOf));
	const also = names === '' ? '' : `. ${names} ${others.length === 1 ? 'follows' : 'follow'} in the same way`;
	return `${silence}${then}${also}`;
}

/** The pod that might be evicted first. */
export const firstUnsure = (pods: readonly PodForecast[]): PodForecast | undefined => {
	const unsure = pods.flatMap((pod) =>
		pod.verdict === 'Unsure' && pod.eviction ? [{pod, when: pod.eviction}] : [],
	);
	// A kubelet evicts pods in sequence, and none of them may have an upper bound.
	const [first] = unsure.toSorted(
		({when: a}, {when: b}) => a.earliest - b.earliest || a.expected - b.expected,
	);
	return first?.pod ?? pods.find(({verdict}) => verdict === 'Unsure');
};

/** The late and silent nodes that are not Unknown yet, in their order, but before all the one whose pod is, or might be, evicted first. */
export function lateNodes({nodes, pods}: Forecast): readonly NodeForecast[] {
	const late = nodes.filter(
		({verdict, ready}) => verdict === 'Late' || (verdict === 'Silent' && ready === 'True'),
	);
	const names = new Set(late.map(nameOf));
	const own = pods.filter(({node, cause}) => names.has(node) && cause?.kind === 'Taint');
	const [soonest] = pendingOf(own).toSorted(ascending(({eviction}) => eviction.earliest));
	const next = soonest ?? firstUnsure(own);
	return late.toSorted((a, b) => Number(b.name === next?.node) - Number(a.name === next?.node));
}

/**
 * The pods of tainted nodes that are not evicted yet, by their toleration: `5 pods of b1, b2 have a running countdown:
 * 2 of 60s, 3 of 300s (tolerationSeconds)`; empty if no countdown runs.
 */
export function toleratedWords(forecast: Forecast): string {
	const groups = countdownsOf(forecast);
	const number = groups.reduce((sum, {pods}) => sum + pods, 0);
	if (number === 0) return '';
	const parts = groups.map(({seconds, pods}) => `${pods} of ${seconds}s`);
	const how = groups.length === 1 ? ` of ${groups[0]?.seconds}s` : `: ${someOf(parts, 6)}`;
	const names = unique(groups.flatMap(({nodes}) => nodes)).toSorted(compareNames);
	const nodes = names.length > 6 ? `${names.length} nodes (${someOf(names)})` : names.join(', ');
	const verb = number === 1 ? 'has' : 'have';
	return `${count(number, 'pod')} of ${nodes} ${verb} a running countdown${how} (tolerationSeconds)`;
}

/** The countdowns that run on tainted nodes, by their length. */
export function countdownsOf({pods}: Forecast) {
	const tolerating = pods.flatMap(({verdict, cause, phase, node}) => {
		const seconds = cause?.kind === 'Taint' ? (cause.tolerationSeconds ?? 0) : 0;
		return verdict === 'Scheduled' && seconds > 0 && !isPodTerminal({phase}) ? [{seconds, node}] : [];
	});
	return grouped(tolerating, ({seconds}) => seconds)
		.toSorted(([a], [b]) => a - b)
		.map(([seconds, ones]) => ({
			seconds,
			pods: ones.length,
			nodes: unique(ones.map(({node}) => node)).toSorted(compareNames),
		}));
}

/**
 * The Unknown or NotReady nodes that wait for their taint: `b1 waits for its taint, which comes between ... and ... (zone
 * eu/b: one node every 10s)`.
 */
export function queuedWords(forecast: Forecast): string {
	const {zones, observedAt: now} = forecast;
	const queued = queuedNodes(forecast);
	const [first] = queued;
	if (!first) return '';
	const names = someOf(queued.map(nameOf));
	const one = queued.length === 1;
	// Until 1.26 nodes may be evicted without a taint.
	const [what, at] = first.eviction === undefined ? ['taint', first.noExecute] : ['eviction', first.eviction];
	const when = one && at ? `, which ${at.latest === null ? 'may come' : 'comes'} ${whenWords(at, now)}` : '';
	const [zone, ...others] = unique(queued.map((node) => node.zone));
	const of = others.length === 0 ? zones.find((known) => known.zone === zone) : undefined;
	const pace = of && of.rate > 0 ? ` (zone ${zone}: ${onePer(of.rate)}${assumedWords(of)})` : '';
	return `${names} ${one ? 'waits' : 'wait'} for ${one ? 'its' : 'their'} ${what}${when}${pace}`;
}

/** The nodes that wait for their taint. */
export const queuedNodes = ({nodes}: Forecast) =>
	nodes.filter(({verdict, taints}) => verdict === 'Queued' && taints.length === 0);

/** `. It is tainted when its turn in its zone comes; pods of b1 are evicted 30s or 300s after that`; `may be` if not all are certain; or that all are held. */
function thenWords(node: string, pods: readonly PodForecast[]): string {
	const tolerated = pods.map(({cause}) => cause?.tolerationSeconds ?? 0);
	const seconds = unique(tolerated).toSorted(compareValues);
	const [first] = seconds;
	if (first === undefined) return '';
	if (pods.every(({verdict}) => verdict === 'Held')) return '. Its pods are held then';
	const isSure = pods.every(({verdict}) => verdict === 'Expected' || verdict === 'Scheduled');
	const then = `. It is tainted when its turn in its zone comes; pods of ${node} ${isSure ? 'are' : 'may be'} evicted`;
	if (first > 0) return `${then} ${listed(seconds)} after that`;
	return seconds.length === 1
		? `${then} at once`
		: `${then} at once, or ${listed(seconds.slice(1))} after that`;
}

/** `30s, 60s or 300s`. */
const listed = (seconds: readonly number[]) =>
	joined(
		seconds.map((one) => `${one}s`),
		'or',
	);

/**
 * `No eviction is certain, but some are possible: b2 is late`; empty if no node is late or under pressure.
 *
 * @param where `in shop namespace`; empty for everywhere
 */
export function mightFollow(
	nodes: readonly Pick<NodeForecast, 'name' | 'verdict' | 'pressure'>[],
	where = '',
): string {
	// The losses of silent nodes are predicted, so only late nodes can bring further ones.
	const late = nodes.flatMap(({name, verdict}) => (verdict === 'Late' ? name : []));
	const lateness = late.length === 0 ? [] : [`${someOf(late)} ${late.length === 1 ? 'is' : 'are'} late`];
	const pressed = nodes.flatMap(({name, pressure}) =>
		(pressure?.conditions ?? []).map((condition) => `${name} has ${condition}`),
	);
	return possibleText([...lateness, ...pressed], where);
}

/** The same for nodes under pressure only. */
export const pressureMightFollow = (pressed: readonly PressureForecast[]) =>
	possibleText(pressed.flatMap((one) => pressedOf(one).map((condition) => `${one.node} has ${condition}`)));

/** `No eviction is certain, but some are possible`, with the reasons; empty if there are none. */
export function possibleText(reasons: readonly string[], where = ''): string {
	if (reasons.length === 0) return '';
	const place = where === '' ? '' : ` ${where}`;
	return `No eviction is certain${place}, but some are possible: ${someOf(reasons)}`;
}

/** How certain it is that no further eviction comes, for when no pod has an eviction pending, held or possible. */
type Calm = {
	/** Evictions are `possible` if a node is late or under pressure, `unknown` if not all pods and nodes can be read. */
	readonly evictions: 'none' | 'possible' | 'unknown';
	readonly text: string;
};

export function calmOf({nodes, problems}: Pick<Forecast, 'nodes' | 'problems'>): Calm {
	const flaps = problems.some(letsFlap) ? possibleText(['nodes that are well flap']) : '';
	const possible = mightFollow(nodes) || flaps;
	if (possible !== '') return {evictions: 'possible', text: possible};
	return {evictions: problems.some(hidesEvictions) ? 'unknown' : 'none', text: noneWords(problems)};
}

/** The same, and which kubelets were not queried. */
export function calmWords(forecast: Pick<Forecast, 'nodes' | 'pressure' | 'problems'>): string {
	const {evictions, text} = calmOf(forecast);
	return evictions === 'possible' ? text : `${text}${unaskedWords(forecast)}`;
}

/** That no eviction comes, or that too little is seen to tell. */
export function noneWords(problems: readonly Problem[]): string {
	if (problems.some(hidesPods)) return 'No evictions known: not all pods and nodes can be read';
	return problems.some(hidesSilence)
		? 'As leases are not seen, no evictions are known'
		: 'No evictions expected';
}

/** `; memory and disk of 13 nodes were not queried`: kubelets are queried only once a node has a pressure condition. Empty if all were. */
export function unaskedWords(forecast: Pick<Forecast, 'nodes' | 'pressure'>): string {
	const {length} = unaskedNodes(forecast);
	return length === 0 ? '' : `; memory and disk of ${count(length, 'node')} were not queried`;
}

/** The ready nodes whose kubelets have not reported their resources. */
export function unaskedNodes({
	nodes,
	pressure = [],
}: Pick<Forecast, 'nodes' | 'pressure'>): Forecast['nodes'] {
	const asked = new Set(pressure.flatMap(({node, observedAt}) => (observedAt === null ? [] : node)));
	return nodes.filter(({name, ready}) => ready === 'True' && !asked.has(name));
}

/** States that new controllers took over during an outage, which restarts all countdowns. */
export const takeoverWords = (at: Instant, now: Instant) =>
	`A controller manager took over at ${clockTime(at, now)}: every grace period and every countdown began again`;
