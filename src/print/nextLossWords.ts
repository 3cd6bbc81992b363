import type {Instant} from '../core/time/instant.ts';
import {taintPace} from '../forecast/words.ts';
import type {LossStep} from '../impact/moreLosses.ts';
import type {NextLoss} from '../impact/nextLoss.ts';
import type {StatusJson} from './contract/status.ts';
import {
	newlyAtZero,
	newlyInDanger,
	podChangesText,
	zeroChangesText,
	zoneChangesText,
} from './whatif/whatIfAnswer.ts';
import {workloadJson} from './whatif/whatIfJson.ts';

/** What the loss of one more worker node does: to pods and workloads where its pods were read, and to its zone. */
export function nextLossWords(found: NextLoss | undefined, now: Instant): string {
	if (!found) return 'no worker node is ready';
	const {node, losses, impact, isWorst, isExample} = found;
	const [first] = losses.steps;
	const start = `${isExample ? 'for example, ' : ''}if ${node} of zone ${losses.zone} fails${isWorst ? ' (the worst to lose)' : ''}`;
	if (impact) {
		const changes = zoneChangesText(impact.zones, now);
		const zones = changes === '' ? unchangedZones(losses) : `zones that change: ${changes}`;
		return `${start}: ${podChangesText(impact.pods, now)}; ${zeroChangesText(impact.workloads, now)}; ${zones}`;
	}
	const rate = first?.nodes === 1 ? first.rate : losses.rate;
	const pods = rate > 0 ? 'its pods are evicted' : 'its pods are held, not evicted';
	return `${start}, ${pods}${first?.nodes === 1 ? ': ' : ', and '}${zoneWords(losses)}`;
}

const zoneWords = (losses: NextLoss['losses']): string =>
	losses.steps[0]?.nodes === 1 ? stateWords(losses.steps[0], losses.rate) : unchangedZones(losses);

/** That no zone changes, and how many nodes it would take. */
function unchangedZones({zone, rate, steps}: NextLoss['losses']): string {
	const next = steps.find(({nodes}) => nodes > 1);
	const outlook = next ? `; with ${next.nodes - 1} more of ${zone}, ${stateWords(next, rate)}` : '';
	return `no zone changes its state${outlook}`;
}

const stateWords = ({state, rate}: LossStep, before: number): string =>
	`evictions there ${paceWords(state, rate, before)}`;

function paceWords(state: LossStep['state'], rate: number, before: number): string {
	if (rate === 0) return `${before === 0 ? 'stay stopped' : 'stop'} (${state})`;
	const change =
		before === 0 ? 'begin again' : rate === before ? 'go on' : rate < before ? 'slow down' : 'speed up';
	return `${change} (${state}): ${taintPace(rate)}`;
}

/** The same for programs. */
export function nextLossJson({node, losses, impact}: NextLoss): StatusJson['oneMoreNode'] {
	const {zone} = losses;
	if (!impact) return {node, zone, impact: null};
	const {sure, unsure, held} = newlyInDanger(impact.pods);
	const pods = {evicted: sure.length, unsure: unsure.length, held: held.length};
	const reachZero = newlyAtZero(impact.workloads).map(({after}) => workloadJson(after));
	return {node, zone, impact: {pods, reachZero}};
}
