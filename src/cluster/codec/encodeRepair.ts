import type {
	MachineHealthCheck,
	NodeHealthCheck,
	RepairObject,
	UnhealthyCondition,
} from '../../core/model/repairObject.ts';
import {second} from '../../core/time/instant.ts';
import {recordedTime} from './recordedTime.ts';

/** An object of node repair as JSON, with only the fields that are read. */
export function encodeRepair(object: RepairObject): object {
	switch (object.kind) {
		case 'NodeClaim':
			return {
				apiVersion: 'karpenter.sh/v1',
				kind: object.kind,
				metadata: {
					name: object.name,
					creationTimestamp: recordedTime(object.expiresAt),
					labels: object.pool === '' ? undefined : {'karpenter.sh/nodepool': object.pool},
					deletionTimestamp: recordedTime(object.deletionTimestamp),
				},
				spec: {
					nodeClassRef: {group: object.provider},
					expireAfter: object.expiresAt === undefined ? undefined : '0s',
				},
				status: {nodeName: object.nodeName, providerID: object.providerId},
			};
		case 'NodeReadinessRule':
			return {
				apiVersion: 'readiness.node.x-k8s.io/v1alpha1',
				kind: object.kind,
				metadata: {name: object.name},
				spec: {
					taint: object.taint,
					nodeSelector: object.selector,
					conditions: object.conditions.map(({type, status}) => ({type, requiredStatus: status})),
					dryRun: object.isDryRun,
				},
			};
		case 'EvictionRequest':
			return {
				apiVersion: 'lifecycle.k8s.io/v1alpha1',
				kind: object.kind,
				metadata: {namespace: object.namespace, name: object.name},
				spec: {
					target: {pod: {uid: object.podUid}},
					requester: object.requester,
					intent: object.isOpen ? 'Eviction' : 'Withdrawn',
				},
			};
		case 'Machine':
			return {
				apiVersion: `${object.group}/v1beta1`,
				kind: object.kind,
				metadata: {
					namespace: object.namespace,
					name: object.name,
					labels: object.labels,
					annotations: {
						...(object.isSkipped && {'cluster.x-k8s.io/skip-remediation': ''}),
						...(object.failure === 'annotation' && {'cluster.x-k8s.io/remediate-machine': ''}),
						...(object.isBeingRepaired && {'host.metal3.io/external-remediation': ''}),
					},
					ownerReferences: object.isControlled ? [{controller: true}] : [],
					deletionTimestamp: recordedTime(object.deletionTimestamp),
				},
				spec: {providerID: object.providerId},
				status: {
					nodeRef: {name: object.nodeName},
					phase: object.failure === 'phase' ? 'Failed' : undefined,
					failureReason: object.failure === 'failureReason' ? 'Failed' : undefined,
					conditions: object.conditions?.map(({type, status, lastTransitionTime}) => ({
						type,
						status,
						lastTransitionTime: recordedTime(lastTransitionTime),
					})),
				},
			};
		default:
			return encodeHealthCheck(object);
	}
}

function encodeHealthCheck(object: MachineHealthCheck | NodeHealthCheck): object {
	if (object.kind === 'MachineHealthCheck')
		return {
			apiVersion: `${object.group}/v1beta1`,
			kind: object.kind,
			metadata: {
				namespace: object.namespace,
				name: object.name,
				annotations: object.isPaused ? {'cluster.x-k8s.io/paused': ''} : undefined,
			},
			spec: {
				clusterName: object.cluster,
				selector: object.selector,
				unhealthyConditions: object.conditions.map(condition),
				checks: {unhealthyMachineConditions: object.machineConditions?.map(condition)},
				maxUnhealthy: object.maxUnhealthy,
				unhealthyRange: object.unhealthyRange,
				remediationTemplate: object.isExternal ? {} : undefined,
			},
		};
	return {
		apiVersion: 'remediation.medik8s.io/v1alpha1',
		kind: object.kind,
		metadata: {name: object.name},
		spec: {
			selector: object.selector,
			unhealthyConditions: object.conditions.map(condition),
			minHealthy: object.minHealthy,
			maxUnhealthy: object.maxUnhealthy,
			remediationTemplate: {kind: object.template},
		},
		status: {phase: object.isPaused ? 'Disabled' : undefined},
	};
}

const condition = ({type, status, timeout}: UnhealthyCondition) => ({
	type,
	status,
	timeoutSeconds: timeout / second,
});
