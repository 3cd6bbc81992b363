import {boolean, list, map, message, number, part, text} from './message.ts';
import {ownerReference, toleration} from './objects.ts';

// The fields of related objects that src/cluster/workloads reads, by protobuf field number.

const metadata = part('metadata', {
	1: text('name'),
	3: text('namespace'),
	5: text('uid'),
	13: list('ownerReferences', ownerReference),
});

const requirement = {1: text('key'), 2: text('operator'), 3: {name: 'values', type: 'texts'} as const};
const selector = (name: string) =>
	part(name, {1: map('matchLabels'), 2: list('matchExpressions', requirement)});

const resources = part('resources', {2: {name: 'requests', type: 'quantities'}});
const container = {
	6: list('ports', {2: number('hostPort')}),
	8: resources,
	24: text('restartPolicy'),
};
const nodeSelector = {
	1: list('nodeSelectorTerms', {
		1: list('matchExpressions', requirement),
		2: list('matchFields', requirement),
	}),
};
const nodeAffinity = {1: part('requiredDuringSchedulingIgnoredDuringExecution', nodeSelector)};

const requiredPods = {1: list('requiredDuringSchedulingIgnoredDuringExecution', {})};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto PodSpec */
const podSpec = {
	1: list('volumes', {
		2: part('volumeSource', {
			3: part('gcePersistentDisk', {}),
			4: part('awsElasticBlockStore', {}),
			8: part('iscsi', {}),
			10: part('persistentVolumeClaim', {1: text('claimName')}),
			11: part('rbd', {}),
			28: part('csi', {}),
			29: part('ephemeral', {}),
		}),
	}),
	2: list('containers', container),
	7: map('nodeSelector'),
	18: part('affinity', {
		1: part('nodeAffinity', nodeAffinity),
		2: part('podAffinity', requiredPods),
		3: part('podAntiAffinity', requiredPods),
	}),
	19: text('schedulerName'),
	20: list('initContainers', container),
	22: list('tolerations', toleration),
	32: {name: 'overhead', type: 'quantities'} as const,
	33: list('topologySpreadConstraints', {3: text('whenUnsatisfiable')}),
	38: list('schedulingGates', {}),
	39: list('resourceClaims', {}),
	40: resources,
};
const template = part('template', {2: part('spec', podSpec)});

/** A pod as it counts for its node. @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Pod */
export const placedPodMessage = message({
	1: part('metadata', {13: list('ownerReferences', ownerReference)}),
	2: part('spec', {
		2: list('containers', container),
		10: text('nodeName'),
		18: part('affinity', {3: part('podAntiAffinity', requiredPods)}),
		20: list('initContainers', container),
		25: number('priority'),
		32: {name: 'overhead', type: 'quantities'} as const,
		40: resources,
	}),
	3: part('status', {1: text('phase')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/apps/v1/generated.proto ReplicaSet */
export const replicaSetMessage = message({
	1: metadata,
	2: part('spec', {1: number('replicas'), 3: template}),
	3: part('status', {4: number('readyReplicas')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/apps/v1/generated.proto Deployment */
export const deploymentMessage = message({
	1: metadata,
	2: part('spec', {1: number('replicas'), 3: template}),
	3: part('status', {7: number('readyReplicas')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/apps/v1/generated.proto StatefulSet */
export const statefulSetMessage = message({
	1: metadata,
	2: part('spec', {1: number('replicas'), 3: template, 4: list('volumeClaimTemplates', {1: metadata})}),
	3: part('status', {3: number('readyReplicas')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/apps/v1/generated.proto DaemonSet */
export const daemonSetMessage = message({
	1: metadata,
	2: part('spec', {2: template}),
	3: part('status', {3: number('desiredNumberScheduled'), 4: number('numberReady')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/batch/v1/generated.proto Job */
export const jobMessage = message({
	1: metadata,
	2: part('spec', {
		1: number('parallelism'),
		6: template,
		7: number('backoffLimit'),
		14: text('podReplacementPolicy'),
	}),
	3: part('status', {6: number('failed'), 9: number('ready')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/policy/v1/generated.proto PodDisruptionBudget */
export const budgetMessage = message({
	1: metadata,
	2: part('spec', {2: selector('selector')}),
	3: part('status', {4: number('currentHealthy'), 5: number('desiredHealthy'), 6: number('expectedPods')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Service */
export const serviceMessage = message({
	1: metadata,
	2: part('spec', {2: map('selector'), 13: boolean('publishNotReadyAddresses')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto PersistentVolumeClaim */
export const claimMessage = message({
	1: metadata,
	2: part('spec', {1: {name: 'accessModes', type: 'texts'} as const, 3: text('volumeName')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/discovery/v1/generated.proto EndpointSlice */
export const endpointSliceMessage = message({
	1: part('metadata', {3: text('namespace'), 11: map('labels')}),
	2: list('endpoints', {
		2: part('conditions', {1: boolean('ready')}),
		4: part('targetRef', {1: text('kind'), 3: text('name')}),
	}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/storage/v1/generated.proto VolumeAttachment */
export const attachmentMessage = message({
	1: metadata,
	2: part('spec', {2: part('source', {1: text('persistentVolumeName')}), 3: text('nodeName')}),
	3: part('status', {1: boolean('attached')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto PersistentVolume */
export const volumeMessage = message({
	1: part('metadata', {
		1: text('name'),
		11: map('labels'),
	}),
	2: part('spec', {
		2: part('persistentVolumeSource', {
			3: part('hostPath', {}),
			5: part('nfs', {}),
			20: part('local', {}),
		}),
		3: {name: 'accessModes', type: 'texts'} as const,
		9: part('nodeAffinity', {1: part('required', nodeSelector)}),
	}),
});
