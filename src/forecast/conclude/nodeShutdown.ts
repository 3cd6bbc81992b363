import {isPodTerminal, type Pod} from '../../core/model/pod.ts';
import {announcedIn, shutdownCondition} from '../../core/nodeshutdown/nodeShutdown.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import {shutdownRange} from '../shutdownRange.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Judgement, judged, verdictOf} from './judgement.ts';

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
	if (pod.isShutDown && !judgement.eviction && judgement.verdict !== 'Terminating')
		return {...judgement, verdict: 'Stays', cause};
	const condition = shutdownCondition(one.node);
	if (!condition || isPodTerminal(pod) || !isShuttingDown(one, now)) return judgement;
	const eviction = shutdownRange({priority: pod.priority ?? 0}, announcedIn(condition), undefined, now);
	if (!eviction) return judgement;
	const verdict = eviction.latest === null ? 'Unsure' : 'Scheduled';
	return verdictOf([judgement, judged(verdict, cause, eviction)]);
}
