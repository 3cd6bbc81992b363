import type {
	ResourceV1ResourceClaim,
	V1AllocationResult,
	V1beta2DeviceTaintRule,
	V1beta2DeviceTaintRuleSpec,
	V1beta2DeviceTaintSelector,
	V1Device,
	V1DeviceAllocationResult,
	V1DeviceRequestAllocationResult,
	V1DeviceTaint,
	V1ObjectMeta,
	V1OwnerReference,
	V1ResourceClaimConsumerReference,
	V1ResourceClaimStatus,
	V1ResourcePool,
	V1ResourceSlice,
	V1ResourceSliceSpec,
} from '@kubernetes/client-node';
import type {
	DeviceKind,
	DeviceObject,
	DeviceTaint,
	DeviceTaintRule,
	ResourceClaim,
	ResourceSlice,
} from '../../core/model/device.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {decodeToleration} from './decodePod.ts';
import {eachOf, type Fields, fieldsOf, numberOf, present, textOf} from './rawJson.ts';
import {decodeTime, isNamespaceName, isObjectName} from './values.ts';

/** Reads an object of dynamic resource allocation; undefined where its names cannot be. */
export function decodeDeviceObject(
	kind: DeviceKind,
	value: unknown,
	report: ReportFlaw,
): DeviceObject | undefined {
	const metadata = fieldsOf<V1ObjectMeta>(fieldsOf<{metadata: unknown}>(value).metadata);
	const decoded = {
		ResourceSlice: () => decodeSlice(value, metadata),
		ResourceClaim: () => decodeClaim(value, metadata, report),
		DeviceTaintRule: () => decodeRule(value, metadata),
	}[kind]();
	const hasNames =
		isObjectName(textOf(metadata.name)) && namesOf(decoded).every((name) => isDeviceName(name));
	if (hasNames && (decoded.kind !== 'ResourceClaim' || isNamespaceName(decoded.namespace))) return decoded;
	report(`${kind} with a name that no API server takes`);
	return undefined;
}

/** Pools may have several names, separated by slashes. */
const isDeviceName = (name: string): boolean => name.split('/').every(isObjectName);

function namesOf(object: DeviceObject): readonly string[] {
	switch (object.kind) {
		case 'ResourceSlice':
			return [object.driver, object.pool, ...object.devices.map(({name}) => name)];
		case 'ResourceClaim':
			return (object.allocated ?? []).flatMap(({driver, pool, device}) => [driver, pool, device]);
		case 'DeviceTaintRule':
			return Object.values(object.selector ?? {});
	}
}

function decodeSlice(value: unknown, {name}: Fields<V1ObjectMeta>): ResourceSlice {
	const spec = fieldsOf<V1ResourceSliceSpec>(fieldsOf<V1ResourceSlice>(value).spec);
	const pool = fieldsOf<V1ResourcePool>(spec.pool);
	return {
		kind: 'ResourceSlice',
		name: textOf(name),
		driver: textOf(spec.driver),
		pool: textOf(pool.name),
		generation: numberOf(pool.generation) ?? 0,
		...present('nodeName', textOf(spec.nodeName) || undefined),
		devices: eachOf(spec.devices, (entry) => {
			const device = fieldsOf<V1Device>(entry);
			return {
				name: textOf(device.name),
				...present('nodeName', textOf(device.nodeName) || undefined),
				taints: eachOf(device.taints, decodeDeviceTaint),
			};
		}),
	};
}

function decodeClaim(
	value: unknown,
	{namespace, name, uid, ownerReferences}: Fields<V1ObjectMeta>,
	report: ReportFlaw,
): ResourceClaim {
	const {allocation, reservedFor} = fieldsOf<V1ResourceClaimStatus>(
		fieldsOf<ResourceV1ResourceClaim>(value).status,
	);
	const owner = eachOf(ownerReferences, (entry) => fieldsOf<V1OwnerReference>(entry)).find(
		({controller}) => controller === true,
	);
	const {results} = fieldsOf<V1DeviceAllocationResult>(fieldsOf<V1AllocationResult>(allocation).devices);
	return {
		kind: 'ResourceClaim',
		namespace: textOf(namespace),
		name: textOf(name),
		uid: textOf(uid),
		...present('ownerUid', owner && textOf(owner.uid)),
		...((allocation ?? undefined) !== undefined && {
			allocated: eachOf(results, (entry) => {
				const {driver, pool, device, tolerations} = fieldsOf<V1DeviceRequestAllocationResult>(entry);
				return {
					driver: textOf(driver),
					pool: textOf(pool),
					device: textOf(device),
					tolerations: eachOf(tolerations, (toleration) => decodeToleration(toleration, report)),
				};
			}),
		}),
		reservedFor: eachOf(reservedFor, (entry) => {
			const consumer = fieldsOf<V1ResourceClaimConsumerReference>(entry);
			const isPod = textOf(consumer.apiGroup) === '' && consumer.resource === 'pods';
			return isPod ? {name: textOf(consumer.name), uid: textOf(consumer.uid)} : undefined;
		}),
	};
}

function decodeRule(value: unknown, {name, uid}: Fields<V1ObjectMeta>): DeviceTaintRule {
	const {deviceSelector, taint} = fieldsOf<V1beta2DeviceTaintRuleSpec>(
		fieldsOf<V1beta2DeviceTaintRule>(value).spec,
	);
	const {driver, pool, device} = fieldsOf<V1beta2DeviceTaintSelector>(deviceSelector);
	const selected = (text: unknown) => (typeof text === 'string' ? text : undefined);
	return {
		kind: 'DeviceTaintRule',
		name: textOf(name),
		uid: textOf(uid),
		...((deviceSelector ?? undefined) !== undefined && {
			selector: {
				...present('driver', selected(driver)),
				...present('pool', selected(pool)),
				...present('device', selected(device)),
			},
		}),
		taint: decodeDeviceTaint(taint),
	};
}

function decodeDeviceTaint(value: unknown): DeviceTaint {
	const {key, value: text, effect, timeAdded} = fieldsOf<V1DeviceTaint>(value);
	return {
		...{key: textOf(key), value: textOf(text), effect: textOf(effect)},
		...present('timeAdded', decodeTime(timeAdded)),
	};
}
