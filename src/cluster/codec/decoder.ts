import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {type DeviceKind, type DeviceObject, deviceObjectKey} from '../../core/model/device.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Observation} from '../../core/model/observation.ts';
import {namesInKey, type Pod, podKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type RepairObject, repairKey} from '../../core/model/repairObject.ts';
import {decodeDeviceObject} from './decodeDevices.ts';
import {decodeEvent} from './decodeEvent.ts';
import {decodeLeaderEndpoints, decodeLease} from './decodeLease.ts';
import {decodeNode} from './decodeNode.ts';
import {decodePod, PodParts} from './decodePod.ts';
import {decodeRepair} from './decodeRepair.ts';

/** How the objects of a kind are decoded, told apart, and reported as observations. */
export type ObservedKind<T> = {
	decode(value: unknown): T | undefined;
	keyOf(object: T): string;
	applied(object: T): Observation;
	deleted(key: string): Observation;
};

/** The same of objects of node repair, whose flaws are not counted. */
export const observedRepair = (kind: RepairObject['kind'], group: string): ObservedKind<RepairObject> => ({
	decode: (value) => decodeRepair(kind, group, value),
	keyOf: repairKey,
	applied: (object) => ({type: 'repairApplied', object}),
	deleted: (key) => ({type: 'repairDeleted', key}),
});

/** Decodes API objects of lists, watches and dumps into the model. Never throws: unreadable ones become undefined, and count. */
export class Decoder {
	readonly #podParts = new PodParts();
	readonly #flaws = new Map<string, number>();

	readonly node: ObservedKind<Node> = {
		decode: (value) => decodeNode(value, this.report),
		keyOf: nameOf,
		applied: (node) => ({type: 'nodeApplied', node}),
		deleted: (name) => ({type: 'nodeDeleted', name}),
	};
	readonly pod: ObservedKind<Pod> = {
		decode: (value) => decodePod(value, this.#podParts, this.report),
		keyOf: podKey,
		applied: (pod) => ({type: 'podApplied', pod}),
		deleted: (key) => ({type: 'podDeleted', ...namesInKey(key)}),
	};
	readonly lease: ObservedKind<Lease> = {
		decode: (value) => decodeLease(value, this.report),
		keyOf: podKey,
		applied: (lease) => ({type: 'leaseApplied', lease}),
		deleted: (key) => ({type: 'leaseDeleted', ...namesInKey(key)}),
	};
	/** The election record of a controller manager that uses Endpoints. */
	readonly leaderEndpoints: ObservedKind<Lease> = {
		...this.lease,
		decode: (value) => decodeLeaderEndpoints(value, this.report),
	};
	readonly event: ObservedKind<ClusterEvent> = {
		decode: (value) => decodeEvent(value, this.report),
		keyOf: podKey,
		applied: (event) => ({type: 'eventApplied', event}),
		deleted: (key) => ({type: 'eventDeleted', ...namesInKey(key)}),
	};

	readonly device = (kind: DeviceKind): ObservedKind<DeviceObject> => ({
		decode: (value) => decodeDeviceObject(kind, value, this.report),
		keyOf: deviceObjectKey,
		applied: (object) => ({type: 'deviceObjectApplied', object}),
		deleted: (key) => ({type: 'deviceObjectDeleted', kind, key}),
	});

	/** Counts a decoding error, such as `Node without a name`. */
	readonly report = (flaw: string) => {
		this.#flaws.set(flaw, (this.#flaws.get(flaw) ?? 0) + 1);
	};

	/** All decoding errors so far, as one problem; undefined if there are none. */
	get problem(): Problem | undefined {
		if (this.#flaws.size === 0) return undefined;
		const flaws = [...this.#flaws].map(([flaw, count]) => `${flaw} (${count})`);
		return {reason: 'ObjectsUnreadable', message: `not understood, left out: ${flaws.join(', ')}`};
	}
}
