import {presentText} from '../../cluster/codec/rawJson.ts';
import type {PodClaim} from '../../core/model/device.ts';
import {deviceEvictionReason, evictionReason, type Pod} from '../../core/model/pod.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {assertAllWritten, time} from './pruned.ts';

/** A pod as recorded: without containers, volumes, annotations and messages. */
export function prunedPod(pod: Pod): object {
	const {namespace, name, uid, nodeName, createdAt, labels, tolerations, owner, priority, isMirror, ...more} =
		pod;
	const {
		deletionTimestamp,
		deletionGracePeriodSeconds,
		phase,
		claims,
		isShutDown,
		isNodeLost,
		...conditions
	} = more;
	return {
		apiVersion: 'v1',
		kind: 'Pod',
		metadata: {
			name,
			namespace,
			...presentText('uid', uid),
			...time('creationTimestamp', createdAt),
			...(Object.keys(labels).length > 0 && {labels}),
			// The real value is a hash of the pod's manifest.
			...(isMirror && {annotations: {'kubernetes.io/config.mirror': ''}}),
			...(owner && {ownerReferences: [prunedOwner(owner)]}),
			...time('deletionTimestamp', deletionTimestamp),
			...presentText('deletionGracePeriodSeconds', deletionGracePeriodSeconds),
		},
		spec: {
			...presentText('nodeName', nodeName),
			...(tolerations.length > 0 && {tolerations: tolerations.map(prunedToleration)}),
			...presentText('priority', priority),
			...(claims && {resourceClaims: claims.map(prunedClaim)}),
		},
		status: {
			...presentText('phase', phase),
			...(isShutDown && {reason: 'Terminated'}),
			...(isNodeLost && {reason: 'NodeLost'}),
			conditions: prunedConditions(conditions),
			...(claims && {resourceClaimStatuses: claims.flatMap(madeClaim)}),
		},
	};
}

function prunedClaim({name, isGenerated, ...rest}: PodClaim, index: number) {
	assertAllWritten(rest);
	const made = {resourceClaimTemplateName: name};
	return {name: `claim-${index}`, ...(isGenerated ? made : {resourceClaimName: name})};
}

const madeClaim = ({name, isGenerated}: PodClaim, index: number) =>
	isGenerated ? [{name: `claim-${index}`, resourceClaimName: name}] : [];

function prunedOwner({kind, name, uid, ...rest}: NonNullable<Pod['owner']>) {
	assertAllWritten(rest);
	return {kind, name, uid, controller: true};
}

export function prunedToleration({key, operator, value, effect, tolerationSeconds, ...rest}: Toleration) {
	assertAllWritten(rest);
	return {
		...presentText('key', key),
		...presentText('operator', operator),
		...presentText('value', value),
		...presentText('effect', effect),
		...presentText('tolerationSeconds', tolerationSeconds),
	};
}

type Conditions = Omit<
	Pod,
	| ('namespace' | 'name' | 'uid' | 'nodeName' | 'createdAt' | 'labels' | 'tolerations' | 'owner')
	| ('priority' | 'isMirror' | 'deletionTimestamp' | 'deletionGracePeriodSeconds' | 'phase' | 'claims')
	| ('isShutDown' | 'isNodeLost')
>;

function disruptionReason({evictedAt, deviceEvictedAt, disruptedBy}: Conditions): string | undefined {
	if (evictedAt !== undefined) return evictionReason;
	return deviceEvictedAt === undefined ? disruptedBy : deviceEvictionReason;
}

function prunedConditions(conditions: Conditions): readonly object[] {
	const {ready, readyChangedAt, readySince, markedNotReadyAt, ...others} = conditions;
	const {scheduledAt, isDisruptionTarget, evictedAt, deviceEvictedAt, disruptedBy, ...rest} = others;
	assertAllWritten(rest);
	// The node lifecycle controller gives no reason; which one a kubelet gave does not matter.
	const isByKubelet = ready === 'False' && markedNotReadyAt === undefined;
	const hasReady = ready !== undefined || readyChangedAt !== undefined;
	return [
		...(hasReady
			? [
					{
						type: 'Ready',
						...presentText('status', ready),
						...time('lastTransitionTime', readyChangedAt ?? readySince),
						...(isByKubelet && {reason: 'ContainersNotReady'}),
					},
				]
			: []),
		...(scheduledAt === undefined
			? []
			: [{type: 'PodScheduled', status: 'True', ...time('lastTransitionTime', scheduledAt)}]),
		...(isDisruptionTarget
			? [
					{
						type: 'DisruptionTarget',
						status: 'True',
						...presentText('reason', disruptionReason(conditions)),
						...time('lastTransitionTime', evictedAt ?? deviceEvictedAt),
					},
				]
			: []),
	];
}
