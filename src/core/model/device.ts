import type {Instant} from '../time/instant.ts';
import type {Toleration} from './toleration.ts';

/** A taint of a device; the API server sets `timeAdded` where a driver does not. */
export type DeviceTaint = {
	readonly key: string;
	readonly value: string;
	readonly effect: string;
	readonly timeAdded?: Instant;
};

export type Device = {
	readonly name: string;
	/** The one node that has it, where each device of a slice has its own. */
	readonly nodeName?: string;
	readonly taints: readonly DeviceTaint[];
};

/** Which device: drivers name their pools, and pools their devices. */
export type DeviceIdentity = {readonly driver: string; readonly pool: string; readonly device: string};

/** The devices that a driver publishes of a pool, or some of them. */
export type ResourceSlice = {
	readonly kind: 'ResourceSlice';
	readonly name: string;
	readonly driver: string;
	readonly pool: string;
	/** Slices of an older generation than another of their pool do not count. */
	readonly generation: number;
	/** Absent where its devices are not of one node. */
	readonly nodeName?: string;
	readonly devices: readonly Device[];
};

/** A claim of devices. Only pods that it is reserved for use it. */
export type ResourceClaim = {
	readonly kind: 'ResourceClaim';
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	/** Of what controls it: the pod for which it was made of a template. */
	readonly ownerUid?: string;
	/** Absent while it is not allocated. */
	readonly allocated?: readonly (DeviceIdentity & {readonly tolerations: readonly Toleration[]})[];
	readonly reservedFor: readonly {readonly name: string; readonly uid: string}[];
};

/** Taints all devices that its selector names; without a selector, none. */
export type DeviceTaintRule = {
	readonly kind: 'DeviceTaintRule';
	readonly name: string;
	readonly uid: string;
	readonly selector?: Partial<DeviceIdentity>;
	readonly taint: DeviceTaint;
};

/** All kinds, those that taint before those that use. Claims alone have a namespace. */
export const deviceKinds = ['ResourceSlice', 'DeviceTaintRule', 'ResourceClaim'] as const;
export const isDeviceKind = (kind: string): kind is DeviceKind => deviceKinds.some((one) => one === kind);

export type DeviceObject = ResourceSlice | ResourceClaim | DeviceTaintRule;
export type DeviceKind = DeviceObject['kind'];

/** A claim that a pod names. */
export type PodClaim = {
	readonly name: string;
	/** Whether it was made of a template for the pod, and must be its own. */
	readonly isGenerated: boolean;
};

/** Its namespace, where it has one, and its name. */
export const deviceObjectKey = (object: DeviceObject): string =>
	object.kind === 'ResourceClaim' ? `${object.namespace}/${object.name}` : object.name;
