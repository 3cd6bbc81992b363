import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject} from './apiObject.ts';
import {encodeTime} from './encodeMeta.ts';

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
	/** The node of whoever reports, where that is a kubelet. */
	readonly host?: string;
	/** When it was recorded first. */
	readonly at: Instant;
	readonly lastAt: Instant;
	/** When the API server took it first: its turn may have come late. */
	readonly postedAt: Instant;
	readonly count: number;
};

/** A core/v1 Event. As in a cluster, events about cluster-wide objects lie in the namespace `default`. */
export function encodeEvent(event: DemoEvent): ApiObject {
	const {involvedObject, type, reason, message, component, host, at, lastAt, postedAt, count} = event;
	const namespace = involvedObject.namespace ?? 'default';
	return {
		apiVersion: 'v1',
		kind: 'Event',
		metadata: {
			// Named as client-go does, by the nanoseconds of its time. No two are of one nanosecond in a real cluster: here
			// a few of them, by the message, keep two of one instant apart.
			name: `${involvedObject.name}.${(BigInt(Math.floor(at)) * 1_000_000n + nanoseconds(at, reason + message)).toString(16)}`,
			namespace,
			creationTimestamp: encodeTime(postedAt),
		},
		involvedObject: {apiVersion: 'v1', ...involvedObject},
		type,
		reason,
		message,
		source: {component, ...(host !== undefined && {host})},
		reportingComponent: component,
		firstTimestamp: encodeTime(at),
		lastTimestamp: encodeTime(lastAt),
		count,
	};
}

const nanoseconds = (at: Instant, message: string): bigint =>
	BigInt(
		Math.floor((at % 1) * 1000) * 1000 +
			[...message].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1000, 0),
	);
