import type {RepairObject, UnhealthyCondition} from '../../core/model/repairObject.ts';
import {second} from '../../core/time/instant.ts';
import {time} from './pruned.ts';
import {recordedTime} from './recordedTime.ts';

/** An object of node repair as recorded, with only the fields that are read. */
export function prunedRepair(one: RepairObject): object {
	switch (one.kind) {
		case 'NodeClaim':
			return {
				apiVersion: 'karpenter.sh/v1',
				kind: one.kind,
				metadata: {
					name: one.name,
					...(one.pool !== '' && {labels: {'karpenter.sh/nodepool': one.pool}}),
					...time('deletionTimestamp', one.deletionTimestamp),
				},
				spec: {nodeClassRef: {group: one.provider}},
				status: {nodeName: one.nodeName, ...(one.providerId !== '' && {providerID: one.providerId})},
			};
		case 'Machine':
			return {
				apiVersion: `${one.group}/v1beta1`,
				kind: one.kind,
				metadata: {
					...{namespace: one.namespace, name: one.name, labels: one.labels},
					annotations: {
						...(one.isSkipped && {'cluster.x-k8s.io/skip-remediation': ''}),
						...(one.failure === 'annotation' && {'cluster.x-k8s.io/remediate-machine': ''}),
						...(one.isBeingRepaired && {'host.metal3.io/external-remediation': ''}),
					},
					...(one.isControlled && {ownerReferences: [{controller: true}]}),
					...time('deletionTimestamp', one.deletionTimestamp),
				},
				spec: {providerID: one.providerId},
				status: {
					nodeRef: {name: one.nodeName},
					...(one.failure === 'phase' && {phase: 'Failed'}),
					...(one.failure === 'failureReason' && {failureReason: 'Failed'}),
					...(one.conditions && {
						conditions: one.conditions.map(({type, status, lastTransitionTime}) => ({
							...{type, status, lastTransitionTime: recordedTime(lastTransitionTime)},
						})),
					}),
				},
			};
		case 'MachineHealthCheck':
			return {
				apiVersion: `${one.group}/v1beta1`,
				kind: one.kind,
				metadata: {
					...{namespace: one.namespace, name: one.name},
					...(one.isPaused && {annotations: {'cluster.x-k8s.io/paused': ''}}),
				},
				spec: {
					...{clusterName: one.cluster, selector: one.selector},
					unhealthyConditions: one.conditions.map(condition),
					...(one.machineConditions && {
						checks: {unhealthyMachineConditions: one.machineConditions.map(condition)},
					}),
					maxUnhealthy: one.maxUnhealthy,
					unhealthyRange: one.unhealthyRange,
					...(one.isExternal && {remediationTemplate: {}}),
				},
			};
		case 'NodeHealthCheck':
			return {
				apiVersion: 'remediation.medik8s.io/v1alpha1',
				kind: one.kind,
				metadata: {name: one.name},
				spec: {
					selector: one.selector,
					unhealthyConditions: one.conditions.map(condition),
					...{minHealthy: one.minHealthy, maxUnhealthy: one.maxUnhealthy},
					remediationTemplate: {kind: one.template},
				},
				...(one.isPaused && {status: {phase: 'Disabled'}}),
			};
	}
}

const condition = ({type, status, timeout}: UnhealthyCondition) => ({
	type,
	status,
	timeoutSeconds: timeout / second,
});
