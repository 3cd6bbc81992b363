import type {DeviceKind} from '../../../core/model/device.ts';
import {type Message, message} from './message.ts';

// The fields of Kubernetes' objects that decode*.ts reads, by the numbers of their protobuf tags.
// Numbers never change: they are the storage format of etcd.

const time = (name: string) => ({name, type: 'time'}) as const;
const text = (name: string) => ({name, type: 'text'}) as const;
const ownText = (name: string) => ({name, type: 'ownText'}) as const;
const number = (name: string) => ({name, type: 'number'}) as const;
const boolean = (name: string) => ({name, type: 'boolean'}) as const;

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ManagedFieldsEntry */
const managedFields = {1: text('manager'), 2: text('operation'), 4: time('time')};

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go ObjectMeta */
const metadata = {
	1: ownText('name'),
	3: text('namespace'),
	5: ownText('uid'),
	8: time('creationTimestamp'),
	9: time('deletionTimestamp'),
	10: number('deletionGracePeriodSeconds'),
	11: {name: 'labels', type: 'map'},
} as const;

const ownerReference = message({1: text('kind'), 3: text('name'), 4: text('uid'), 6: boolean('controller')});

const toleration = message({
	1: text('key'),
	2: text('operator'),
	3: text('value'),
	4: text('effect'),
	5: number('tolerationSeconds'),
});

const podClaim = message({
	1: text('name'),
	3: ownText('resourceClaimName'),
	4: text('resourceClaimTemplateName'),
});

const podCondition = message({
	1: text('type'),
	2: text('status'),
	4: time('lastTransitionTime'),
	5: text('reason'),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/types.go Pod */
export const podMessage = message({
	1: {
		name: 'metadata',
		type: 'message',
		message: message({
			...metadata,
			12: {name: 'annotations', type: 'map', keys: ['kubernetes.io/config.mirror']},
			13: {name: 'ownerReferences', type: 'list', message: ownerReference},
		}),
	},
	2: {
		name: 'spec',
		type: 'message',
		message: message({
			10: text('nodeName'),
			22: {name: 'tolerations', type: 'list', message: toleration},
			25: number('priority'),
			39: {name: 'resourceClaims', type: 'list', message: podClaim},
		}),
	},
	3: {
		name: 'status',
		type: 'message',
		message: message({
			1: text('phase'),
			2: {name: 'conditions', type: 'list', message: podCondition},
			4: text('reason'),
			15: {
				name: 'resourceClaimStatuses',
				type: 'list',
				message: message({1: text('name'), 2: ownText('resourceClaimName')}),
			},
		}),
	},
});

const taint = message({1: text('key'), 2: text('value'), 3: text('effect'), 4: time('timeAdded')});

const nodeCondition = message({
	1: text('type'),
	2: text('status'),
	3: time('lastHeartbeatTime'),
	4: time('lastTransitionTime'),
	5: text('reason'),
	6: ownText('message'),
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/types.go Node */
export const nodeMessage = message({
	1: {
		name: 'metadata',
		type: 'message',
		message: message({
			...metadata,
			17: {
				name: 'managedFields',
				type: 'list',
				message: message({...managedFields, 7: {name: 'fieldsV1', type: 'json', holding: 'f:taints'}}),
			},
		}),
	},
	2: {
		name: 'spec',
		type: 'message',
		message: message({
			3: ownText('providerID'),
			4: boolean('unschedulable'),
			5: {name: 'taints', type: 'list', message: taint},
		}),
	},
	3: {
		name: 'status',
		type: 'message',
		message: message({
			2: {name: 'allocatable', type: 'quantities'},
			4: {name: 'conditions', type: 'list', message: nodeCondition},
			7: {name: 'nodeInfo', type: 'message', message: message({7: text('kubeletVersion')})},
		}),
	},
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/coordination/v1/types.go Lease */
export const leaseMessage = message({
	1: {
		name: 'metadata',
		type: 'message',
		message: message({
			...metadata,
			17: {
				name: 'managedFields',
				type: 'list',
				message: message({...managedFields, 7: {name: 'fieldsV1', type: 'json', holding: 'f:renewTime'}}),
			},
		}),
	},
	2: {
		name: 'spec',
		type: 'message',
		message: message({
			1: text('holderIdentity'),
			2: number('leaseDurationSeconds'),
			3: time('acquireTime'),
			4: time('renewTime'),
			5: number('leaseTransitions'),
		}),
	},
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Endpoints */
export const endpointsMessage = message({
	1: {
		name: 'metadata',
		type: 'message',
		message: message({
			...metadata,
			12: {name: 'annotations', type: 'map', keys: ['control-plane.alpha.kubernetes.io/leader']},
			17: {name: 'managedFields', type: 'list', message: message(managedFields)},
		}),
	},
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/generated.proto Event */
export const eventMessage = message({
	1: {name: 'metadata', type: 'message', message: message(metadata)},
	2: {
		name: 'involvedObject',
		type: 'message',
		message: message({1: text('kind'), 2: text('namespace'), 3: text('name')}),
	},
	3: text('reason'),
	4: ownText('message'),
	5: {name: 'source', type: 'message', message: message({1: text('component')})},
	6: time('firstTimestamp'),
	7: time('lastTimestamp'),
	8: number('count'),
	10: time('eventTime'),
	11: {name: 'series', type: 'message', message: message({2: time('lastObservedTime')})},
	14: text('reportingComponent'),
});

const deviceTaints = {name: 'taints', type: 'list', message: taint} as const;

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1/generated.proto ResourceSlice */
const resourceSliceMessage = (device: Message): Message =>
	message({
		1: {name: 'metadata', type: 'message', message: message(metadata)},
		2: {
			name: 'spec',
			type: 'message',
			message: message({
				1: text('driver'),
				2: {name: 'pool', type: 'message', message: message({1: text('name'), 2: number('generation')})},
				3: text('nodeName'),
				6: {name: 'devices', type: 'list', message: device},
			}),
		},
	});

const deviceMessage = message({1: text('name'), 5: text('nodeName'), 8: deviceTaints});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1beta1/generated.proto BasicDevice */
const oldDeviceMessage = message({
	1: text('name'),
	2: {name: 'basic', type: 'message', message: message({4: text('nodeName'), 7: deviceTaints})},
});

const allocatedDevice = message({
	2: text('driver'),
	3: text('pool'),
	4: text('device'),
	6: {name: 'tolerations', type: 'list', message: toleration},
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1/generated.proto ResourceClaim */
const resourceClaimMessage = message({
	1: {
		name: 'metadata',
		type: 'message',
		message: message({...metadata, 13: {name: 'ownerReferences', type: 'list', message: ownerReference}}),
	},
	3: {
		name: 'status',
		type: 'message',
		message: message({
			1: {
				name: 'allocation',
				type: 'message',
				message: message({
					1: {
						name: 'devices',
						type: 'message',
						message: message({1: {name: 'results', type: 'list', message: allocatedDevice}}),
					},
				}),
			},
			2: {
				name: 'reservedFor',
				type: 'list',
				message: message({1: text('apiGroup'), 3: text('resource'), 4: ownText('name'), 5: ownText('uid')}),
			},
		}),
	},
});

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/resource/v1beta2/generated.proto DeviceTaintRule */
const deviceTaintRuleMessage = message({
	1: {name: 'metadata', type: 'message', message: message(metadata)},
	2: {
		name: 'spec',
		type: 'message',
		message: message({
			1: {
				name: 'deviceSelector',
				type: 'message',
				message: message({
					1: text('deviceClassName'),
					...{2: text('driver'), 3: text('pool'), 4: text('device')},
					5: {name: 'selectors', type: 'list', message: message({})},
				}),
			},
			2: {name: 'taint', type: 'message', message: taint},
		}),
	},
});

/**
 * The objects of dynamic resource allocation that evict, by kind.
 *
 * @param isOld in a version up to v1beta1, where all of a device but its name is one level deeper
 */
export function deviceObjectMessage(kind: DeviceKind, isOld: boolean): Message {
	switch (kind) {
		case 'ResourceSlice':
			return resourceSliceMessage(isOld ? oldDeviceMessage : deviceMessage);
		case 'ResourceClaim':
			return resourceClaimMessage;
		case 'DeviceTaintRule':
			return deviceTaintRuleMessage;
	}
}
