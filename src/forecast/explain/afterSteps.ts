import type {Pod} from '../../core/model/pod.ts';
import {isNotReady} from '../held.ts';
import type {NodeEvidence} from '../nodeEvidence.ts';
import type {Situation} from '../situation.ts';
import {isSilent} from '../suspects.ts';
import type {Draft} from './draft.ts';

/** What follows once the deletion is asked for: for the pod itself, and for its owner. */
export function afterSteps(pod: Pod, one: NodeEvidence | undefined, {now}: Situation): readonly Draft[] {
	const isLost = one !== undefined && (isSilent(one, now) || isNotReady(one.node));
	const ends: Draft = isLost
		? {
				at: null,
				what: 'the pod is Terminating from then on, until its kubelet is back, its Node object is deleted, the node gets the out-of-service taint, or somebody deletes it by force',
				detail: () => ({
					rule: 'only the kubelet can say that the containers have ended',
					evidence: [],
				}),
			}
		: {
				at: null,
				what: 'the kubelet ends the pod within its grace period, and the object goes',
				detail: () => ({rule: null, evidence: []}),
			};
	return [ends, ownerStep(pod)];
}

function ownerStep({namespace, name, owner}: Pod): Draft {
	const [what, rule] = ownerWords(owner?.kind);
	return {
		at: null,
		what,
		detail: () => ({
			rule,
			evidence: [
				{
					object: `pod/${namespace}/${name}`,
					field: 'metadata.ownerReferences',
					value: owner ? `${owner.kind}/${owner.name}` : 'no controller',
					note: '',
				},
			],
		}),
	};
}

function ownerWords(kind: string | undefined): readonly [what: string, rule: string | null] {
	switch (kind) {
		case undefined:
			return ['nothing replaces the pod: it has no controller', null];
		case 'ReplicaSet':
		case 'ReplicationController':
			return [
				'its controller creates another pod at once',
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
