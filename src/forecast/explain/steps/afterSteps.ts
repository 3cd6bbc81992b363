import {isReadyNode} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {formatAtLeast, formatAtMost} from '../../../dates/duration.ts';
import {againstOwn, type Ending, endingsOf} from '../../conclude/endings.ts';
import {turnsUnknown} from '../../conclude/nodeTurn.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilent} from '../../observe/nodes/nodeLiveness.ts';
import type {PodForecast} from '../../podForecast.ts';
import {type Draft, fact} from '../explanation.ts';
import type {Situation} from '../situation.ts';

/** What follows the deletion request, for the pod itself and for its owner. */
export function afterSteps(
	pod: Pod,
	one: NodeEvidence | undefined,
	forecast: PodForecast,
	situation: Situation,
): readonly Draft[] {
	const {now} = situation;
	const isLost = one !== undefined && (isSilent(one, now) || !isReadyNode(one.node));
	const mayReturn = one !== undefined && isReadyNode(one.node) && (isLost || isOnlyLate(one, now));
	const ends: Draft =
		isLost || mayReturn
			? {
					what: `${mayReturn ? 'if its node stays silent, ' : ''}the pod stays Terminating until its kubelet is back`,
					isAftermath: true,
					rule: 'only the kubelet can confirm that the containers have ended; otherwise the pod is removed only when its Node object is deleted, the node gets the out-of-service taint, or the pod is deleted by force',
				}
			: {
					what: 'the kubelet ends the pod within its grace period, and its object goes away',
					isAftermath: true,
				};
	const others = isLost ? endingsOnLost(pod, one, forecast, situation) : [];
	return [ends, ...others.flatMap((ending) => sooner(ending, forecast, now) ?? []), ownerStep(pod)];
}

function endingsOnLost(pod: Pod, one: NodeEvidence, forecast: PodForecast, situation: Situation) {
	const {now, settings} = situation;
	const unknown = !isReadyNode(one.node) ? null : (turnsUnknown(one, situation)?.range ?? null);
	const repairs = situation.repairs.of(one);
	const scene = {pod, node: one.node, isSilent: true, unknown, pressure: undefined, repairs, now, settings};
	return endingsOf(forecast, scene);
}

/** What an operator could do to end the pod, and how that compares with what happens anyway. */
function sooner({needs, at}: Ending, {eviction}: PodForecast, now: Instant): Draft | undefined {
	if (!needs || !at) return undefined;
	const what =
		needs === 'DeleteNode'
			? 'if its Node object were deleted now, pod garbage collection would delete the pod by force'
			: 'if its node were tainted out-of-service now, pod garbage collection would delete the pod by force';
	const from = formatAtLeast(at.earliest - now);
	const to = at.latest === null ? '' : formatAtMost(at.latest - now);
	const until = to === '' ? `${from} later at the earliest` : `${from} to ${to} later`;
	const when = at.earliest === now && to !== '' ? `within ${to}` : until;
	return {what: `${what}, ${when}${againstOwn(at, eviction)}`};
}

/** How the owner of a pod reacts to its deletion, or has reacted. */
export function ownerStep({namespace, name, owner, deletionTimestamp}: Pod): Draft {
	const [what, rule] = ownerWords(owner?.kind, deletionTimestamp !== undefined);
	return {
		what,
		isAftermath: true,
		detail: () => ({
			rule,
			evidence: [
				fact(
					`pod/${namespace}/${name}`,
					'metadata.ownerReferences',
					owner ? `${owner.kind}/${owner.name}` : 'no controller',
				),
			],
		}),
	};
}

function ownerWords(
	kind: string | undefined,
	isDeleted: boolean,
): readonly [what: string, rule: string | null] {
	switch (kind) {
		case undefined:
			return ['nothing replaces the pod: it has no controller', null];
		case 'ReplicaSet':
		case 'ReplicationController':
			return [
				isDeleted ? 'its controller has created another pod' : 'its controller creates another pod at once',
				'unless the Deployment has podReplacementPolicy: TerminationComplete',
			];
		case 'StatefulSet':
			return [
				'its StatefulSet waits: the same name comes back only once this object is gone',
				'at most one pod of each identity may exist',
			];
		case 'DaemonSet':
			return ['its DaemonSet creates another pod for the node, where that tolerates its taints', null];
		case 'Job':
			return [
				'its Job counts a failed pod once this one is gone, and starts another as its backoffLimit and podReplacementPolicy allow',
				null,
			];
		case 'Node':
			return ['the kubelet shows its static pod again once it is back', null];
		default:
			return [`its owner, a ${kind}, decides what takes its place`, null];
	}
}
