import {compareValues} from '../collections/compareValues.ts';
import type {Device, DeviceIdentity, DeviceTaint, ResourceSlice} from '../model/device.ts';

type TaintedDevice = {readonly device: string; readonly taint: DeviceTaint};
type PoolIdentity = Pick<DeviceIdentity, 'driver' | 'pool'>;

const poolKey = ({driver, pool}: PoolIdentity) => `${driver} ${pool}`;

/**
 * All slices, by pool. Only the newest generation of each pool counts.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go pool
 */
export class DevicePools {
	#pools = new Map<string, ReadonlyMap<string, ResourceSlice>>();

	device(of: DeviceIdentity): {readonly slice: ResourceSlice; readonly device: Device} | undefined {
		for (const slice of this.#newest(of)) {
			const device = slice.devices.find(({name}) => name === of.device);
			if (device) return {slice, device};
		}
		return undefined;
	}

	/**
	 * Replaces one version of a slice with another.
	 *
	 * @returns the devices of its pool whose NoExecute taints have changed
	 * @quirk devices that come in the order of names before or behind a change may count as modified, too
	 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go handleSliceChange
	 */
	replace(before: ResourceSlice | undefined, after: ResourceSlice | undefined): ReadonlySet<string> {
		const of = after ?? before;
		if (!of) return new Set();
		const old = this.#tainted(of);
		const slices = new Map(this.#pools.get(poolKey(of)));
		if (before) slices.delete(before.name);
		if (after) slices.set(after.name, after);
		if (slices.size === 0) this.#pools.delete(poolKey(of));
		else this.#pools.set(poolKey(of), slices);
		return differing(old, this.#tainted(of));
	}

	#newest(of: PoolIdentity): readonly ResourceSlice[] {
		const slices = [...(this.#pools.get(poolKey(of))?.values() ?? [])];
		const newest = slices.reduce(
			(most, {generation}) => Math.max(most, generation),
			Number.NEGATIVE_INFINITY,
		);
		return slices.filter(({generation}) => generation === newest);
	}

	/** Sorted by device name. */
	#tainted(of: PoolIdentity): readonly TaintedDevice[] {
		return this.#newest(of)
			.flatMap(({devices}) =>
				devices.flatMap(({name, taints}) =>
					taints
						.filter(({effect}) => effect === 'NoExecute')
						.map((taint): TaintedDevice => ({device: name, taint})),
				),
			)
			.toSorted((a, b) => compareValues(a.device, b.device));
	}
}

function differing(old: readonly TaintedDevice[], young: readonly TaintedDevice[]): ReadonlySet<string> {
	const modified = new Set<string>();
	let [o, n] = [0, 0];
	while (o < old.length || n < young.length) {
		for (let [a, b] = [old[o], young[n]]; a && a.device === b?.device; [a, b] = [old[o], young[n]]) {
			if (!isSameTaint(a.taint, b.taint)) modified.add(a.device);
			[o, n] = [o + 1, n + 1];
		}
		for (let a = old[o]; a && a.device !== young[n]?.device; a = old[o]) {
			modified.add(a.device);
			o += 1;
		}
		const added = young[n];
		if (added && added.device !== old[o]?.device) {
			modified.add(added.device);
			n += 1;
		}
	}
	return modified;
}

const isSameTaint = (a: DeviceTaint, b: DeviceTaint) =>
	a.key === b.key && a.value === b.value && a.effect === b.effect && a.timeAdded === b.timeAdded;
