import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {type Pod, podKey} from '../core/model/pod.ts';
import type {Decoder} from './decoder.ts';
import type {Query} from './transport.ts';
import type {Message} from './wireMessage.ts';
import {leaseMessage, nodeMessage, podMessage} from './wireObjects.ts';

/** A collection of the API that can be listed and watched, and what its objects mean to us. */
export type Resource<T> = {
	/** How problems name it: `Leases` gives LeasesForbidden. */
	readonly name: 'Nodes' | 'Leases' | 'LeaderLease' | 'Pods';
	readonly path: string;
	readonly query: Query;
	/** Whether there is nothing to show without it. */
	readonly isEssential: boolean;
	/** Whether it is written every few seconds, so that silence means that something is wrong. */
	readonly isLively: boolean;
	/** Its objects in protobuf. */
	readonly message: Message;
	readonly decode: (value: unknown) => T | undefined;
	readonly keyOf: (object: T) => string;
	readonly applied: (object: T) => Observation;
	readonly deleted: (key: string) => Observation;
};

export function nodes(decoder: Decoder): Resource<Node> {
	return {
		name: 'Nodes',
		path: '/api/v1/nodes',
		query: {},
		isEssential: true,
		isLively: false,
		message: nodeMessage,
		decode: decoder.node,
		keyOf: (node) => node.name,
		applied: (node) => ({type: 'nodeApplied', node}),
		deleted: (name) => ({type: 'nodeDeleted', name}),
	};
}

/** The kubelets' heartbeats. */
export function nodeLeases(decoder: Decoder): Resource<Lease> {
	return leases('Leases', nodeLeaseNamespace, {}, decoder);
}

/** The election record that tells which controller manager leads, and since when. */
export function leaderLease(decoder: Decoder): Resource<Lease> {
	const {namespace, name} = controllerManagerLease;
	return leases('LeaderLease', namespace, {fieldSelector: `metadata.name=${name}`}, decoder);
}

function leases(
	name: 'Leases' | 'LeaderLease',
	namespace: string,
	query: Query,
	decoder: Decoder,
): Resource<Lease> {
	return {
		name,
		path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
		query,
		isEssential: false,
		isLively: true,
		message: leaseMessage,
		decode: decoder.lease,
		keyOf: podKey,
		applied: (lease) => ({type: 'leaseApplied', lease}),
		deleted: (key) => ({type: 'leaseDeleted', ...namespacedName(key)}),
	};
}

/** The pods of all namespaces, or of one, as a query narrows them. */
export function podsOf(namespace: string | undefined, decoder: Decoder, query: Query = {}): Resource<Pod> {
	return {
		name: 'Pods',
		path:
			namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
		query,
		isEssential: false,
		isLively: false,
		message: podMessage,
		decode: decoder.pod,
		keyOf: podKey,
		applied: (pod) => ({type: 'podApplied', pod}),
		deleted: (key) => ({type: 'podDeleted', ...namespacedName(key)}),
	};
}

/** The pods of one node. */
export const podsOnNode = (name: string, decoder: Decoder, labels: Query = {}): Resource<Pod> =>
	podsOf(undefined, decoder, {...labels, fieldSelector: `spec.nodeName=${name}`});

/** The pods of a name, wherever they run. */
export const namedPod = (namespace: string | undefined, name: string, decoder: Decoder): Resource<Pod> =>
	podsOf(namespace, decoder, {fieldSelector: `metadata.name=${name}`});

function namespacedName(key: string): {readonly namespace: string; readonly name: string} {
	const [namespace = '', name = ''] = key.split('/');
	return {namespace, name};
}
