import type {RecordedEvent} from '../../core/client/clusterApi.ts';
import {namesInKey} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject} from '../encode/apiObject.ts';
import {serverTime} from '../encode/encodeMeta.ts';
import type {ObjectStore} from './objectStore.ts';

const nodeController = 'node-controller';
const taintController = 'taint-eviction-controller';

/** What an event says, and who reports it: `host` is the node of a reporting kubelet. */
type Report = Readonly<{
	type: 'Normal' | 'Warning';
	reason: string;
	message: string;
	source: {readonly component: string; readonly host?: string};
}>;

export type EventLog = ReturnType<typeof eventLog>;

/** Writes the events that the controllers post. A repeated event raises the count of the existing one. */
export function eventLog(store: ObjectStore) {
	const known = new Map<string, ApiObject & {readonly count: number}>();

	/** The UIDs are from the store, which still has objects that were just deleted. */
	const objectOf = (about: string): {kind: string; namespace?: string; name: string; uid: string} => {
		const uidOf = (object: ApiObject | undefined) => object?.metadata.uid ?? '';
		if (!about.includes('/')) return {kind: 'Node', name: about, uid: uidOf(store.get('nodes', about))};
		const {namespace, name} = namesInKey(about);
		return {kind: 'Pod', namespace, name, uid: uidOf(store.get('pods', name, namespace))};
	};

	/** A core/v1 Event. Events about cluster-wide objects are in the namespace `default`, as in a real cluster. */
	const eventOf = (about: string, report: Report, at: Instant, postedAt: Instant) => {
		const involvedObject = objectOf(about);
		return {
			apiVersion: 'v1',
			kind: 'Event',
			metadata: {
				name: `${involvedObject.name}.${nanosecondsOf(at, report).toString(16)}`,
				namespace: involvedObject.namespace ?? 'default',
				creationTimestamp: serverTime(postedAt),
			},
			involvedObject: {apiVersion: 'v1', ...involvedObject},
			...report,
			reportingComponent: report.source.component,
			firstTimestamp: serverTime(at),
			lastTimestamp: serverTime(at),
			count: 1,
		};
	};

	return {
		/** Clears the known events, as for a new controller process. */
		startAnew: () => known.clear(),
		/** Writes an event of a kubelet about its node, or about a pod that it evicted. */
		reportOfKubelet(node: string, reason: string, message: string, at: Instant, about = node) {
			const source = {component: 'kubelet', host: node};
			store.put('events', eventOf(about, {type: 'Warning', reason, message, source}, at, at));
		},
		/** @param postedAt when the controller's client sent it */
		post({reason, about, recordedAt}: RecordedEvent, postedAt: Instant) {
			const key = `${reason} ${about}`;
			const before = known.get(key);
			const event = before
				? {...before, lastTimestamp: serverTime(recordedAt), count: before.count + 1}
				: eventOf(about, reportOf(reason, about), recordedAt, postedAt);
			known.set(key, event);
			store.put('events', event);
		},
	};
}

function reportOf(reason: RecordedEvent['reason'], about: string): Report {
	const isOfEviction = reason === 'MarkingForDeletion' || reason === 'CancellingDeletion';
	return {
		type: reason === 'NodeNotReady' && about.includes('/') ? 'Warning' : 'Normal',
		reason: isOfEviction ? 'TaintManagerEviction' : reason,
		message: messageOf(reason, about),
		source: {component: isOfEviction ? taintController : nodeController},
	};
}

/**
 * The nanoseconds of an event's time, which name it, as client-go does. Events at the same instant get different ones, made of
 * what they say; in a real cluster no two are of the same nanosecond.
 */
function nanosecondsOf(at: Instant, {reason, message}: Report): bigint {
	const salt = [...(reason + message)].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1000, 0);
	return BigInt(Math.floor(at * 1000)) * 1000n + BigInt(salt);
}

function messageOf(reason: RecordedEvent['reason'], about: string): string {
	switch (reason) {
		case 'RegisteredNode':
			return `Node ${about} event: Registered Node ${about} in Controller`;
		case 'RemovingNode':
			return `Node ${about} event: Removing Node ${about} from Controller`;
		case 'NodeNotReady':
			// The same reason is used for a node and for each of its pods.
			return about.includes('/') ? 'Node is not ready' : `Node ${about} status is now: NodeNotReady`;
		case 'DeletingAllPods':
			return `Node ${about} event: Deleting all Pods from Node ${about}.`;
		case 'NodeControllerEviction':
			return `Marking for deletion Pod ${namesInKey(about).name} from its node`;
		case 'MarkingForDeletion':
			return `Marking for deletion Pod ${about}`;
		case 'CancellingDeletion':
			return `Cancelling deletion of Pod ${about}`;
	}
}
