import {isPodTerminal, type Pod} from '../../core/model/pod.ts';
import {announcedIn, shutdownCondition} from '../../core/nodeshutdown/nodeShutdown.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Range} from '../range.ts';
import {shutdownRange} from '../shutdownRange.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {Judgement} from './judgement.ts';

/** Whether a node announces that it shuts down. If it is silent meanwhile, it has shut down, or lost its kubelet. */
export const isShuttingDown = (one: NodeEvidence, now: Instant): boolean =>
	shutdownCondition(one.node) !== undefined && !isSilent(one, now);

const cause = {kind: 'NodeShutdown'} as const;

/** The judgement of a pod whose node announces that it shuts down: its kubelet ends it, unless it is deleted before. */
export function withShutdown(
	judgement: Judgement,
	pod: Pod,
	one: NodeEvidence,
	{now}: Pick<Simulated, 'now'>,
): Judgement {
	const {verdict, eviction} = judgement;
	if (pod.isShutDown && !eviction && verdict !== 'Terminating')
		return {...judgement, verdict: 'Stays', cause};
	const condition = shutdownCondition(one.node);
	if (!condition || isPodTerminal(pod) || verdict === 'Terminating' || !isShuttingDown(one, now))
		return judgement;
	const range = shutdownRange({priority: pod.priority ?? 0}, announcedIn(condition), undefined, now);
	return range ? endedBy(range, judgement) : judgement;
}

/** Joins the end by a shutdown with another end, which may come first. */
function endedBy(range: Range, {eviction, cause: other}: Judgement): Judgement {
	const ends = [range.latest, eviction?.latest ?? null].filter((end) => end !== null);
	const latest = ends.length > 0 ? Math.min(...ends) : null;
	return {
		verdict: latest === null ? 'Unsure' : 'Scheduled',
		eviction: range.until(latest),
		cause,
		held: null,
		...(eviction && {withoutRepair: {eviction, cause: other}}),
	};
}
