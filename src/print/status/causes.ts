import {compareNames} from '../../core/collections/compareNames.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {hidesNodes, hidesSilence, letsFlap, type Problem} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';
import {EvictionCounts, soon} from '../../forecast/evictionCounts.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import {comingOf, isPending, livingOf} from '../../forecast/pending.ts';
import {untilGone} from '../../forecast/podEnd.ts';
import {type PodVerdict, willBeEvicted} from '../../forecast/podForecast.ts';
import {silentFinder} from '../../forecast/silentNodes.ts';
import {type StuckPod, stuckPods} from '../../forecast/stuckPods.ts';
import {
	clockTime,
	count,
	counted,
	linked,
	numberWords,
	paceVerb,
	someOf,
	stateVerb,
	taintPace,
	uncapitalized,
} from '../../forecast/words.ts';
import {hasTaintsToCome, isAllDown, type ZoneForecast, type ZoneStep} from '../../forecast/zoneForecast.ts';
import {formatWhenAt} from '../countdown.ts';
import {outcomeWord} from '../legend.ts';
import {toleratedForEver} from '../tables/podKind.ts';
import {calmWords} from '../whyNotYet.ts';

const mostNamed = 5;

/** Shown if nodes cannot be read. */
export const notKnown = 'not known: nodes may not be read';

const namesOf = (nodes: readonly NodeForecast[]) => someOf(nodes.map(nameOf), mostNamed);

/** How many nodes are affected or late, how many are not ready by zone, and which are under pressure. */
export function nodesText({nodes, zones, problems}: Forecast): string {
	if (problems.some(hidesNodes)) return notKnown;
	const pressed = pressureTexts(nodes);
	const bad = nodes.filter((node) => !isWellNode(node));
	const late = lateText(nodes);
	if (bad.length + late.length + pressed.length === 0)
		return `all ${nodes.length} are ${wellWords(problems)}`;
	const ofZones = zones
		.filter(({notReady}) => notReady > 0)
		.map(
			(one) =>
				`zone ${one.zone} ${stateVerb(one)} ${one.state.endsWith('Disruption') ? 'in ' : ''}${one.state}, with ${one.notReady} of ${one.size} not ready${slowWords(one)}`,
		);
	const trouble =
		bad.length > 0
			? `${bad.length} of ${nodes.length} in trouble (${namesOf(bad)})`
			: `all ${nodes.length} are ready`;
	return linked('; ', trouble, ...ofZones, late, ...pressed);
}

function wellWords(problems: readonly Problem[]): string {
	if (problems.some(hidesSilence))
		return 'ready; which of them are silent is not known: there are no leases to see';
	return problems.some(letsFlap) ? 'ready, but flap: their grace period is too short' : 'healthy';
}

/** `2 late with a renewal (b1, b2)`; empty where none is. */
export function lateText(nodes: readonly NodeForecast[]): string {
	const late = nodes.filter(({verdict}) => verdict === 'Late');
	return counted(late.length, `late with a renewal (${namesOf(late)})`);
}

/** Adds the slow rate of a partially disrupted zone in which nodes wait. For a stopped zone, the lines about held pods show it. */
const slowWords = (zone: ZoneForecast) =>
	zone.state === 'PartialDisruption' && zone.rate > 0 && hasTaintsToCome(zone) ? `: ${taintPace(zone)}` : '';

/** `MemoryPressure on b2 (its kubelet evicts pods by its own rules)`, for each condition that is True on a node. */
export function pressureTexts(nodes: readonly NodeForecast[]): readonly string[] {
	const pressed = nodes.flatMap((node) =>
		(node.pressure?.conditions ?? []).map((condition) => ({node, condition})),
	);
	return grouped(pressed, ({condition}) => condition).map(([condition, ones]) => {
		const rules =
			ones.length === 1
				? 'its kubelet evicts pods by its own rules'
				: 'their kubelets evict pods by their own rules';
		return `${condition} on ${namesOf(ones.map(({node}) => node))} (${rules})`;
	});
}

/** The number of pods per verdict. @param when what is known of the time of those that will be evicted, as an addition */
export function podsText(
	forecast: Pick<Forecast, 'pods' | 'nodes' | 'pressure' | 'problems'>,
	when = '',
): string {
	const {pods} = forecast;
	const living = livingOf(pods);
	const pending = pods.filter(isPending);
	const of = (wanted: PodVerdict) => living.filter(({verdict}) => verdict === wanted).length;
	const [all, due] = [pending.length, livingOf(pending).length];
	const overdue = of('Overdue') > 0 ? ` (${of('Overdue')} overdue)` : '';
	const told = linked(
		', ',
		counted(due, `will be evicted${overdue}${when}`),
		counted(of('Unsure'), 'might be evicted'),
		counted(of('Held'), 'held'),
		counted(of('Terminating'), 'Terminating'),
		counted(of('Stays'), 'stay on nodes in trouble'),
		counted(all - due, 'that have ended will be deleted (only their objects are left)'),
	);
	return told || uncapitalized(calmWords(forecast));
}

/** How many of the evictions come soon, and when half of them have come; empty if half do soon. */
export function soonWords(forecast: Forecast): string {
	const {observedAt: now} = forecast;
	const counts = new EvictionCounts(comingOf(livingOf(forecast.pods)), forecast);
	const half = counts.half();
	if (half === undefined || half <= now + soon) return '';
	return ` (${numberWords(counts.by(now + soon))} within 5 min, half by ${clockTime(half, now)})`;
}

/** Why pods of affected nodes are not evicted: `9 pods: each tolerates ... forever`. */
export function staysTexts({pods}: Forecast): readonly string[] {
	const stays = pods.filter(({verdict, because}) => verdict === 'Stays' && because.length > 0);
	const groups = grouped(stays, ({because: [first = '']}) => first);
	return groups.map(([reason, alike]) => {
		const taints = alike.length > 1 ? toleratedForEver(alike[0]) : undefined;
		const why = taints === undefined ? reason : `each tolerates ${taints} forever`;
		return `${count(alike.length, 'pod')}: ${why}`;
	});
}

const unreplaced = {
	Lost: 'nothing makes another pod',
	Blocked: 'no other pod is made for now (explain tells what it waits for)',
	StuckTerminating: 'Terminating until the node is back',
	Pending: 'another pod is made, but no node takes it',
} as const;

/** The pods that are or will be evicted and are not replaced, with the reason: `shop/import: nothing makes another pod`. */
export function unreplacedTexts({pods}: Forecast): readonly string[] {
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

/** The pods that stay Terminating, where, and what ends that; empty if there are none. */
export const stuckText = (forecast: Forecast) =>
	stuckTexts(stuckPods(forecast), (stuck) => {
		const nodes = unique(stuck.map(({pod}) => pod.node)).toSorted(compareNames);
		return `on ${someOf(nodes, mostNamed)}`;
	}).join('; ');

/** One text for pods with the same end: `3 pods Terminating on b1, until the kubelet is back, ...`. */
export const stuckTexts = (stuck: readonly StuckPod[], namesOf: (stuck: readonly StuckPod[]) => string) =>
	grouped(stuck, ({end}) => untilGone(end)).map(
		([until, ones]) => `${count(ones.length, 'pod')} Terminating ${namesOf(ones)}, ${until}`,
	);

/** The zones that stop evictions or change their rate as their silent nodes become Unknown. */
export const comingZonesTexts = (forecast: Forecast, now: Instant) => {
	const silentIn = silentFinder(forecast);
	return forecast.zones.flatMap((zone) => comingText(zone, silentIn, now));
};

/** `stop (PartialDisruption)`, `stop (every zone is down)`. */
const turnWords = ({state, rate}: ZoneStep, before: number) =>
	`${paceVerb(before, rate)} (${isAllDown({state, rate}) ? 'every zone is down' : state})`;

/** `when b3 turns Unknown, evictions in zone eu/b stop (...) in 8s-15s; then its pods are held, unless it is tainted before`. */
function comingText(
	zone: ZoneForecast,
	silentIn: ReturnType<typeof silentFinder>,
	now: Instant,
): readonly string[] {
	const {steps, isSure} = zone.coming;
	const turns = steps.flatMap((step, index) => {
		const before = (steps[index - 1] ?? zone).rate;
		return step.rate === before ? [] : `${turnWords(step, before)} ${formatWhenAt(step.at, now)}`;
	});
	if (turns.length === 0) return [];
	const {silent, isHeld, mayGo} = silentIn(zone);
	const one = silent.length === 1;
	const unless = mayGo ? `, unless ${one ? 'it is' : 'they are'} tainted before` : '';
	const held = isHeld ? `; then ${one ? 'its' : 'their'} pods are held${unless}` : '';
	// A zone may pass through a state between two passes, or not.
	const doubt = isSure ? '' : 'may ';
	return [
		`when ${someOf(silent)} ${one ? 'turns' : 'turn'} Unknown, evictions in zone ${zone.zone} ${doubt}${turns.join(', then ')}${held}`,
	];
}
