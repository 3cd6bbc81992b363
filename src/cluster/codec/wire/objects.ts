import type {DeviceKind} from '../../../core/model/device.ts';
import {completionIndexAnnotation, indexFailuresAnnotation} from '../../../core/workloads/job.ts';
import {
	boolean,
	inline,
	list,
	type Message,
	type MessageFields,
	map,
	message,
	microTime,
	number,
	ownText,
	part,
	quantities,
	text,
	texts,
	time,
} from './message.ts';

// The fields of Kubernetes' objects that decode*.ts reads, by protobuf field number. Numbers never change: they are etcd's
// storage format.

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ManagedFieldsEntry */
const managedFields = {1: text('manager'), 2: text('operation'), 4: time('time')};

/** The managedFields, with the `fieldsV1` of entries that own a field. */
const writesHolding = (holding: string) =>
	list('managedFields', {...managedFields, 7: {name: 'fieldsV1', type: 'json', holding}});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ObjectMeta */
const metadata = {
	1: ownText('name'),
	3: text('namespace'),
	5: ownText('uid'),
	8: time('creationTimestamp'),
	9: time('deletionTimestamp'),
	10: number('deletionGracePeriodSeconds'),
	11: map('labels'),
};

/** The version alone, of objects of any kind. */
export const versionMessage = message({
	1: part('metadata', {1: text('name'), 3: text('namespace'), 6: text('resourceVersion')}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go OwnerReference */
const ownerReference = {
	1: text('kind'),
	3: text('name'),
	4: text('uid'),
	5: text('apiVersion'),
	6: boolean('controller'),
};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/types.go Toleration */
export const toleration = {
	1: text('key'),
	2: text('operator'),
	3: text('value'),
	4: text('effect'),
	5: number('tolerationSeconds'),
};

const podClaim = {1: text('name'), 3: ownText('resourceClaimName'), 4: text('resourceClaimTemplateName')};

const podCondition = {
	1: text('type'),
	2: text('status'),
	4: time('lastTransitionTime'),
	5: text('reason'),
	6: text('message'),
};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/types.go Pod */
export const podMessage = message({
	1: part('metadata', {
		...metadata,
		12: map('annotations', [
			'kubernetes.io/config.mirror',
			completionIndexAnnotation,
			indexFailuresAnnotation,
		]),
		13: list('ownerReferences', ownerReference),
		14: texts('finalizers'),
	}),
	2: part('spec', {
		1: list('volumes', {2: inline({2: part('emptyDir', {})})}),
		4: number('terminationGracePeriodSeconds'),
		10: text('nodeName'),
		22: list('tolerations', toleration),
		25: number('priority'),
		39: list('resourceClaims', podClaim),
	}),
	3: part('status', {
		1: text('phase'),
		2: list('conditions', podCondition),
		3: text('message'),
		4: text('reason'),
		15: list('resourceClaimStatuses', {1: text('name'), 2: ownText('resourceClaimName')}),
		18: part('extendedResourceClaimStatus', {2: text('resourceClaimName')}),
	}),
});

const container = {8: part('resources', {2: quantities('requests')}), 24: text('restartPolicy')};

/** A pod as it counts for its node. @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Pod */
export const placedPodMessage = message({
	1: part('metadata', {13: list('ownerReferences', ownerReference)}),
	2: part('spec', {
		2: list('containers', container),
		10: text('nodeName'),
		18: part('affinity', {
			3: part('podAntiAffinity', {1: list('requiredDuringSchedulingIgnoredDuringExecution', {})}),
		}),
		20: list('initContainers', container),
		25: number('priority'),
		32: quantities('overhead'),
		40: part('resources', {2: quantities('requests')}),
	}),
	3: part('status', {1: text('phase'), 2: list('conditions', podCondition)}),
});

const taint = {1: text('key'), 2: text('value'), 3: text('effect'), 4: time('timeAdded')};

const nodeCondition = {
	1: text('type'),
	2: text('status'),
	3: time('lastHeartbeatTime'),
	4: time('lastTransitionTime'),
	5: text('reason'),
	6: text('message'),
};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/types.go Node */
export const nodeMessage = message({
	1: part('metadata', {...metadata, 14: texts('finalizers'), 17: writesHolding('f:taints')}),
	2: part('spec', {3: ownText('providerID'), 4: boolean('unschedulable'), 5: list('taints', taint)}),
	3: part('status', {
		2: quantities('allocatable', ['cpu', 'memory', 'pods']),
		4: list('conditions', nodeCondition),
		7: part('nodeInfo', {7: text('kubeletVersion')}),
	}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/coordination/v1/types.go Lease */
export const leaseMessage = message({
	1: part('metadata', {...metadata, 17: writesHolding('f:renewTime')}),
	2: part('spec', {
		1: text('holderIdentity'),
		2: number('leaseDurationSeconds'),
		3: microTime('acquireTime'),
		4: microTime('renewTime'),
		5: number('leaseTransitions'),
	}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Endpoints */
export const endpointsMessage = message({
	1: part('metadata', {
		...metadata,
		12: map('annotations', ['control-plane.alpha.kubernetes.io/leader']),
		17: list('managedFields', managedFields),
	}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Event */
export const eventMessage = message({
	1: part('metadata', metadata),
	2: part('involvedObject', {1: text('kind'), 2: text('namespace'), 3: text('name')}),
	3: text('reason'),
	4: ownText('message'),
	5: part('source', {1: text('component')}),
	6: time('firstTimestamp'),
	7: time('lastTimestamp'),
	8: number('count'),
	10: microTime('eventTime'),
	11: part('series', {2: microTime('lastObservedTime')}),
	14: text('reportingComponent'),
});

const deviceTaints = list('taints', taint);

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1/generated.proto ResourceSlice */
const resourceSliceMessage = (device: MessageFields): Message =>
	message({
		1: part('metadata', metadata),
		2: part('spec', {
			1: text('driver'),
			2: part('pool', {1: text('name'), 2: number('generation')}),
			3: text('nodeName'),
			6: list('devices', device),
		}),
	});

const device = {1: text('name'), 5: text('nodeName'), 8: deviceTaints};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1beta1/generated.proto BasicDevice */
const oldDevice = {1: text('name'), 2: part('basic', {4: text('nodeName'), 7: deviceTaints})};

const allocatedDevice = {
	2: text('driver'),
	3: text('pool'),
	4: text('device'),
	6: list('tolerations', toleration),
};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1/generated.proto ResourceClaim */
const resourceClaimMessage = message({
	1: part('metadata', {...metadata, 13: list('ownerReferences', ownerReference)}),
	3: part('status', {
		1: part('allocation', {1: part('devices', {1: list('results', allocatedDevice)})}),
		2: list('reservedFor', {
			1: text('apiGroup'),
			3: text('resource'),
			4: ownText('name'),
			5: ownText('uid'),
		}),
	}),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1beta2/generated.proto DeviceTaintRule */
const deviceTaintRuleMessage = message({
	1: part('metadata', metadata),
	2: part('spec', {
		1: part('deviceSelector', {
			1: text('deviceClassName'),
			2: text('driver'),
			3: text('pool'),
			4: text('device'),
			5: list('selectors', {}),
		}),
		2: part('taint', taint),
	}),
});

/**
 * The device objects that a forecast needs, by kind.
 *
 * @param isOld for a version up to v1beta1, in which all of a device but its name is nested one level deeper
 */
export function deviceObjectMessage(kind: DeviceKind, isOld: boolean): Message {
	switch (kind) {
		case 'ResourceSlice':
			return resourceSliceMessage(isOld ? oldDevice : device);
		case 'ResourceClaim':
			return resourceClaimMessage;
		case 'DeviceTaintRule':
			return deviceTaintRuleMessage;
	}
}
