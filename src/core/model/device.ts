import type {Instant} from '../time/instant.ts';
import type {ObjectName} from './objectName.ts';
import type {Toleration} from './toleration.ts';

/** A taint of a device; the API server sets `timeAdded` if the driver does not. */
export type DeviceTaint = Readonly<{
	key: string;
	value: string;
	effect: string;
	timeAdded?: Instant | undefined;
}>;

export type Device = {
	readonly name: string;
	/** The device's node, if each device of the slice names its own. */
	readonly nodeName?: string | undefined;
	readonly taints: readonly DeviceTaint[];
};

/** Identifies a device: drivers name their pools, and pools their devices. */
export type DeviceIdentity = {readonly driver: string; readonly pool: string; readonly device: string};

/** All or some of the devices that a driver publishes of one pool. */
export type ResourceSlice = Readonly<{
	kind: 'ResourceSlice';
	name: string;
	driver: string;
	pool: string;
	/** Slices of an older generation than another slice of their pool are ignored. */
	generation: number;
	/** Absent if the devices do not belong to one node. */
	nodeName?: string | undefined;
	devices: readonly Device[];
}>;

/** A claim of devices. Only the pods in `reservedFor` use it. */
export type ResourceClaim = ObjectName &
	Readonly<{
		kind: 'ResourceClaim';
		uid: string;
		/** The UID of the controlling owner: the pod for which the claim was made from a template. */
		ownerUid?: string | undefined;
		/** Absent until it is allocated. */
		allocated?: readonly (DeviceIdentity & {readonly tolerations: readonly Toleration[]})[] | undefined;
		reservedFor: readonly {readonly name: string; readonly uid: string}[];
	}>;

/** Taints all devices that its selector matches; none if it has no selector. */
export type DeviceTaintRule = Readonly<{
	kind: 'DeviceTaintRule';
	name: string;
	uid: string;
	selector?: Partial<DeviceIdentity> | undefined;
	taint: DeviceTaint;
}>;

/** All kinds: those that add taints come before those that use devices. Only claims have a namespace. */
export const deviceKinds = ['ResourceSlice', 'DeviceTaintRule', 'ResourceClaim'] as const;

export type DeviceObject = ResourceSlice | ResourceClaim | DeviceTaintRule;
export type DeviceKind = DeviceObject['kind'];

/** A claim that a pod refers to. */
export type PodClaim = {
	readonly name: string;
	/** Whether it was made from a template for this pod, which must then own it. */
	readonly isGenerated: boolean;
	/** Whether the scheduler made it, for the pod's extended resources. */
	readonly isExtended?: true;
};

/** The namespace, if it has one, and the name. */
export const deviceObjectKey = (object: DeviceObject): string =>
	object.kind === 'ResourceClaim' ? `${object.namespace}/${object.name}` : object.name;
