import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject} from './apiObject.ts';
import {encodeTime} from './encodeMeta.ts';

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
	/** The reporting component: node-controller, taint-eviction-controller, kubelet. */
	readonly component: string;
	/** The reporting kubelet's node. */
	readonly host?: string;
	/** When it was first recorded. */
	readonly at: Instant;
	readonly lastAt: Instant;
	/** When it was first posted, which may be later than recorded. */
	readonly postedAt: Instant;
	readonly count: number;
};

/** A core/v1 Event. Events about cluster-wide objects are in the namespace `default`, as in a real cluster. */
export function encodeEvent(event: DemoEvent): ApiObject {
	const {involvedObject, type, reason, message, component, host, at, lastAt, postedAt, count} = event;
	const namespace = involvedObject.namespace ?? 'default';
	return {
		apiVersion: 'v1',
		kind: 'Event',
		metadata: {
			// Named by the nanoseconds of its time, as client-go does. Events at the same instant get different
			// nanoseconds, derived from their messages; in a real cluster no two are of the same nanosecond.
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
