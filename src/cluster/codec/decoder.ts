import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {DeviceObject} from '../../core/model/device.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import {decodeDeviceObject} from './decodeDevices.ts';
import {decodeEvent} from './decodeEvent.ts';
import {decodeLeaderEndpoints, decodeLease} from './decodeLease.ts';
import {decodeNode} from './decodeNode.ts';
import {decodePod, PodParts} from './decodePod.ts';

/** Decodes API objects of lists, watches and dumps into the model. Never throws: unreadable ones become undefined, and count. */
export class Decoder {
	readonly #podParts = new PodParts();
	readonly #flaws = new Map<string, number>();

	readonly node = (value: unknown): Node | undefined => decodeNode(value, this.report);
	readonly pod = (value: unknown): Pod | undefined => decodePod(value, this.#podParts, this.report);
	readonly lease = (value: unknown): Lease | undefined => decodeLease(value, this.report);
	/** The election record of a controller manager that uses Endpoints. */
	readonly leaderEndpoints = (value: unknown): Lease | undefined => decodeLeaderEndpoints(value, this.report);
	readonly event = (value: unknown): ClusterEvent | undefined => decodeEvent(value, this.report);

	/** A ResourceSlice, ResourceClaim or DeviceTaintRule. */
	readonly deviceObject = (kind: DeviceObject['kind'], value: unknown): DeviceObject | undefined =>
		decodeDeviceObject(kind, value, this.report);

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
