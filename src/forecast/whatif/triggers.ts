import {ascending} from '../../core/collections/ascending.ts';
import {compareNames} from '../../core/collections/compareNames.ts';
import {unique} from '../../core/collections/unique.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {Pausable} from '../pausable.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Range} from '../range.ts';
import type {Change, ChangeKind} from '../simulate/change.ts';
import {someOf} from '../words.ts';
import type {ZoneForecast} from '../zoneForecast.ts';
import {releasedBy} from './podsInDanger.ts';
import type {Ask} from './remedy.ts';
import type {PodChange} from './whatIf.ts';

/** An event that would release held evictions, or stop others, and its effects. */
export type Trigger = Readonly<{
	change: readonly Change[];
	/** In words: `a1 recovers`. */
	what: string;
	/** The effects on pods of all zones, including unaffected pods. */
	pods: readonly PodChange[];
	/** Nodes lost by it whose pods are unknown, and so not counted. */
	unread: readonly string[];
}>;

/** A zone whose evictions are held, and the events that would change that. */
export type HeldZone = {readonly zone: string; readonly by: string; readonly triggers: readonly Trigger[]};

/** The nodes of a zone that are down and those that are not, by name. */
type ZoneNodes = Readonly<{
	down: readonly string[];
	up: readonly string[];
	/** Nodes whose return is simulated, each by itself: also nodes of other zones, if that releases this one. */
	returning: readonly string[];
	/** Those of `up` whose pods are unknown. */
	unread?: readonly string[];
}>;

/**
 * The zones with held pods whose triggers are shown: zones of the wanted pods, which may not be held themselves, as what
 * saves a wanted pod may release others.
 *
 * @param isAsked undefined stands for all pods
 */
export function zonesHolding(
	{zones, pods}: Pick<Forecast, 'zones' | 'pods'>,
	isAsked: (pod: PodForecast) => boolean = () => true,
): readonly ZoneForecast[] {
	const held = pods.filter(({verdict}) => verdict === 'Held');
	const asked = pods.filter((pod) => pod.verdict !== 'Safe' && pod.verdict !== 'Stays' && isAsked(pod));
	const ofAsked = new Set(asked.map(({zone}) => zone));
	const holding = new Set(held.map(({zone}) => zone));
	// If all zones are down, any node that comes back releases all of them.
	const isShown = ({zone, stopped}: ZoneForecast) =>
		holding.has(zone) || (held.length > 0 && stopped?.kind === 'AllZonesDown');
	return zones.filter((zone) => ofAsked.has(zone.zone) && isShown(zone));
}

/**
 * Simulates what may happen next to zones whose pods are held: nodes that come back, the best of them first; one more that is
 * lost; new controllers.
 */
export function* triggersOf(
	zones: readonly ZoneForecast[],
	pods: Forecast['pods'],
	nodesOf: (zone: string) => ZoneNodes,
	now: Instant,
	ask: Ask,
): Pausable<readonly HeldZone[]> {
	const held = Map.groupBy(
		pods.filter(({verdict}) => verdict === 'Held'),
		({zone}) => zone,
	);
	const found: HeldZone[] = [];
	// An event that releases several zones is simulated once.
	const played = new Map<string, Trigger>();
	for (const zone of zones) {
		const [pod] = held.get(zone.zone) ?? [];
		const triggers: Trigger[] = [];
		const nodes = nodesOf(zone.zone);
		for (const {what, kinds} of candidatesOf(zone, nodes)) {
			let trigger = played.get(what);
			if (!trigger) {
				const change = kinds.map((kind): Change => ({at: now, ...kind}));
				const isLost = (name: string) => kinds.some((kind) => kind.type === 'nodeDown' && kind.node === name);
				// A node that comes back may release other zones than its own.
				const {pods: changed} = yield* ask(change);
				trigger = {change, what, pods: changed, unread: (nodes.unread ?? []).filter(isLost)};
				played.set(what, trigger);
			}
			triggers.push(trigger);
		}
		found.push({
			zone: zone.zone,
			by: pod?.held?.by ?? zone.stopped?.by ?? 'no node gets the NoExecute taint',
			triggers: triggers.toSorted(bestFirst),
		});
	}
	return found;
}

/** Returns of one node come first, those that save most at the top. */
export const bestFirst = (a: Trigger, b: Trigger): number =>
	Number(isReturn(b)) - Number(isReturn(a)) || (isReturn(a) ? gain(b) - gain(a) : 0);

/** The pods that are evicted by it, and would not be otherwise. */
export const addedBy = ({pods}: Trigger): readonly PodForecast[] =>
	pods.flatMap(({effect, after}) => (effect === 'added' ? after : []));

/** The eviction that may come first; null if there is none. */
export const firstOf = (pods: readonly PodForecast[]): Range | null =>
	pods.flatMap(({eviction}) => eviction ?? []).toSorted(ascending(({earliest}) => earliest))[0] ?? null;

/** The price of a node's return: the held pods that it lets be evicted, or might; undefined if it was not simulated. */
export function priceOfReturn(node: string, triggers: readonly Trigger[]) {
	const played = triggers.find(
		(trigger) =>
			isReturn(trigger) && trigger.change.some((one) => one.type === 'nodeBack' && one.node === node),
	);
	return played && releasedBy(played.pods);
}

const isReturn = ({change: [first, ...more]}: Trigger) => more.length === 0 && first?.type === 'nodeBack';

/** How many more pods it saves than it adds to the evicted ones. */
const gain = (trigger: Trigger): number =>
	trigger.pods.filter(
		({before, after}) =>
			(before.verdict === 'Held' || before.eviction !== null) &&
			after.verdict !== 'Held' &&
			after.eviction === null,
	).length - addedBy(trigger).length;

type Candidate = {readonly what: string; readonly kinds: readonly ChangeKind[]};

function candidatesOf({toNextState}: ZoneForecast, {down, up, returning}: ZoneNodes): readonly Candidate[] {
	const named = (nodes: readonly string[]) => someOf(nodes.toSorted(compareNames));
	const back = (nodes: readonly string[]): Candidate => ({
		what: `${named(nodes)} ${nodes.length === 1 ? 'recovers' : 'recover'}`,
		kinds: nodes.map((node) => ({type: 'nodeBack', node})),
	});
	const lost = (nodes: readonly string[]): Candidate => ({
		what: `${named(nodes)} ${nodes.length === 1 ? 'fails' : 'fail'} too`,
		kinds: nodes.map((node) => ({type: 'nodeDown', node})),
	});
	const bestDown = unique([...returning, ...down]).filter((node) => down.includes(node));
	const returns = toNextState.flatMap(({nodesBack}) => nodesBack ?? []).filter((count) => count > 1);
	const losses = new Set([1, ...toNextState.flatMap(({nodesDown}) => nodesDown ?? [])]);
	return [
		...returning.map((node) => back([node])),
		...unique(returns)
			.filter((count) => count <= down.length)
			.map((count) => back(bestDown.slice(0, count))),
		...[...losses].filter((count) => count <= up.length).map((count) => lost(up.slice(0, count))),
		{what: 'a new controller manager starts', kinds: [{type: 'controllersStart'}]},
	];
}
