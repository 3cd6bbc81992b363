import type {RecordedEvent} from '../../core/client/clusterApi.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type DemoEvent, encodeEvent} from '../encode/encodeOthers.ts';
import type {ObjectStore} from './objectStore.ts';

const nodeController = 'node-controller';
const taintController = 'taint-eviction-controller';

/** Writes the events that the controllers post. One that comes again raises the count of the one that is there. */
export class EventLog {
	readonly #store: ObjectStore;
	#known = new Map<string, DemoEvent>();

	constructor(store: ObjectStore) {
		this.#store = store;
	}

	/** A new controller process knows no event of the one before. */
	startAnew(): void {
		this.#known.clear();
	}

	/** A kubelet reports something of its node, or that it evicted a pod of it. */
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

	/** @param postedAt when its turn came in the controller's client */
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
		const times = {at, lastAt: at, postedAt, count: 1};
		const ofNode = {component: nodeController, involvedObject: this.#node(about), ...times};
		const ofPod = {component: taintController, involvedObject: this.#pod(about), ...times};
		switch (reason) {
			case 'RegisteredNode':
				return {
					...ofNode,
					type: 'Normal',
					reason,
					message: `Node ${about} event: Registered Node ${about} in Controller`,
				};
			case 'RemovingNode':
				return {
					...ofNode,
					type: 'Normal',
					reason,
					message: `Node ${about} event: Removing Node ${about} from Controller`,
				};
			case 'NodeNotReady': {
				// The same word is said of a node and of each of its pods.
				if (about.includes('/')) {
					const ofItsPod = {...ofPod, component: nodeController};
					return {...ofItsPod, type: 'Warning', reason, message: 'Node is not ready'};
				}
				return {...ofNode, type: 'Normal', reason, message: `Node ${about} status is now: NodeNotReady`};
			}
			case 'DeletingAllPods':
				return {
					...ofNode,
					type: 'Normal',
					reason,
					message: `Node ${about} event: Deleting all Pods from Node ${about}.`,
				};
			case 'NodeControllerEviction':
				return {
					...ofPod,
					component: nodeController,
					type: 'Normal',
					reason,
					message: `Marking for deletion Pod ${about.split('/')[1]} from its node`,
				};
			case 'MarkingForDeletion':
			case 'CancellingDeletion': {
				const what = reason === 'MarkingForDeletion' ? 'Marking for deletion' : 'Cancelling deletion of';
				return {...ofPod, type: 'Normal', reason: 'TaintManagerEviction', message: `${what} Pod ${about}`};
			}
		}
	}

	// The store tells the uids, as it holds what has just gone.
	#node(name: string): DemoEvent['involvedObject'] {
		return {kind: 'Node', name, uid: this.#store.get('nodes', name)?.metadata.uid ?? ''};
	}

	#pod(key: string): DemoEvent['involvedObject'] {
		const [namespace = '', name = ''] = key.split('/');
		return {kind: 'Pod', namespace, name, uid: this.#store.get('pods', name, namespace)?.metadata.uid ?? ''};
	}
}
