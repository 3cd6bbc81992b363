import type {Instant} from '../../core/time/instant.ts';
import {newlyInDanger} from '../../forecast/whatif/podsInDanger.ts';
import {count, paceVerb, someOf, taintPace} from '../../forecast/words.ts';
import {rateAhead, type ZoneForecast} from '../../forecast/zoneForecast.ts';
import type {LossStep} from '../../impact/moreLosses.ts';
import {type NextLoss, resumes} from '../../impact/nextLoss.ts';
import type {StatusJson} from '../contract/status.ts';
import {newlyAtZero, podChangesText, zeroChangesText, zoneChangesText} from '../whatif/whatIfAnswer.ts';
import {workloadJson} from '../whatif/whatIfJson.ts';

/**
 * The effect of losing one more worker node: on pods and workloads if its pods were read, and on its zone.
 *
 * @param namespace shows only pods and workloads of this namespace; the node is chosen by all
 */
export function nextLossLines(
	found: NextLoss | undefined,
	now: Instant,
	namespace?: string,
): readonly string[] {
	if (!found) return ['no worker node is ready and renewing its lease'];
	const {node, losses, impact, isExample} = found;
	const start = `${isExample ? 'for example, ' : ''}if ${node} of zone ${losses.zone} fails${whyWords(found, namespace)}:`;
	if (impact) {
		const changes = zoneChangesText(impact.zones, now);
		return [
			start,
			podChangesText(impact.pods, now),
			zeroChangesText(impact.workloads, now),
			...(changes === '' ? unchangedZones(node, losses) : [changes]),
			...lastElsewhereTexts(found, namespace),
		];
	}
	const [first] = losses.steps;
	const rate = first?.nodes === 1 ? first.rate : losses.rate;
	const pods = rate > 0 ? 'its pods are evicted' : 'its pods are held, not evicted';
	const zone = first?.nodes === 1 ? [stateWords(first, losses)] : unchangedZones(node, losses);
	return [start, pods, ...zone, ...lastElsewhereTexts(found, namespace)];
}

/** Whether the loss of the chosen node takes workloads to zero. */
const takesToZero = ({last, impact}: NextLoss): boolean =>
	last > 0 || (impact !== undefined && newlyAtZero(impact.workloads).length > 0);

/** The other nodes whose loss takes workloads to zero. */
function lastElsewhereTexts(found: NextLoss, namespace: string | undefined): readonly string[] {
	const {lastElsewhere} = found;
	const [other] = lastElsewhere;
	if (other && takesToZero(found)) {
		const names = someOf(lastElsewhere.map(({node}) => node));
		return [
			`${names} ${lastElsewhere.length === 1 ? 'runs' : 'run'} the last ready pods of other workloads, too`,
		];
	}
	return other
		? [
				`if ${other.node} of zone ${other.zone} fails instead: ${workloadCount(other.last, namespace)} ${other.last === 1 ? 'reaches' : 'reach'} zero (${other.last === 1 ? 'its' : 'their'} last ready pods run on it)`,
			]
		: [];
}

const workloadCount = (number: number, namespace: string | undefined): string =>
	`${count(number, 'workload')}${namespace === undefined ? '' : ' of any namespace'}`;

/** Why this node was chosen. */
function whyWords({losses, last}: NextLoss, namespace: string | undefined): string {
	if (resumes(losses)) return ' (then its zone evicts again)';
	if (last > 0) return ` (the last ready pods of ${workloadCount(last, namespace)} run on it)`;
	return losses.steps.length > 0 ? ' (its zone is nearest to a change of state)' : '';
}

/** Other zones than the chosen node's in which any further loss stops evictions or changes their rate. */
export function nearZonesLines(zones: readonly ZoneForecast[], named: string | undefined): readonly string[] {
	const near = zones.flatMap((zone) => {
		const step = zone.toNextState.find(({nodesDown}) => nodesDown === 1);
		const before = rateAhead(zone);
		return step && step.rate !== before && zone.zone !== named
			? [
					{
						name: zone.zone,
						words: `${paceVerb(before, step.rate)} (${step.state})${step.rate === 0 ? '; running countdowns go on' : ''}`,
					},
				]
			: [];
	});
	return [...Map.groupBy(near, ({words}) => words)].map(([words, ones]) => {
		const names = ones.map(({name}) => name);
		return `if one more node of zone ${someOf(names)} fails: evictions there ${words}`;
	});
}

/** No zone changes: whether the zone evicts, and how many more losses would change it. */
function unchangedZones(node: string, {zone, rate, steps}: NextLoss['losses']): readonly string[] {
	const next = steps.find(({nodes}) => nodes > 1);
	const evictions = `evictions in zone ${zone} ${paceVerb(rate, rate)}`;
	return [
		`no zone changes its state; ${evictions}`,
		...(next
			? [`if ${node} and ${next.nodes - 1} more of zone ${zone} fail: ${stateWords(next, {zone, rate})}`]
			: []),
	];
}

const stateWords = ({state, rate}: LossStep, before: Pick<NextLoss['losses'], 'zone' | 'rate'>): string =>
	`evictions in zone ${before.zone} ${paceWords(state, rate, before.rate)}`;

function paceWords(state: LossStep['state'], rate: number, before: number): string {
	const change = `${paceVerb(before, rate)} (${state})`;
	return rate === 0 ? change : `${change}: ${taintPace(rate)}`;
}

/** As JSON. */
export function nextLossJson(found: NextLoss): StatusJson['oneMoreNode'] {
	const {node, losses, impact} = found;
	const {zone} = losses;
	const [other] = takesToZero(found) ? [] : found.lastElsewhere;
	const toZero = other && {toZeroInstead: {node: other.node, zone: other.zone, workloads: other.last}};
	if (!impact) return {node, zone, impact: null, ...toZero};
	const {sure, unsure, held} = newlyInDanger(impact.pods);
	const pods = {evicted: sure.length, unsure: unsure.length, held: held.length};
	const reachZero = newlyAtZero(impact.workloads).map(({after}) => workloadJson(after));
	return {node, zone, impact: {pods, reachZero}, ...toZero};
}
