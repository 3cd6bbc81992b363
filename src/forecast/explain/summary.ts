import type {Instant} from '../../core/time/instant.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import {type Cause, type PodForecast, shownVerdict} from '../podForecast.ts';
import type {Range} from '../range.ts';
import {capitalized, count, linked, oddsWords, stateVerb, taintPace, whenWords} from '../words.ts';
import {hasTaintsToCome, type ZoneForecast} from '../zoneForecast.ts';

/**
 * The forecast of a pod in one sentence, and its odds in another.
 *
 * @param restartedAt when new controllers restarted its countdown
 * @param order the order in which its node gets the taint, if that is left to chance
 */
export function podSummary(
	forecast: PodForecast,
	reason: string | undefined,
	now: Instant,
	restartedAt?: Instant,
	order?: string,
): string {
	const {verdict, eviction, cause, held, node} = forecast;
	const when = whenWords(eviction, now);
	const why = causeWords(cause);
	const oddsOf = (range: Range) => capitalized(linked(': ', order ?? '', oddsWords(range, now)));
	const odds = eviction && oddsWords(eviction, now) !== '' ? ` ${oddsOf(eviction)}.` : '';
	if (shownVerdict(forecast) === 'Ended') return `${capitalized(reason ?? 'it has ended')}.`;
	switch (verdict) {
		case 'Scheduled':
			return restartedAt === undefined
				? `The countdown runs: the pod is deleted ${when}${why}.${odds}`
				: `A controller manager took over ${whenWords(restartedAt, now)}, and the countdown began again: the pod is deleted ${when}${why}.${odds}`;
		case 'Expected':
			return `If nothing changes, the pod is deleted ${when}${why}.${odds}`;
		case 'Overdue':
			return `The pod was due ${when}${why}, but was not deleted.`;
		case 'Held':
			return `The pod would be evicted${why}, but ${held?.by ?? 'evictions are stopped'}.`;
		case 'Unsure':
			return eviction
				? `The pod may be deleted ${when}${why}. ${capitalized(reason ?? 'too little can be seen to be sure')}.${odds}`
				: `${capitalized(reason ?? 'too little can be seen to tell what happens to the pod')}.`;
		case 'Safe':
			return node === ''
				? 'Nothing evicts the pod: it is not bound to a node.'
				: `Nothing evicts the pod${reason ? `: ${reason}` : ''}.`;
		case 'Stays':
			return `The pod is not evicted${reason ? `: ${reason}` : ''}.`;
		case 'Terminating':
			return reason ? `${capitalized(reason)}.` : 'The pod is being deleted.';
	}
}

/** Which of its repairs comes first, as a sentence of its own; empty if none is to come. Of a well node a doubtful one changes nothing. */
export function repairSummary({repairs = []}: NodeForecast, isWell: boolean, now: Instant): string {
	const first = repairs.find(({at, isSure}) => at !== null && (isSure || !isWell));
	const does = first?.endsPods ? 'may end its pods' : 'may repair it';
	return first ? ` ${capitalized(first.by)} ${does} ${whenWords(first.at, now)}.` : '';
}

/** The forecast of a node in one sentence. */
export function nodeSummary(
	forecast: NodeForecast,
	isWell: boolean,
	reason: string | undefined,
	now: Instant,
): string {
	const {name, ready, verdict, unknown, noExecute, eviction} = forecast;
	// An unbounded taint may not come at all.
	const isSure = noExecute?.latest !== null;
	const byTaint = noExecute
		? `it ${isSure ? 'gets' : 'may get'} the NoExecute taint ${whenWords(noExecute, now)}`
		: '';
	const taint = eviction ? `its pods are deleted ${whenWords(eviction, now)}` : byTaint;
	const turn = eviction === undefined ? 'NoExecute taint' : 'eviction';
	switch (verdict) {
		case 'Healthy':
			return isWell
				? `${capitalized(reason ?? `node ${name} is well`)}.`
				: `Node ${name} is well, but it carries a NoExecute taint: pods that do not tolerate it are evicted.`;
		case 'Unsure':
			return `Node ${name} is ready${isWell ? '' : ', but carries a NoExecute taint'}; whether it is alive is not known, as no lease of it can be seen.`;
		case 'Late':
			return `Node ${name} is late: one renewal of its lease is overdue.`;
		case 'Silent':
			return `Node ${name} is silent: ${[unknown ? `it turns Unknown ${whenWords(unknown, now)}` : '', taint].filter(Boolean).join(', and ') || 'nothing follows that can be foreseen'}.`;
		case 'Queued':
			return byTaint
				? `Node ${name} waits for its NoExecute taint, which ${isSure ? 'comes' : 'may come'} ${whenWords(noExecute, now)}.`
				: `Node ${name} waits for its ${turn}${taint ? `: ${taint}` : ''}.`;
		case 'NotReady':
		case 'Unknown':
			return `Node ${name} is ${verdict === 'Unknown' ? 'Unknown' : 'not ready'}${taint ? `: ${taint}` : ''}.`;
		case 'Held':
			return `Node ${name} would ${eviction === undefined ? 'get the NoExecute taint' : 'be evicted'}, but ${reason ?? 'evictions are stopped'}${taint && `; ${taint}`}.`;
		case 'Tainted':
			return `Node ${name} has the NoExecute taint.`;
		case 'Evicted':
			return `The pods of node ${name} were deleted, except those of DaemonSets; so is each new one.`;
		case 'Recovering':
			return ready === 'True'
				? `Node ${name} is ready again: the next monitor pass removes its NoExecute taint.`
				: `The kubelet of node ${name} is back, and posts its status soon: if it is ready, the next monitor pass removes the node's NoExecute taint, or gives it none.`;
	}
}

/** The forecast of a zone in one sentence. */
export function zoneSummary(zone: ZoneForecast): string {
	const {state, size, notReady, silent, rate, queue} = zone;
	const silence = silent > 0 ? `, ${silent} of them silent` : '';
	if (notReady === 0 && queue.length === 0 && size > 0)
		return `Zone ${zone.zone} ${stateVerb(zone)} ${state}: ${size === 1 ? 'its node is' : `all ${size} nodes are`} ready${silence}, and none waits for a taint.`;
	const waiting =
		queue.length > 0
			? `, ${count(queue.length, 'node')} ${queue.length === 1 ? 'waits for its taint' : 'wait for their taints'}`
			: '';
	const pace =
		rate === 0
			? `${zone.stopped?.isInDoubt ? `whether further nodes get a taint depends on ${zone.isStateAssumed ? 'nodes' : 'flags'} that are not seen` : 'no further node gets a taint'} (running countdowns continue)`
			: hasTaintsToCome(zone)
				? taintPace(zone)
				: 'none waits for a taint';
	return `Zone ${zone.zone} ${stateVerb(zone)} ${state}: ${notReady} of ${count(size, 'node')} ${notReady === 1 ? 'is' : 'are'} not ready${silent > 0 ? `, ${silent} more silent` : ''}; ${pace}${waiting}.`;
}

const causeWithoutTaint: Partial<Record<Cause['kind'], string>> = {
	NodeDeleted: ', because its node is gone',
	NodeEviction: ', because its node is evicted',
	NodeRepair: ', because its node is removed',
	NodeRemoval: ', because its node is removed',
	NodeShutdown: ', because its node is shutting down',
};

const causeWords = (cause: Cause | null): string => {
	if (cause === null) return '';
	if (cause.taint === undefined) return causeWithoutTaint[cause.kind] ?? '';
	const of =
		cause.device === undefined ? '' : ` of device ${cause.device} (${cause.driver}, pool ${cause.pool})`;
	return cause.tolerationSeconds
		? `, ${cause.tolerationSeconds}s after the taint ${cause.taint}${of}`
		: `, as it does not tolerate the taint ${cause.taint}${of}`;
};
