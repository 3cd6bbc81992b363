import {isPodTerminal, type Pod} from '../../core/model/pod.ts';
import {shutdownCondition} from '../../core/nodeshutdown/nodeShutdown.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import {Range} from '../range.ts';
import {type Judgement, judged} from '../verdict.ts';

/** Whether a node announces that it shuts down. If it is silent meanwhile, it has shut down, or lost its kubelet. */
export const isShuttingDown = (one: NodeEvidence, now: Instant) =>
	shutdownCondition(one.node) !== undefined && !isSilent(one, now);

/** How long shutdowns usually wait for pods; the kubelet's configuration tells (`withPressure.ts`). */
const usualPeriod: Duration = 30 * second;

const cause = {kind: 'NodeShutdown'} as const;

/** The end of a pod by its kubelet, as its node announces that it shuts down, or did; undefined if it does not. */
export function judgeShutdown(pod: Pod, one: NodeEvidence, now: Instant): Judgement | undefined {
	if (pod.isShutDown) return judged('Stays', cause);
	if (isPodTerminal(pod) || !isShuttingDown(one, now)) return undefined;
	return judged('Unsure', cause, new Range(now, now + usualPeriod / 2, null));
}
