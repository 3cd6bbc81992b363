import {said} from '../../cluster/codec/rawJson.ts';
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

// Objects in the form of the API, with no more in them than the model has: what is not in the model cannot get into a
// recording. The decoder of the live cluster reads the same model from them again.

/** Does not compile where the model has a field that is not written. */
export const nothingLeft = (_rest: Readonly<Record<string, never>>): void => undefined;

/** A time, unless there is none. */
export const time = <Name extends string>(name: Name, at: number | undefined): {[N in Name]?: string} =>
	said(name, at === undefined ? undefined : recordedTime(at));

/** A node as it is recorded. */
export function prunedNode(node: Node): object {
	const {name, uid, createdAt, labels, unschedulable, taints, conditions, ...others} = node;
	const {providerId, allocatable, kubeletVersion, taintWrites, ...rest} = others;
	nothingLeft(rest);
	return {
		apiVersion: 'v1',
		kind: 'Node',
		metadata: {
			name,
			...said('uid', uid),
			...time('creationTimestamp', createdAt),
			labels,
			...writes(taintWrites, {fieldsV1: {'f:spec': {'f:taints': {}}}}),
		},
		spec: {
			...said('providerID', providerId),
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
	nothingLeft(rest);
	return {cpu: `${cpu}m`, memory: String(memory), ...(pods !== undefined && {pods: String(pods)})};
}

/** A taint of a node or a device as it is recorded. */
export function prunedTaint({key, value, effect, timeAdded, ...rest}: Taint | DeviceTaint) {
	nothingLeft(rest);
	return {key, ...said('value', value), effect, ...time('timeAdded', timeAdded)};
}

function prunedCondition(condition: NodeCondition) {
	const {type, status, lastHeartbeatTime, lastTransitionTime, reason, message, ...rest} = condition;
	nothingLeft(rest);
	return {
		type,
		status,
		...time('lastHeartbeatTime', lastHeartbeatTime),
		...time('lastTransitionTime', lastTransitionTime),
		...said('reason', reason),
		...said('message', message),
	};
}

/** A lease as it is recorded. */
export function prunedLease(lease: Lease): object {
	const {namespace, name, holderIdentity, leaseDuration, acquireTime, renewTime, leaseTransitions, ...more} =
		lease;
	// Made up by whoever reads a dump; no API server says it.
	const {renewedBetween: _, writes: wrote = [], touchedAt, ...rest} = more;
	nothingLeft(rest);
	return {
		apiVersion: 'coordination.k8s.io/v1',
		kind: 'Lease',
		metadata: {name, namespace, ...leaseWrites(wrote, touchedAt)},
		spec: {
			...said('holderIdentity', holderIdentity),
			...said('leaseDurationSeconds', leaseDuration === undefined ? undefined : leaseDuration / second),
			...time('acquireTime', acquireTime),
			...time('renewTime', renewTime),
			...said('leaseTransitions', leaseTransitions),
		},
	};
}

/** Only where somebody else wrote it is it told who renews it. */
function leaseWrites(wrote: readonly FieldWrite[], touchedAt: Instant | undefined) {
	if (touchedAt === undefined) return writes(wrote);
	const {managedFields = []} = writes(wrote, {fieldsV1: {'f:spec': {'f:renewTime': {}}}});
	return {managedFields: [...managedFields, {time: recordedTime(touchedAt)}]};
}

function writes(wrote: readonly FieldWrite[] | undefined, fields: object = {}) {
	if (wrote === undefined || wrote.length === 0) return {};
	const entries = wrote.map(({manager, operation, time: at, ...rest}) => {
		nothingLeft(rest);
		return {manager, operation, time: recordedTime(at), ...fields};
	});
	return {managedFields: entries};
}

/** How an event about a pod is told: two meanings differ in their message alone. */
const ofPods = {
	MarkingForDeletion: ['TaintManagerEviction', evictionEventSource, 'Marking for deletion Pod '],
	CancellingDeletion: ['TaintManagerEviction', evictionEventSource, 'Cancelling deletion of Pod '],
	NodeControllerEviction: ['NodeControllerEviction', nodeEventSource, ''],
} as const;

/** An event of a controller as it is recorded. */
export function prunedEvent(event: ClusterEvent): object {
	const {namespace, name, reason, about, first, last, createdAt, ...rest} = event;
	nothingLeft(rest);
	const isRepeated = last.at !== first.at || last.precision !== first.precision;
	return {
		apiVersion: 'v1',
		kind: 'Event',
		metadata: {name, namespace, ...time('creationTimestamp', createdAt)},
		...(isAboutNodes(reason) ? ofNode(reason, about) : ofPod(ofPods[reason], about)),
		// Of an exact time the API has microseconds in eventTime, of others whole seconds.
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

/** What is left of an object that is gone. */
export const prunedKey = (apiVersion: string, kind: string, name: string, namespace?: string): object => ({
	apiVersion,
	kind,
	metadata: {name, ...said('namespace', namespace)},
});
