import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {type DeviceKind, type DeviceObject, deviceObjectKey} from '../../core/model/device.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Observation} from '../../core/model/observation.ts';
import {namesInKey, type Pod, podKey} from '../../core/model/pod.ts';
import {type RepairObject, repairKey} from '../../core/model/repairObject.ts';
import {decodeRepair} from './decodeRepair.ts';
import type {Decoder} from './decoder.ts';

/** How the objects of a kind are decoded, told apart, and reported as observations. */
export type ObservedKind<T> = {
	decode(value: unknown): T | undefined;
	keyOf(object: T): string;
	applied(object: T): Observation;
	deleted(key: string): Observation;
};

export const observedNode = ({node: decode}: Decoder): ObservedKind<Node> => ({
	decode,
	keyOf: nameOf,
	applied: (node) => ({type: 'nodeApplied', node}),
	deleted: (name) => ({type: 'nodeDeleted', name}),
});

export const observedPod = ({pod: decode}: Decoder): ObservedKind<Pod> => ({
	decode,
	keyOf: podKey,
	applied: (pod) => ({type: 'podApplied', pod}),
	deleted: (key) => ({type: 'podDeleted', ...namesInKey(key)}),
});

export const observedLease = ({lease: decode}: Decoder): ObservedKind<Lease> => ({
	decode,
	keyOf: podKey,
	applied: (lease) => ({type: 'leaseApplied', lease}),
	deleted: (key) => ({type: 'leaseDeleted', ...namesInKey(key)}),
});

export const observedEvent = ({event: decode}: Decoder): ObservedKind<ClusterEvent> => ({
	decode,
	keyOf: podKey,
	applied: (event) => ({type: 'eventApplied', event}),
	deleted: (key) => ({type: 'eventDeleted', ...namesInKey(key)}),
});

export const observedDevice = (kind: DeviceKind, {deviceObject}: Decoder): ObservedKind<DeviceObject> => ({
	decode: (value) => deviceObject(kind, value),
	keyOf: deviceObjectKey,
	applied: (object) => ({type: 'deviceObjectApplied', object}),
	deleted: (key) => ({type: 'deviceObjectDeleted', kind, key}),
});

export const observedRepair = (kind: RepairObject['kind'], group: string): ObservedKind<RepairObject> => ({
	decode: (value) => decodeRepair(kind, group, value),
	keyOf: repairKey,
	applied: (object) => ({type: 'repairApplied', object}),
	deleted: (key) => ({type: 'repairDeleted', key}),
});
