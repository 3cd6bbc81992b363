import type {RecordedEvent} from '../../core/client/clusterApi.ts';
import {namesInKey} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type DemoEvent, encodeEvent} from '../encode/encodeOthers.ts';
import type {ObjectStore} from './objectStore.ts';

const nodeController = 'node-controller';
const taintController = 'taint-eviction-controller';

/** Writes the events that the controllers post. A repeated event raises the count of the existing one. */
export class EventLog {
	readonly #store: ObjectStore;
	#known = new Map<string, DemoEvent>();

	constructor(store: ObjectStore) {
		this.#store = store;
	}

	/** Clears the known events, as for a new controller process. */
	startAnew(): void {
		this.#known.clear();
	}

	/** Writes an event of a kubelet about its node, or about a pod that it evicted. */
	reportOfKubelet(node: string, reason: string, message: string, at: Instant, pod?: string): void {
		const involvedObject = pod === undefined ? this.#node(node) : this.#pod(pod);
		const times = {at, lastAt: at, postedAt: at, count: 1};
		const event = {
			involvedObject,
			type: 'Warning',
			reason,
			message,
			component: 'kubelet',
			host: node,
		} as const;
		this.#store.put('events', encodeEvent({...event, ...times}));
	}

	/** @param postedAt when the controller's client sent it */
	post(event: RecordedEvent, postedAt: Instant): void {
		const key = `${event.reason} ${event.about}`;
		const before = this.#known.get(key);
		const posted: DemoEvent = before
			? {...before, lastAt: event.recordedAt, count: before.count + 1}
			: this.#made(event, postedAt);
		this.#known.set(key, posted);
		this.#store.put('events', encodeEvent(posted));
	}

	#made({reason, about, recordedAt: at}: RecordedEvent, postedAt: Instant): DemoEvent {
		const isOfPod = about.includes('/');
		const isOfEviction = reason === 'MarkingForDeletion' || reason === 'CancellingDeletion';
		return {
			involvedObject: isOfPod ? this.#pod(about) : this.#node(about),
			component: isOfEviction ? taintController : nodeController,
			type: reason === 'NodeNotReady' && isOfPod ? 'Warning' : 'Normal',
			reason: isOfEviction ? 'TaintManagerEviction' : reason,
			message: messageOf(reason, about),
			...{at, lastAt: at, postedAt, count: 1},
		};
	}

	// Takes UIDs from the store, which still has objects that were just deleted.
	#node(name: string): DemoEvent['involvedObject'] {
		return {kind: 'Node', name, uid: this.#store.get('nodes', name)?.metadata.uid ?? ''};
	}

	#pod(key: string): DemoEvent['involvedObject'] {
		const {namespace, name} = namesInKey(key);
		return {kind: 'Pod', namespace, name, uid: this.#store.get('pods', name, namespace)?.metadata.uid ?? ''};
	}
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
