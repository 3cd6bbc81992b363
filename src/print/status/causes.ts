import {compareNames} from '../../core/collections/compareNames.ts';
import {isPodTerminal, podKey} from '../../core/model/pod.ts';
import {hidesNodes} from '../../core/model/problem.ts';
import {type Instant, never} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import type {PendingPod} from '../../forecast/pending.ts';
import {type PodForecast, type PodVerdict, willBeEvicted} from '../../forecast/podForecast.ts';
import {stuckPods} from '../../forecast/stuckPods.ts';
import {count, someOf, taintPace, uncapitalized} from '../../forecast/words.ts';
import {hasTaintsToCome, type ZoneForecast} from '../../forecast/zoneForecast.ts';
import {formatWhenAt} from '../countdown.ts';
import {outcomeWord} from '../legend.ts';
import {calmWords} from '../whyNotYet.ts';

const mostNamed = 5;

/** Shown if nodes cannot be read. */
export const notKnown = 'not known: nodes may not be read';

const namesOf = (nodes: readonly NodeForecast[]): string =>
	someOf(
		nodes.map(({name}) => name),
		mostNamed,
	);

/** How many nodes are affected or late, how many are not ready by zone, and which are under pressure. */
export function nodesText({nodes, zones, problems}: Forecast): string {
	if (problems.some(hidesNodes)) return notKnown;
	const pressed = pressureTexts(nodes);
	const bad = nodes.filter((node) => !isWellNode(node));
	const late = lateText(nodes);
	if (bad.length + late.length + pressed.length === 0) return `all ${nodes.length} are healthy`;
	const ofZones = zones
		.filter(({notReady}) => notReady > 0)
		.map(
			(one) =>
				`zone ${one.zone} is ${one.state.endsWith('Disruption') ? 'in ' : ''}${one.state}, with ${one.notReady} of ${one.size} not ready${slowWords(one)}`,
		);
	const trouble =
		bad.length > 0
			? `${bad.length} of ${nodes.length} in trouble (${namesOf(bad)})`
			: `all ${nodes.length} are ready`;
	return [trouble, ...ofZones, ...(late === '' ? [] : [late]), ...pressed].join('; ');
}

/** `2 late with a renewal (b1, b2)`; empty where none is. */
export function lateText(nodes: readonly NodeForecast[]): string {
	const late = nodes.filter(({verdict}) => verdict === 'Late');
	return late.length > 0 ? `${late.length} late with a renewal (${namesOf(late)})` : '';
}

/**
 * What may come before the eviction that is surely next: a node that waits is tainted, in random order, and some of its pods are
 * evicted at once. Empty if nothing may.
 */
export function mayComeBefore(
	next: PendingPod,
	pending: readonly PodForecast[],
	zones: readonly ZoneForecast[],
	now: Instant,
): string {
	const last = next.eviction.latest ?? never;
	const sooner = pending.filter(({eviction}) => eviction && eviction.earliest < last);
	const zone = zones.find(
		({queue}) => !queue.includes(next.node) && sooner.some(({node}) => queue.includes(node)),
	);
	if (!zone?.nextTaint) return '';
	const which = zone.queue.length === 1 ? '' : ` (one of ${zone.queue.length}, in random order)`;
	return `; pods of the node that zone ${zone.zone} taints next${which} may go first: its taint comes ${formatWhenAt(zone.nextTaint, now)}`;
}

/** Adds the slow rate of a partially disrupted zone in which nodes wait. For a stopped zone, the lines about held pods show it. */
const slowWords = (zone: ZoneForecast): string =>
	zone.state === 'PartialDisruption' && zone.rate > 0 && hasTaintsToCome(zone)
		? `: ${taintPace(zone.rate)}`
		: '';

/** `MemoryPressure on b2 (its kubelet evicts pods by its own rules)`, for each condition that is True on a node. */
export function pressureTexts(nodes: readonly NodeForecast[]): readonly string[] {
	const pressed = nodes.flatMap((node) =>
		(node.pressure?.conditions ?? []).map((condition) => ({node, condition})),
	);
	return [...Map.groupBy(pressed, ({condition}) => condition)].map(([condition, ones]) => {
		const rules =
			ones.length === 1
				? 'its kubelet evicts pods by its own rules'
				: 'their kubelets evict pods by their own rules';
		return `${condition} on ${namesOf(ones.map(({node}) => node))} (${rules})`;
	});
}

/** The number of pods per verdict. */
export function podsText(forecast: Pick<Forecast, 'pods' | 'nodes' | 'pressure' | 'problems'>): string {
	const {pods} = forecast;
	// Pods that have ended are left out: only their objects are deleted.
	const living = pods.filter(({phase}) => !isPodTerminal({phase}));
	const of = (wanted: PodVerdict) => living.filter(({verdict}) => verdict === wanted).length;
	const due = living.filter(({verdict}) => willBeEvicted(verdict)).length;
	const parts = (
		[
			[due, 'will be evicted'],
			[of('Unsure'), 'might be evicted'],
			[of('Held'), 'held'],
			[of('Terminating'), 'Terminating'],
			[of('Stays'), 'stay on nodes in trouble'],
		] as const
	).flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
	return parts.join(', ') || uncapitalized(calmWords(forecast));
}

/** Why pods of affected nodes are not evicted: `9 pods: each tolerates ... forever`. */
export function staysTexts({pods}: Pick<Forecast, 'pods'>): readonly string[] {
	const stays = pods.filter(({verdict}) => verdict === 'Stays');
	const groups = Map.groupBy(stays, ({because: [first = '']}) => first);
	return [...groups].flatMap(([reason, {length}]) =>
		reason === ''
			? []
			: [
					`${count(length, 'pod')}: ${length > 1 ? reason.replace(/^it tolerates/, 'each tolerates') : reason}`,
				],
	);
}

const unreplaced = {
	Lost: 'nothing makes another pod',
	Blocked: 'no other pod is made until the old one is gone',
	StuckTerminating: 'Terminating until the node is back',
	Pending: 'another pod is made, but no node takes it',
} as const;

/** The pods that are or will be evicted and are not replaced, with the reason: `shop/import: nothing makes another pod`. */
export function unreplacedTexts({pods}: Pick<Forecast, 'pods'>): readonly string[] {
	const evicted = pods.filter(({verdict}) => verdict === 'Terminating' || willBeEvicted(verdict));
	return Object.entries(unreplaced).flatMap(([outcome, words]) => {
		// The line about stuck pods names those that are Terminating already.
		const of = evicted.filter(
			({after, verdict}) =>
				outcomeWord(after ?? null) === outcome &&
				(outcome !== 'StuckTerminating' || verdict !== 'Terminating'),
		);
		return of.length === 0 ? [] : [`${someOf(of.map(podKey))}: ${words}`];
	});
}

/** The pods that stay Terminating, why, and what ends that; empty if there are none. */
export function stuckText(forecast: Pick<Forecast, 'pods' | 'nodes'>): string {
	const stuck = stuckPods(forecast);
	if (stuck.length === 0) return '';
	const nodes = someOf([...new Set(stuck.map(({node}) => node))].toSorted(compareNames), mostNamed);
	return `${count(stuck.length, 'pod')} Terminating on ${nodes}, ${untilEnded}`;
}

/** How long a pod of a dead node stays Terminating. */
export const untilEnded =
	'until the kubelet is back, the Node object is deleted, the node is tainted out-of-service, or the pod is deleted by force';
