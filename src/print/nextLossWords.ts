import type {LossStep} from '../impact/moreLosses.ts';
import type {NextLoss} from '../impact/nextLoss.ts';

/** What the loss of one more worker node does to its zone, in one sentence. */
export function nextLossWords(found: NextLoss | undefined): string {
	if (!found) return 'no worker node is ready';
	const {node, losses} = found;
	const [first] = losses.steps;
	const rate = first?.nodes === 1 ? first.rate : losses.rate;
	const pods = rate > 0 ? 'its pods are evicted' : 'its pods are held, not evicted';
	const start = `if ${node} of zone ${losses.zone} fails, ${pods}`;
	if (!first) return `${start}, and no zone changes its state`;
	return first.nodes === 1
		? `${start}: ${stateWords(first, losses.rate)}`
		: `${start}, and no zone changes its state; with ${first.nodes} more of ${losses.zone}, ${stateWords(first, losses.rate)}`;
}

const counts: Readonly<Record<LossStep['state'], string>> = {
	Initial: 'the zone is not known yet',
	Normal: 'the zone still counts as up',
	PartialDisruption: 'the zone counts as partly down',
	FullDisruption: 'the whole zone counts as down',
};

const stateWords = ({state, rate}: LossStep, before: number): string =>
	`${counts[state]} (${state}), and evictions there ${paceWords(rate, before)}`;

function paceWords(rate: number, before: number): string {
	if (rate === 0) return before === 0 ? 'stay stopped' : 'stop';
	const pace =
		rate > 1 ? `${Number(rate.toFixed(1))} nodes each second` : `one node each ${Math.round(1 / rate)} s`;
	if (before === 0) return `begin again, at ${pace}`;
	return rate === before ? `go on at ${pace}` : `${rate < before ? 'slow' : 'speed up'} to ${pace}`;
}
