import {grouped} from '../../core/collections/grouped.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {type NodeForecast, seemsHealthy} from '../../forecast/nodeForecast.ts';
import {newlyInDanger} from '../../forecast/whatif/podsInDanger.ts';
import type {PodChange} from '../../forecast/whatif/whatIf.ts';
import {changeVerb, count, paceVerb, someOf, taintPace} from '../../forecast/words.ts';
import {rateAhead} from '../../forecast/zoneForecast.ts';
import type {LossStep} from '../../impact/moreLosses.ts';
import {type NextLoss, resumes} from '../../impact/nextLoss.ts';
import {newlyAtZero, newlyBelowBudget, type WorkloadChange} from '../../impact/whatIfImpact.ts';
import type {StatusJson} from '../contract/status.ts';
import {podChangesText, zeroChangesText, zoneChangesText} from '../whatif/whatIfAnswer.ts';
import {namesOf} from '../workloads.ts';

/** The effect of losing one more worker node: on pods and workloads if its pods were read, and on its zone. */
export function nextLossLines(found: NextLoss | undefined, now: Instant): readonly string[] {
	if (!found) return ['no worker node is ready and renewing its lease'];
	const {node, losses, impact, isExample} = found;
	const start = `${isExample ? 'for example, ' : ''}if ${node} of zone ${losses.zone} fails${whyWords(found)}:`;
	const [first] = losses.steps;
	const next = first?.nodes === 1 ? first : undefined;
	const changes = impact ? zoneChangesText(impact.zones, now) : next ? stateWords(next, losses) : '';
	const effects = impact
		? [
				podChangesText(impact.pods, now),
				zeroChangesText(impact.workloads, now),
				...belowBudgetTexts(impact.workloads),
			]
		: losses.isUntold
			? ['what comes of its pods is not told']
			: [
					`its pods ${next?.isAssumed ? 'may be' : 'are'} ${(next ?? losses).rate > 0 ? 'evicted' : 'held, not evicted'}`,
				];
	const later = changes === '' ? laterLossTexts(node, losses) : [];
	const ofZone = changes || (losses.isUntold ? [] : noZoneChanges(losses));
	const items = [effects, ofZone].flat().map(asItem);
	return [start, ...items, ...later, ...lastElsewhereTexts(found)];
}

const asItem = (text: string) => `- ${text}`;

/** The workloads that fall below their budget by the changes, without reaching zero. */
function belowBudgetTexts(workloads: readonly WorkloadChange[]): readonly string[] {
	const below = newlyBelowBudget(workloads);
	return below.length === 0 ? [] : [`below their budget because of this: ${namesOf(below)}`];
}

/** The other nodes whose loss takes workloads to zero: `if a4 fails instead: shop/deployment/web reaches zero`. */
function lastElsewhereTexts({lastElsewhere}: NextLoss): readonly string[] {
	const texts = lastElsewhere
		.slice(0, mostNamed)
		.map(
			({node, last}) =>
				`if ${node} fails instead: ${someOf(last)} ${last.length === 1 ? 'reaches' : 'reach'} zero`,
		);
	const more = lastElsewhere.length - texts.length;
	return more > 0 ? [...texts, `${count(more, 'more node')} like these: what-if --node-down NODE`] : texts;
}

const mostNamed = 3;

/** Why this node was chosen. */
function whyWords({losses, last}: NextLoss): string {
	if (resumes(losses)) return ` (then its zone ${losses.steps[0]?.isAssumed ? 'may evict' : 'evicts'} again)`;
	if (last.length > 0) return ` (it has the last ready pods of ${someOf(last)})`;
	return losses.steps.length > 0 ? ' (its zone is nearest to a change of state)' : '';
}

/** A zone in which the loss of any further node stops evictions or changes their rate. */
type NearZone = Readonly<{
	zone: string;
	words: string;
	/** The same where the loss was not simulated: then nothing else tells of the pods of that node. */
	unplayed: string;
	/** A healthy node of it, as an example; otherwise a late one, or none. */
	node: string | undefined;
	/** Its late nodes: one of them may be that node. */
	late: readonly string[];
}>;

/** The pods whose evictions the loss of a near zone's node changes. */
export type NearLoss = Pick<NearZone, 'zone'> & {readonly pods: readonly PodChange[]};

/** @param named the zone of a node whose loss is told anyway */
export function nearZones({zones, nodes}: Forecast, named: string | undefined): readonly NearZone[] {
	const byZone = Map.groupBy(nodes, ({zone}) => zone);
	return zones.flatMap((one) => {
		const {zone} = one;
		const step = one.toNextState.find(({nodesDown}) => nodesDown === 1);
		const before = rateAhead(one);
		if (!step || step.isControllerLost || step.rate === before || zone === named) return [];
		const words = `${changeVerb(before, step)} (${step.state})`;
		const after = step.rate === 0 ? '; running countdowns go on' : '';
		const doubt = step.rate === 0 ? ', perhaps before that node is tainted' : '';
		const namesOf = (isWanted: (node: NodeForecast) => boolean) =>
			(byZone.get(zone) ?? []).flatMap((one) => (isWanted(one) ? one.name : []));
		const late = namesOf(({verdict}) => verdict === 'Late');
		const [node] = [...namesOf(seemsHealthy), ...late];
		return [{zone, words: words + after, unplayed: words + doubt + after, node, late}];
	});
}

/** @param losses what the losses of their nodes do to pods, as far as it was simulated */
export function nearZonesLines(
	near: readonly NearZone[],
	losses: readonly NearLoss[],
	now: Instant,
): readonly string[] {
	const simulated = near.flatMap(({zone, node, late, words}) => {
		const loss = losses.find((one) => one.zone === zone);
		const effects = loss && [podChangesText(loss.pods, now), `evictions in zone ${zone} ${words}`];
		const mayBe = late.length > 0 ? ` (${someOf(late)} may: late with a renewal)` : '';
		return effects
			? [`if one more node of zone ${zone} fails, as ${node}${mayBe}:`, ...effects.map(asItem)]
			: [];
	});
	const others = near.filter(({zone}) => losses.every((one) => one.zone !== zone));
	const told = grouped(others, ({unplayed}) => unplayed).map(([words, ones]) => {
		const pods = ones[0].node ? `; what-if --node-down ${ones[0].node} tells of its pods` : '';
		return `if one more node of zone ${someOf(ones.map(({zone}) => zone))} fails: evictions there ${words}${pods}`;
	});
	return [...simulated, ...told];
}

/** No zone changes: whether the zone evicts. */
const noZoneChanges = ({zone, rate}: NextLoss['losses']) =>
	`no zone changes its state; evictions in zone ${zone} ${paceVerb(rate, rate)}`;

/** How many more losses would change the zone. */
function laterLossTexts(node: string, {zone, rate, steps}: NextLoss['losses']): readonly string[] {
	const next = steps.find(({nodes}) => nodes > 1);
	return next
		? [`if ${node} and ${next.nodes - 1} more of zone ${zone} fail: ${stateWords(next, {zone, rate})}`]
		: [];
}

const stateWords = (step: LossStep, {zone, rate}: Pick<NextLoss['losses'], 'zone' | 'rate'>) =>
	`evictions in zone ${zone} ${changeVerb(rate, step)} (${step.state})${step.rate === 0 ? '' : `: ${taintPace(step)}`}`;

export function nextLossJson(found: NextLoss): StatusJson['oneMoreNode'] {
	const {node, losses, impact, last, lastElsewhere} = found;
	const {zone} = losses;
	const takesToZero = last.length > 0 || (impact && newlyAtZero(impact.workloads).length > 0);
	const [other] = takesToZero ? [] : lastElsewhere;
	const toZero = other && {toZeroInstead: {node: other.node, zone: other.zone, workloads: other.last.length}};
	if (!impact) return {node, zone, impact: null, ...toZero};
	const {sure, unsure, held} = newlyInDanger(impact.pods);
	const pods = {evicted: sure.length, unsure: unsure.length, held: held.length};
	const reachZero = newlyAtZero(impact.workloads);
	return {node, zone, impact: {pods, reachZero}, ...toZero};
}
