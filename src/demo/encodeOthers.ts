import type {Instant} from '../core/time/instant.ts';
import type {ApiObject} from './apiObject.ts';
import {encodeTime} from './encodeTime.ts';

/** A namespace in use. */
export const encodeNamespace = (name: string, createdAt: Instant): ApiObject => ({
	apiVersion: 'v1',
	kind: 'Namespace',
	metadata: {
		name,
		creationTimestamp: encodeTime(createdAt),
		labels: {'kubernetes.io/metadata.name': name},
	},
	spec: {finalizers: ['kubernetes']},
	status: {phase: 'Active'},
});

/** Something that a component reported about an object. */
export type DemoEvent = {
	readonly involvedObject: {
		readonly kind: string;
		readonly namespace?: string;
		readonly name: string;
		readonly uid: string;
	};
	readonly type: 'Normal' | 'Warning';
	readonly reason: string;
	readonly message: string;
	/** Who reports: node-controller, taint-eviction-controller, kubelet. */
	readonly component: string;
	readonly at: Instant;
};

/** A core/v1 Event. As in a cluster, events about cluster-wide objects lie in the namespace `default`. */
export function encodeEvent({involvedObject, type, reason, message, component, at}: DemoEvent): ApiObject {
	const time = encodeTime(at);
	const namespace = involvedObject.namespace ?? 'default';
	return {
		apiVersion: 'v1',
		kind: 'Event',
		metadata: {
			// Named as client-go does, by the nanoseconds of its time, so that later ones sort later; the reason keeps
			// two of one instant apart.
			name: `${involvedObject.name}.${Math.floor(at * 1_000_000).toString(16)}.${reason.toLowerCase()}`,
			namespace,
			creationTimestamp: time,
		},
		involvedObject: {apiVersion: 'v1', ...involvedObject},
		type,
		reason,
		message,
		source: {component},
		reportingComponent: component,
		firstTimestamp: time,
		lastTimestamp: time,
		count: 1,
	};
}
