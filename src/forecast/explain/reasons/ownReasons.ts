import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isEvictedByKubelet, isPodTerminal, type Pod} from '../../../core/model/pod.ts';
import {isExcludedFromDisruptionChecks, isNamedAsMaster} from '../../../core/nodelifecycle/nodeLabels.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {leftWords} from '../../podEnd.ts';
import type {PodVerdict} from '../../podForecast.ts';
import {fact, type ReasonDraft} from '../explanation.ts';

const goes: readonly PodVerdict[] = ['Scheduled', 'Expected', 'Overdue', 'Held', 'Unsure'];

/** Reasons of one pod alone, and labels that are wrongly believed to protect it. */
export function ownReasons(
	pod: Pod,
	one: NodeEvidence | undefined,
	verdict: PodVerdict,
	settings: ControllerSettings,
): readonly ReasonDraft[] {
	const reasons: ReasonDraft[] = [];
	const isGoing = goes.includes(verdict);
	if (pod.isMirror) reasons.push(staticPod(pod, isGoing ? 'DoesNotPrevent' : 'Prevents'));
	if (!isGoing) return reasons;
	if (isPodTerminal(pod)) reasons.push(finishedPod(pod, 'DoesNotPrevent'));
	if (one && isExcludedFromDisruptionChecks(one.node, settings)) reasons.push(excluded(one));
	return [...reasons, budgetIgnored];
}

const staticPod = (pod: Pod, effect: ReasonDraft['effect']): ReasonDraft => ({
	reason: 'StaticPod',
	effect,
	what: 'it mirrors a static pod: the kubelet runs it from its own files, even if this object is deleted',
	rule: 'the kubelet gives its static pods a toleration of every NoExecute taint; where one lacks it, only the mirror is deleted, and shows Terminating',
	evidence: () => [fact(pod, 'metadata.annotations[kubernetes.io/config.mirror]', 'present')],
});

export const endedWords = (pod: Pod): string => {
	const {phase, isShutDown} = pod;
	const left = leftWords(pod);
	if (isShutDown) return `its node shut down, and its kubelet ended it: it is ${phase} (Terminated); ${left}`;
	return isEvictedByKubelet(pod)
		? `its kubelet evicted it already; it is ${phase}, and ${left}`
		: `it has ended: it is ${phase}; ${left}`;
};

/** The reason of a pod that has ended: nothing evicts it any more, or its object is deleted nevertheless. */
export const finishedPod = (
	pod: Pod,
	effect: Extract<ReasonDraft['effect'], 'Prevents' | 'DoesNotPrevent'>,
): ReasonDraft => {
	const {phase} = pod;
	const isDeleted = effect === 'DoesNotPrevent';
	return {
		reason: 'FinishedPod',
		effect,
		what: isDeleted ? `it is ${phase}, and is deleted all the same` : endedWords(pod),
		rule: isDeleted
			? 'the taint-eviction controller does not look at the phase'
			: 'what ended is not evicted: its object alone can still be deleted',
		evidence: () => [fact(pod, 'status.phase', phase)],
	};
};

/** A label or name that is wrongly believed to protect pods. */
export const excluded = ({node}: NodeEvidence): ReasonDraft => ({
	reason: 'ExcludedFromDisruptionChecks',
	effect: 'DoesNotPrevent',
	what: `node ${node.name} is excluded from disruption checks: it is not counted for its zone, but its pods are evicted like all others`,
	rule: isNamedAsMaster(node.name)
		? 'until v1.20 a name that ends in master, or in master- and three more, is looked at only where the nodes of a zone are counted'
		: 'the label node.kubernetes.io/exclude-disruption is looked at only where the nodes of a zone are counted',
	evidence: () => [
		isNamedAsMaster(node.name)
			? fact(node, 'metadata.name', node.name)
			: fact(
					node,
					'metadata.labels[node.kubernetes.io/exclude-disruption]',
					node.labels['node.kubernetes.io/exclude-disruption'] || '(empty)',
				),
	],
});

const budgetIgnored: ReasonDraft = {
	reason: 'BudgetIgnored',
	effect: 'DoesNotPrevent',
	what: 'no PodDisruptionBudget protects it: the controller deletes pods, and never asks the eviction API',
};

/** The reason of a pod whose node cannot be read, or is not in the file. */
export const unseenNode = ({nodeName}: Pod): ReasonDraft => ({
	reason: 'NodeUnseen',
	effect: 'MayPrevent',
	what: `node ${nodeName} is not seen: neither its heartbeats, its taints nor its zone are known`,
});

export const notBound: ReasonDraft = {
	reason: 'NotBound',
	effect: 'Prevents',
	what: 'it is not bound to a node, so no taint affects it',
};
