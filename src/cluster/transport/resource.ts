import {
	type ClusterEvent,
	cloudEventSource,
	clusterEventNamespace,
	nodeEventSource,
} from '../../core/model/clusterEvent.ts';
import type {DeviceKind, DeviceObject} from '../../core/model/device.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {profileFor, settingsFor} from '../../core/model/versionProfile.ts';
import {differenceOf, isSettableIn} from '../../core/model/versionTable.ts';
import type {Decoder, ObservedKind} from '../codec/decoder.ts';
import type {Message} from '../codec/wire/message.ts';
import {
	deviceObjectMessage,
	endpointsMessage,
	eventMessage,
	leaseMessage,
	nodeMessage,
	podMessage,
} from '../codec/wire/objects.ts';
import type {Selection} from './selection.ts';
import type {Query} from './transport.ts';

/** A collection of the API that can be listed. */
export type Listable<T> = Pick<Resource<T>, 'path' | 'query' | 'message' | 'decode'> & {
	/** The media types to ask for; by default protobuf, if its fields are known. */
	readonly accept?: string;
	/** Maximum number of attempts with a throttling server; 5 by default. */
	readonly maxAttempts?: number;
};

/** A collection of the API that can be listed and watched, and how to convert its objects. */
export type Resource<T> = ObservedKind<T> &
	Readonly<{
		/** Its name in problems: `Leases` gives LeasesForbidden. */
		name:
			| 'Nodes'
			| 'Leases'
			| 'LeaderLease'
			| 'LeaderEndpoints'
			| 'Pods'
			| 'Events'
			| 'NodeRepair'
			| `${DeviceKind}s`;
		path: string;
		query: Query;
		/** Whether nothing works without it. */
		isEssential: boolean;
		/** Whether it changes every few seconds, so that silence means a fault. */
		isLively: boolean;
		/** Whether gaps in it are harmless: its objects carry their own times, or its API may not be served. */
		mayBeMissed: boolean;
		/** Whether managedFields date each write but deletions, in releases that do so; not of pods, as binding keeps old times. */
		isDated: boolean;
		/** The protobuf fields of its objects; if absent, they are asked for as JSON, which is slower: they are read rarely. */
		message?: Message;
	}>;

/** The name of a kind's collection in a path. */
export const pluralOf = (kind: string): string => `${kind.toLowerCase()}s`;

/** The path of a collection, of one namespace if one is given. */
export const collectionPath = (apiVersion: string, plural: string, namespace = ''): string =>
	`/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/${namespace && `namespaces/${encodeURIComponent(namespace)}/`}${plural}`;

export const ordinary = {isEssential: false, isLively: false, mayBeMissed: false, isDated: false} as const;

export function nodes(decoder: Decoder): Resource<Node> {
	return {
		name: 'Nodes',
		path: collectionPath('v1', 'nodes'),
		query: {},
		...ordinary,
		isEssential: true,
		isDated: true,
		message: nodeMessage,
		...decoder.node,
	};
}

/** Kubelet heartbeats. */
export function nodeLeases(decoder: Decoder): Resource<Lease> {
	return leases('Leases', nodeLeaseNamespace, {}, decoder);
}

/** The election record: which controller manager leads, and since when. */
export function leaderLease(decoder: Decoder): Resource<Lease> {
	const {namespace, name} = controllerManagerLease;
	return leases('LeaderLease', namespace, {fieldSelector: `metadata.name=${name}`}, decoder);
}

/** The same for v1.16, which keeps it in an annotation of Endpoints. */
export function leaderEndpoints(decoder: Decoder): Resource<Lease> {
	const {namespace, name} = controllerManagerLease;
	return {
		...leaderLease(decoder),
		name: 'LeaderEndpoints',
		path: collectionPath('v1', 'endpoints', namespace),
		query: {fieldSelector: `metadata.name=${name}`},
		message: endpointsMessage,
		...decoder.leaderEndpoints,
	};
}

/** Whether a release uses only Endpoints for leader election. */
export const isLeaderInEndpoints = (version: string | undefined) =>
	version !== undefined && settingsFor(version).leaderElectResourceLock === 'endpoints';

/** Whether managedFields date the last write of an object; false for an unknown release. */
export const isDatingWrites = (version: string | undefined) =>
	version !== undefined && settingsFor(version).datesEachWrite;

/** Whether a release can evict without taints, and emits events for it. */
const isEvictingWithoutTaints = (version: string | undefined) =>
	version !== undefined && isSettableIn(differenceOf('podEvictionTimeout'), profileFor(version).minorVersion);

function leases(
	name: 'Leases' | 'LeaderLease',
	namespace: string,
	query: Query,
	decoder: Decoder,
): Resource<Lease> {
	return {
		name,
		path: collectionPath('coordination.k8s.io/v1', 'leases', namespace),
		query,
		...ordinary,
		isLively: true,
		isDated: true,
		message: leaseMessage,
		...decoder.lease,
	};
}

/** The pods of all namespaces or of one, filtered by a query. */
export function podsOf(namespace: string | undefined, decoder: Decoder, query: Query = {}): Resource<Pod> {
	return {
		name: 'Pods',
		path: collectionPath('v1', 'pods', namespace),
		query,
		...ordinary,
		message: podMessage,
		...decoder.pod,
	};
}

export const podsOnNode = (name: string, decoder: Decoder, labels: Query): Resource<Pod> =>
	podsOf(undefined, decoder, {...labels, fieldSelector: `spec.nodeName=${name}`});

/** The pods with this name, on any node. */
export const podsNamed = (name: string, decoder: Decoder): Resource<Pod> =>
	podsOf(undefined, decoder, {fieldSelector: `metadata.name=${name}`});

/** The events of the controllers. The server filters by reporter; events about nodes are in one namespace. */
export function events(
	{pods: scope, kubernetesVersion}: Selection,
	decoder: Decoder,
): readonly Resource<ClusterEvent>[] {
	const collection = (namespace: string | undefined, fieldSelector: string): Resource<ClusterEvent> => ({
		name: 'Events',
		path: collectionPath('v1', 'events', namespace),
		query: {fieldSelector},
		message: eventMessage,
		...ordinary,
		mayBeMissed: true,
		...decoder.event,
	});
	// Until v1.26 only the source names the reporter, and the evicting controller had another name.
	const ofPods = [
		'reason=TaintManagerEviction',
		// By the owners of pods, as they scale down.
		'reason=SuccessfulDelete',
		...(isEvictingWithoutTaints(kubernetesVersion) ? ['reason=NodeControllerEviction'] : []),
	];
	const podNamespace = scope.type === 'namespace' ? scope.namespace : undefined;
	const hasPods = scope.type !== 'nodes' || scope.nodes.length > 0;
	return [
		...[nodeEventSource, cloudEventSource].map((source) =>
			collection(clusterEventNamespace, `source=${source},involvedObject.kind=Node`),
		),
		...(hasPods ? ofPods.map((reason) => collection(podNamespace, reason)) : []),
	];
}

/** The objects that matter for device evictions: slices, which drivers taint, claims, which pods use, and taint rules. */
export const deviceObjects = (
	kind: DeviceKind,
	apiVersion: string,
	decoder: Decoder,
): Resource<DeviceObject> => ({
	name: `${kind}s`,
	path: collectionPath(apiVersion, pluralOf(kind)),
	query: {},
	...ordinary,
	mayBeMissed: true,
	message: deviceObjectMessage(kind, /v1beta1$|v1alpha3$/.test(apiVersion)),
	...decoder.device(kind),
});

/** Whether a release may evict for device taints; true for an unknown release. */
export const mayTaintDevices = (version: string | undefined) =>
	isSettableIn(differenceOf('deviceTaints'), profileFor(version).minorVersion);

/** Whether it does so by default: then forbidden resources are reported. */
export const taintsDevicesByDefault = (version: string | undefined): boolean =>
	profileFor(version).minorVersion >= 36;
