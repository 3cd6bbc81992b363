import {presentText} from '../../cluster/codec/rawJson.ts';
import {
	type ClusterEvent,
	evictionEventSource,
	isAboutNodes,
	nodeEventSource,
} from '../../core/model/clusterEvent.ts';
import type {DeviceTaint} from '../../core/model/device.ts';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node, NodeCondition} from '../../core/model/node.ts';
import {namesInKey} from '../../core/model/pod.ts';
import type {Taint} from '../../core/model/taint.ts';
import type {Allocatable} from '../../core/model/workloads/resources.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {recordedTime} from './recordedTime.ts';

// API objects with only the fields of the model: anything else cannot get into a recording. The live decoder reads the same
// model from them.

/** Makes the compiler check that every field of the model is written. */
export const assertAllWritten = (_rest: Readonly<Record<string, never>>): void => undefined;

/** A time field, absent if undefined. */
export const time = <Name extends string>(name: Name, at: number | undefined): {[N in Name]?: string} =>
	presentText(name, at === undefined ? undefined : recordedTime(at));

export function prunedNode(node: Node): object {
	const {name, uid, createdAt, labels, unschedulable, taints, conditions, ...others} = node;
	const {providerId, allocatable, kubeletVersion, taintWrites, ...rest} = others;
	assertAllWritten(rest);
	return {
		apiVersion: 'v1',
		kind: 'Node',
		metadata: {
			name,
			...presentText('uid', uid),
			...time('creationTimestamp', createdAt),
			labels,
			...writes(taintWrites, {fieldsV1: {'f:spec': {'f:taints': {}}}}),
		},
		spec: {
			...presentText('providerID', providerId),
			...(unschedulable && {unschedulable}),
			...(taints.length > 0 && {taints: taints.map(prunedTaint)}),
		},
		status: {
			conditions: conditions.map(prunedCondition),
			...(allocatable && {allocatable: prunedResources(allocatable)}),
			...(kubeletVersion !== undefined && {nodeInfo: {kubeletVersion}}),
		},
	};
}

function prunedResources({cpu, memory, pods, ...rest}: Allocatable) {
	assertAllWritten(rest);
	return {cpu: `${cpu}m`, memory: String(memory), ...(pods !== undefined && {pods: String(pods)})};
}

export function prunedTaint({key, value, effect, timeAdded, ...rest}: Taint | DeviceTaint) {
	assertAllWritten(rest);
	return {key, ...presentText('value', value), effect, ...time('timeAdded', timeAdded)};
}

function prunedCondition(condition: NodeCondition) {
	const {type, status, lastHeartbeatTime, lastTransitionTime, reason, message, ...rest} = condition;
	assertAllWritten(rest);
	return {
		type,
		status,
		...time('lastHeartbeatTime', lastHeartbeatTime),
		...time('lastTransitionTime', lastTransitionTime),
		...presentText('reason', reason),
		...presentText('message', message),
	};
}

export function prunedLease(lease: Lease): object {
	const {namespace, name, holderIdentity, leaseDuration, acquireTime, renewTime, leaseTransitions, ...more} =
		lease;
	// Computed when a dump is read; no API server has it.
	const {renewedBetween: _, writes: wrote = [], touchedAt, ...rest} = more;
	assertAllWritten(rest);
	return {
		apiVersion: 'coordination.k8s.io/v1',
		kind: 'Lease',
		metadata: {name, namespace, ...leaseWrites(wrote, touchedAt)},
		spec: {
			...presentText('holderIdentity', holderIdentity),
			...presentText(
				'leaseDurationSeconds',
				leaseDuration === undefined ? undefined : leaseDuration / second,
			),
			...time('acquireTime', acquireTime),
			...time('renewTime', renewTime),
			...presentText('leaseTransitions', leaseTransitions),
		},
	};
}

/** The renewing writer is only marked if another one wrote the lease too. */
function leaseWrites(wrote: readonly FieldWrite[], touchedAt: Instant | undefined) {
	if (touchedAt === undefined) return writes(wrote);
	const {managedFields = []} = writes(wrote, {fieldsV1: {'f:spec': {'f:renewTime': {}}}});
	return {managedFields: [...managedFields, {time: recordedTime(touchedAt)}]};
}

function writes(wrote: readonly FieldWrite[] | undefined, fields: object = {}) {
	if (wrote === undefined || wrote.length === 0) return {};
	const entries = wrote.map(({manager, operation, time: at, ...rest}) => {
		assertAllWritten(rest);
		return {manager, operation, time: recordedTime(at), ...fields};
	});
	return {managedFields: entries};
}

/** The reason, source and message of an event about a pod: two events differ only in their message. */
const ofPods = {
	MarkingForDeletion: ['TaintManagerEviction', evictionEventSource, 'Marking for deletion Pod '],
	CancellingDeletion: ['TaintManagerEviction', evictionEventSource, 'Cancelling deletion of Pod '],
	NodeControllerEviction: ['NodeControllerEviction', nodeEventSource, ''],
} as const;

export function prunedEvent(event: ClusterEvent): object {
	const {namespace, name, reason, about, first, last, createdAt, ...rest} = event;
	assertAllWritten(rest);
	const isRepeated = last.at !== first.at || last.precision !== first.precision;
	return {
		apiVersion: 'v1',
		kind: 'Event',
		metadata: {name, namespace, ...time('creationTimestamp', createdAt)},
		...(isAboutNodes(reason) ? ofNode(reason, about) : ofPod(ofPods[reason], about)),
		// The API has microseconds in eventTime, and whole seconds in other times.
		...(first.precision === 0 ? time('eventTime', first.at) : time('firstTimestamp', first.at)),
		...(isRepeated && last.precision === 0 && {series: time('lastObservedTime', last.at)}),
		...(isRepeated && last.precision !== 0 && {count: 2, ...time('lastTimestamp', last.at)}),
	};
}

const ofNode = (reason: string, name: string) => ({
	involvedObject: {kind: 'Node', name},
	reason,
	source: {component: nodeEventSource},
});

function ofPod([reason, component, words]: (typeof ofPods)[keyof typeof ofPods], key: string) {
	return {
		involvedObject: {kind: 'Pod', ...namesInKey(key)},
		reason,
		...(words !== '' && {message: `${words}${key}`}),
		source: {component},
	};
}

/** The rest of a deleted object. */
export const prunedKey = (apiVersion: string, kind: string, name: string, namespace?: string): object => ({
	apiVersion,
	kind,
	metadata: {name, ...presentText('namespace', namespace)},
});
