import type {
	ResourceV1ResourceClaim,
	V1AllocationResult,
	V1beta1Device,
	V1beta2DeviceTaintRule,
	V1beta2DeviceTaintSelector,
	V1Device,
	V1DeviceAllocationResult,
	V1DeviceRequestAllocationResult,
	V1DeviceTaint,
	V1ObjectMeta,
	V1ResourceClaimConsumerReference,
	V1ResourcePool,
	V1ResourceSlice,
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
import {
	decodeOwner,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	fieldsOf,
	isNamespaceName,
	isObjectName,
	numberOf,
	partsOf,
	present,
	presentText,
	textOf,
} from './rawJson.ts';

/** Decodes an object of dynamic resource allocation; undefined if it has an invalid name. */
export function decodeDeviceObject(
	kind: DeviceKind,
	value: unknown,
	report: ReportFlaw,
): DeviceObject | undefined {
	const {metadata} = partsOf(value);
	const decoded = {
		ResourceSlice: () => decodeSlice(value, metadata),
		ResourceClaim: () => decodeClaim(value, metadata, report),
		DeviceTaintRule: () => decodeRule(value, metadata, report),
	}[kind]();
	const hasNames =
		isObjectName(textOf(metadata.name)) && namesOf(decoded).every((name) => isDeviceName(name));
	if (hasNames && (decoded.kind !== 'ResourceClaim' || isNamespaceName(decoded.namespace))) return decoded;
	report(`${kind} with a name that no API server takes`);
	return undefined;
}

/** A pool name may be several DNS names separated by slashes. */
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
	const {spec} = partsOf<V1ResourceSlice>(value);
	const pool = fieldsOf<V1ResourcePool>(spec.pool);
	return {
		kind: 'ResourceSlice',
		name: textOf(name),
		driver: textOf(spec.driver),
		pool: textOf(pool.name),
		generation: numberOf(pool.generation) ?? 0,
		...presentText('nodeName', textOf(spec.nodeName)),
		devices: eachOf(spec.devices, (entry) => {
			const {name: device, basic} = fieldsOf<V1beta1Device>(entry);
			const {nodeName, taints} = fieldsOf<V1Device>(basic ?? entry);
			return {
				name: textOf(device),
				...presentText('nodeName', textOf(nodeName)),
				taints: eachOf(taints, decodeDeviceTaint),
			};
		}),
	};
}

function decodeClaim(
	value: unknown,
	{namespace, name, uid, ownerReferences}: Fields<V1ObjectMeta>,
	report: ReportFlaw,
): ResourceClaim {
	const {allocation, reservedFor} = partsOf<ResourceV1ResourceClaim>(value).status;
	const {results} = fieldsOf<V1DeviceAllocationResult>(fieldsOf<V1AllocationResult>(allocation).devices);
	return {
		kind: 'ResourceClaim',
		namespace: textOf(namespace),
		name: textOf(name),
		uid: textOf(uid),
		...present('ownerUid', decodeOwner(ownerReferences)?.uid),
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

function decodeRule(value: unknown, {name, uid}: Fields<V1ObjectMeta>, report: ReportFlaw): DeviceTaintRule {
	const {deviceSelector, taint} = partsOf<V1beta2DeviceTaintRule>(value).spec;
	const {driver, pool, device, ...old} = fieldsOf<V1beta2DeviceTaintSelector & OldSelector>(deviceSelector);
	// Other criteria are not evaluated: the rule must not match more devices than it selects.
	const isNarrower = (old.deviceClassName ?? '') !== '' || entriesOf(old.selectors).length > 0;
	if (isNarrower) report('DeviceTaintRule that selects by a class or an expression, which is not evaluated');
	const selected = (text: unknown) => (typeof text === 'string' ? text : undefined);
	return {
		kind: 'DeviceTaintRule',
		name: textOf(name),
		uid: textOf(uid),
		...((deviceSelector ?? undefined) !== undefined &&
			!isNarrower && {
				selector: {
					...present('driver', selected(driver)),
					...present('pool', selected(pool)),
					...present('device', selected(device)),
				},
			}),
		taint: decodeDeviceTaint(taint),
	};
}

/** Fields of v1alpha3 until v1.34. */
type OldSelector = {deviceClassName: unknown; selectors: unknown};

function decodeDeviceTaint(value: unknown): DeviceTaint {
	const {key, value: text, effect, timeAdded} = fieldsOf<V1DeviceTaint>(value);
	return {
		...{key: textOf(key), value: textOf(text), effect: textOf(effect)},
		...present('timeAdded', decodeTime(timeAdded)),
	};
}
