import {
	type ClusterEvent,
	cloudEventSource,
	evictionEventSource,
	isAboutNodes,
	nodeEventSource,
} from '../../core/model/clusterEvent.ts';
import type {DeviceObject} from '../../core/model/device.ts';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import {
	collectionReason,
	deviceEvictionReason,
	evictionReason,
	isEvictedByKubelet,
	kubeletEvictionReason,
	namesInKey,
	type Pod,
} from '../../core/model/pod.ts';
import {second} from '../../core/time/instant.ts';
import {completionIndexAnnotation, indexFailuresAnnotation} from '../../core/workloads/job.ts';
import {encodeMessage, type Message, type TimeFormat} from './wire/message.ts';
import {deviceObjectMessage, eventMessage, leaseMessage, nodeMessage, podMessage} from './wire/objects.ts';

// Objects of the model as an API server shows them, for recordings and for the demo. The tables of wire/objects.ts say which
// fields these have, so the decoders read the same model from them.

const apiVersions = {
	Node: 'v1',
	Pod: 'v1',
	Event: 'v1',
	Lease: 'coordination.k8s.io/v1',
	ResourceSlice: 'resource.k8s.io/v1',
	ResourceClaim: 'resource.k8s.io/v1',
	DeviceTaintRule: 'resource.k8s.io/v1beta2',
} as const;

export type EncodedKind = keyof typeof apiVersions;
type Encoded = {readonly apiVersion: string; readonly kind: string; readonly [field: string]: unknown};

function encoded(kind: EncodedKind, message: Message, source: object, format?: TimeFormat): Encoded {
	return {apiVersion: apiVersions[kind], kind, ...encodeMessage(message, source, format)};
}

/** What is left of a deleted object. @param key its namespace, if it has one, and its name */
export function encodeKey(kind: EncodedKind, key: string): object {
	const [name, namespace] = key.split('/').toReversed();
	return {apiVersion: apiVersions[kind], kind, metadata: {name, namespace}};
}

export function encodeNode(node: Node, format?: TimeFormat): Encoded {
	const {createdAt, providerId, allocatable, kubeletVersion, taintWrites = []} = node;
	const {cpu, memory, pods} = allocatable ?? {};
	const source = {
		metadata: {
			...node,
			creationTimestamp: createdAt,
			managedFields: taintWrites.map((write) => ({...write, fieldsV1: {'f:spec': {'f:taints': {}}}})),
		},
		spec: {...node, providerID: providerId},
		status: {
			conditions: node.conditions,
			allocatable: allocatable && {cpu: `${cpu}m`, memory, pods},
			nodeInfo: kubeletVersion === undefined ? undefined : {kubeletVersion},
		},
	};
	return encoded('Node', nodeMessage, source, format);
}

export function encodePod(pod: Pod, format?: TimeFormat): Encoded {
	const {createdAt, isMirror, owner, claims, isShutDown, isNodeLost, completionIndex, indexFailures} = pod;
	const named = claims?.filter(({isExtended}) => !isExtended);
	const extended = claims?.find(({isExtended}) => isExtended);
	const source = {
		metadata: {
			...pod,
			creationTimestamp: createdAt,
			annotations: {
				// The real value is a hash of the pod's manifest.
				'kubernetes.io/config.mirror': isMirror ? '' : undefined,
				[completionIndexAnnotation]: completionIndex,
				[indexFailuresAnnotation]: indexFailures,
			},
			ownerReferences: owner && [{...owner, controller: true}],
		},
		spec: {
			...pod,
			volumes: pod.hasEmptyDir && [{emptyDir: {}}],
			terminationGracePeriodSeconds: pod.gracePeriodSeconds,
			resourceClaims: named?.map(({name, isGenerated}, index) => ({
				name: `claim-${index}`,
				[isGenerated ? 'resourceClaimTemplateName' : 'resourceClaimName']: name,
			})),
		},
		status: {
			phase: pod.phase,
			reason: isShutDown
				? 'Terminated'
				: isNodeLost
					? 'NodeLost'
					: isEvictedByKubelet(pod)
						? kubeletEvictionReason
						: '',
			conditions: podConditions(pod),
			resourceClaimStatuses: named?.flatMap(({name, isGenerated}, index) =>
				isGenerated ? [{name: `claim-${index}`, resourceClaimName: name}] : [],
			),
			extendedResourceClaimStatus: extended && {resourceClaimName: extended.name},
		},
	};
	return encoded('Pod', podMessage, source, format);
}

function podConditions(pod: Pod): readonly object[] {
	const {ready, readyChangedAt, readySince, markedNotReadyAt, scheduledAt} = pod;
	const {isDisruptionTarget, evictedAt, deviceEvictedAt, disruptedBy, disruptedAt, isCollected} = pod;
	// The node lifecycle controller gives no reason; which one a kubelet gave does not matter.
	const isByKubelet = ready === 'False' && markedNotReadyAt === undefined;
	const reason = isByKubelet ? 'ContainersNotReady' : '';
	const isAnnounced = {
		type: 'DisruptionTarget',
		status: 'True',
		lastTransitionTime: evictedAt ?? deviceEvictedAt ?? disruptedAt,
	};
	const announcedBy =
		evictedAt !== undefined
			? evictionReason
			: deviceEvictedAt !== undefined
				? deviceEvictionReason
				: isCollected
					? collectionReason
					: disruptedBy;
	return [
		...(ready !== undefined || readyChangedAt !== undefined
			? [{type: 'Ready', status: ready, lastTransitionTime: readyChangedAt ?? readySince, reason}]
			: []),
		...(scheduledAt === undefined
			? []
			: [{type: 'PodScheduled', status: 'True', lastTransitionTime: scheduledAt}]),
		...(isDisruptionTarget ? [{...isAnnounced, reason: announcedBy}] : []),
	];
}

export function encodeLease(lease: Lease, format?: TimeFormat): Encoded {
	const {leaseDuration, writes = [], touchedAt} = lease;
	// The renewing writer is only marked if another one wrote the lease too.
	const managedFields: readonly Partial<FieldWrite>[] =
		touchedAt === undefined
			? writes
			: [
					...writes.map((write) => ({...write, fieldsV1: {'f:spec': {'f:renewTime': {}}}})),
					{time: touchedAt},
				];
	const leaseDurationSeconds = leaseDuration === undefined ? undefined : leaseDuration / second;
	const source = {metadata: {...lease, managedFields}, spec: {...lease, leaseDurationSeconds}};
	return encoded('Lease', leaseMessage, source, format);
}

/** The reason, source and message of an event about a pod: two events differ only in their message. */
const ofPods = {
	MarkingForDeletion: ['TaintManagerEviction', evictionEventSource, 'Marking for deletion Pod '],
	CancellingDeletion: ['TaintManagerEviction', evictionEventSource, 'Cancelling deletion of Pod '],
	NodeControllerEviction: ['NodeControllerEviction', nodeEventSource, ''],
	SuccessfulDelete: ['SuccessfulDelete', '', 'Deleted pod: '],
} as const;

export function encodeEvent(event: ClusterEvent): Encoded {
	const {reason: what, about, first, last, createdAt} = event;
	const isRepeated = last.at !== first.at || last.precision !== first.precision;
	const [reason, component, words] = isAboutNodes(what)
		? [what, what === 'DeletingNode' ? cloudEventSource : nodeEventSource, '']
		: ofPods[what];
	return encoded('Event', eventMessage, {
		metadata: {...event, creationTimestamp: createdAt},
		involvedObject: isAboutNodes(what) ? {kind: 'Node', name: about} : {kind: 'Pod', ...namesInKey(about)},
		reason,
		message: words && `${words}${about}`,
		source: {component},
		// The API has microseconds in eventTime, and whole seconds in other times.
		[first.precision === 0 ? 'eventTime' : 'firstTimestamp']: first.at,
		...(isRepeated && last.precision === 0 && {series: {lastObservedTime: last.at}}),
		...(isRepeated && last.precision !== 0 && {count: 2, lastTimestamp: last.at}),
	});
}

/** A slice, claim or rule: without attributes, requests and driver configurations. */
export function encodeDeviceObject(object: DeviceObject): Encoded {
	const message = deviceObjectMessage(object.kind, false);
	switch (object.kind) {
		case 'ResourceSlice': {
			const {pool: name, generation} = object;
			const source = {metadata: object, spec: {...object, pool: {name, generation}}};
			return encoded(object.kind, message, source);
		}
		case 'ResourceClaim': {
			const {ownerUid, allocated, reservedFor} = object;
			return encoded(object.kind, message, {
				metadata: {...object, ownerReferences: ownerUid && [{uid: ownerUid, controller: true}]},
				status: {
					allocation: allocated && {devices: {results: allocated}},
					reservedFor: reservedFor.map((pod) => ({resource: 'pods', ...pod})),
				},
			});
		}
		case 'DeviceTaintRule': {
			const source = {metadata: object, spec: {deviceSelector: object.selector, taint: object.taint}};
			return encoded(object.kind, message, source);
		}
	}
}
