import {type ClusterEvent, clusterEventNamespace, nodeEventSource} from '../../core/model/clusterEvent.ts';
import {type DeviceKind, type DeviceObject, deviceObjectKey} from '../../core/model/device.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {namesInKey, type Pod, podKey} from '../../core/model/pod.ts';
import {profileFor, settingsFor} from '../../core/model/versionProfile.ts';
import {differenceOf, isSettableIn} from '../../core/model/versionTable.ts';
import type {Decoder} from '../codec/decoder.ts';
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
export type Listable<T> = Pick<Resource<T>, 'path' | 'query' | 'message' | 'decode'>;

/** A collection of the API that can be listed and watched, and what its objects mean to us. */
export type Resource<T> = {
	/** How problems name it: `Leases` gives LeasesForbidden. */
	readonly name:
		| 'Nodes'
		| 'Leases'
		| 'LeaderLease'
		| 'LeaderEndpoints'
		| 'Pods'
		| 'Events'
		| 'NodeRepair'
		| `${DeviceKind}s`;
	readonly path: string;
	readonly query: Query;
	/** Whether there is nothing to show without it. */
	readonly isEssential: boolean;
	/** Whether it is written every few seconds, so that silence means that something is wrong. */
	readonly isLively: boolean;
	/** Whether a gap in it tells nothing and costs nothing: its objects carry their own times, or its API may not be served. */
	readonly mayBeMissed: boolean;
	/**
	 * Whether the managedFields of its objects tell of each write, but for a deletion, where the release has them do that.
	 * Those of pods do not: a pod that is bound keeps the times that it had.
	 */
	readonly isDated: boolean;
	/** Its objects in protobuf. */
	readonly message: Message;
	readonly decode: (value: unknown) => T | undefined;
	readonly keyOf: (object: T) => string;
	readonly applied: (object: T) => Observation;
	readonly deleted: (key: string) => Observation;
};

/** What goes for collections of which nothing is special. */
export const ordinary = {isEssential: false, isLively: false, mayBeMissed: false, isDated: false} as const;

export function nodes(decoder: Decoder): Resource<Node> {
	return {
		name: 'Nodes',
		path: '/api/v1/nodes',
		query: {},
		...ordinary,
		isEssential: true,
		isDated: true,
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

/** The same where it is no lease: v1.16 keeps it in an annotation of Endpoints. */
export function leaderEndpoints(decoder: Decoder): Resource<Lease> {
	const {namespace, name} = controllerManagerLease;
	return {
		...leaderLease(decoder),
		name: 'LeaderEndpoints',
		path: `/api/v1/namespaces/${namespace}/endpoints`,
		query: {fieldSelector: `metadata.name=${name}`},
		message: endpointsMessage,
		decode: decoder.leaderEndpoints,
	};
}

/** Whether the leader of a release shows itself in Endpoints alone. */
export const isLeaderInEndpoints = (version: string | undefined): boolean =>
	version !== undefined && settingsFor(version).leaderElectResourceLock === 'endpoints';

/** Whether managedFields tell when an object was written last; of a release that is not known, that is not known. */
export const isDatingWrites = (version: string | undefined): boolean =>
	version !== undefined && settingsFor(version).datesEachWrite;

/** Whether the controllers of a release can evict without taints, and then say so. */
const isEvictingWithoutTaints = (version: string | undefined): boolean =>
	version !== undefined && isSettableIn(differenceOf('podEvictionTimeout'), profileFor(version).minorVersion);

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
		...ordinary,
		isLively: true,
		isDated: true,
		message: leaseMessage,
		decode: decoder.lease,
		keyOf: podKey,
		applied: (lease) => ({type: 'leaseApplied', lease}),
		deleted: (key) => ({type: 'leaseDeleted', ...namesInKey(key)}),
	};
}

/** The pods of all namespaces, or of one, as a query narrows them. */
export function podsOf(namespace: string | undefined, decoder: Decoder, query: Query = {}): Resource<Pod> {
	return {
		name: 'Pods',
		path:
			namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
		query,
		...ordinary,
		message: podMessage,
		decode: decoder.pod,
		keyOf: podKey,
		applied: (pod) => ({type: 'podApplied', pod}),
		deleted: (key) => ({type: 'podDeleted', ...namesInKey(key)}),
	};
}

export const podsOnNode = (name: string, decoder: Decoder, labels: Query): Resource<Pod> =>
	podsOf(undefined, decoder, {...labels, fieldSelector: `spec.nodeName=${name}`});

/** The pods of a name, wherever they run. */
export const namedPod = (namespace: string | undefined, name: string, decoder: Decoder): Resource<Pod> =>
	podsOf(namespace, decoder, {fieldSelector: `metadata.name=${name}`});

/**
 * What the node lifecycle and taint-eviction controllers report. Everybody's events lie together: the server picks out
 * those of the two, and events about nodes are in one namespace.
 */
export function events(
	{pods: scope, kubernetesVersion}: Selection,
	decoder: Decoder,
): readonly Resource<ClusterEvent>[] {
	const collection = (path: string, fieldSelector: string): Resource<ClusterEvent> => ({
		name: 'Events',
		path,
		query: {fieldSelector},
		message: eventMessage,
		...ordinary,
		mayBeMissed: true,
		decode: decoder.event,
		keyOf: podKey,
		applied: (event) => ({type: 'eventApplied', event}),
		deleted: (key) => ({type: 'eventDeleted', ...namesInKey(key)}),
	});
	const inNamespace = (namespace: string) => `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
	// Until 1.26 nobody said who reports but in the source; and who evicts had another name.
	const ofNodes = `source=${nodeEventSource},involvedObject.kind=Node`;
	const ofPods = [
		'reason=TaintManagerEviction',
		...(isEvictingWithoutTaints(kubernetesVersion) ? ['reason=NodeControllerEviction'] : []),
	];
	const podPath = scope.type === 'namespace' ? inNamespace(scope.namespace) : '/api/v1/events';
	const hasPods = scope.type !== 'nodes' || scope.nodes.length > 0;
	return [
		collection(inNamespace(clusterEventNamespace), ofNodes),
		...(hasPods ? ofPods.map((reason) => collection(podPath, reason)) : []),
	];
}

/** The collections of devices, as paths name them. */
export const deviceCollections: Readonly<Record<DeviceKind, string>> = {
	ResourceSlice: 'resourceslices',
	ResourceClaim: 'resourceclaims',
	DeviceTaintRule: 'devicetaintrules',
};

/** The versions of their API that can be read. */
export const deviceVersions = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'] as const;

/** What evicts pods for their devices: slices, whose drivers taint them, claims, which pods use, and rules. */
export const deviceObjects = (
	kind: DeviceKind,
	version: (typeof deviceVersions)[number],
	decoder: Decoder,
): Resource<DeviceObject> => ({
	name: `${kind}s`,
	path: `/apis/resource.k8s.io/${version}/${deviceCollections[kind]}`,
	query: {},
	...ordinary,
	mayBeMissed: true,
	message: deviceObjectMessage(kind, version === 'v1beta1' || version === 'v1alpha3'),
	decode: (value) => decoder.deviceObject(kind, value),
	keyOf: deviceObjectKey,
	applied: (object) => ({type: 'deviceObjectApplied', object}),
	deleted: (key) => ({type: 'deviceObjectDeleted', kind, key}),
});

/** Whether the controllers of a release may evict for taints of devices; of one that is not known, they may. */
export const mayTaintDevices = (version: string | undefined): boolean =>
	isSettableIn(differenceOf('deviceTaints'), profileFor(version).minorVersion);

/** Whether they do unless they are told not to: then it matters what may not be read. */
export const taintsDevicesByDefault = (version: string | undefined): boolean =>
	profileFor(version).minorVersion >= firstWithDeviceTaints;

const firstWithDeviceTaints = 36;
