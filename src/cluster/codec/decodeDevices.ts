import type {
	ResourceV1ResourceClaim,
	V1beta1Device,
	V1beta2DeviceTaintRule,
	V1Device,
	V1ObjectMeta,
	V1ResourceSlice,
} from '@kubernetes/client-node';
import type {
	DeviceIdentity,
	DeviceKind,
	DeviceObject,
	DeviceTaint,
	DeviceTaintRule,
	ResourceClaim,
	ResourceSlice,
} from '../../core/model/device.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {decodeToleration} from './decodePod.ts';
import {objectOf} from './objectOf.ts';
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
	textIn,
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
	return void report(`${kind} with a name that no API server takes`);
}

const decodeDeviceTaint = objectOf<DeviceTaint>({
	key: textOf,
	value: textOf,
	effect: textOf,
	timeAdded: decodeTime,
});

/** A pool name may be several DNS names separated by slashes. */
const isDeviceName = (name: string) => name.split('/').every(isObjectName);

function namesOf(object: DeviceObject): readonly string[] {
	switch (object.kind) {
		case 'ResourceSlice':
			return [object.driver, object.pool, ...object.devices.map(nameOf)];
		case 'ResourceClaim':
			return (object.allocated ?? []).flatMap(({driver, pool, device}) => [driver, pool, device]);
		case 'DeviceTaintRule':
			return Object.values(object.selector ?? {});
	}
}

function decodeSlice(value: unknown, {name}: Fields<V1ObjectMeta>): ResourceSlice {
	const {spec} = partsOf<V1ResourceSlice>(value);
	return {
		kind: 'ResourceSlice',
		name: textOf(name),
		driver: textOf(spec.driver),
		pool: textOf(spec.pool?.name),
		generation: numberOf(spec.pool?.generation) ?? 0,
		nodeName: textIn(spec.nodeName),
		devices: eachOf(spec.devices, (entry) => {
			const {name: device, basic} = fieldsOf<V1beta1Device>(entry);
			const {nodeName, taints} = fieldsOf<V1Device>(basic ?? entry);
			return {
				name: textOf(device),
				nodeName: textIn(nodeName),
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
	return {
		kind: 'ResourceClaim',
		namespace: textOf(namespace),
		name: textOf(name),
		uid: textOf(uid),
		ownerUid: decodeOwner(ownerReferences)?.uid,
		allocated: allocation
			? eachOf(allocation.devices?.results, (result) => ({
					driver: textOf(result?.driver),
					pool: textOf(result?.pool),
					device: textOf(result?.device),
					tolerations: eachOf(result?.tolerations, (toleration) => decodeToleration(toleration, report)),
				}))
			: undefined,
		reservedFor: eachOf(reservedFor, (consumer) => {
			const isPod = textOf(consumer?.apiGroup) === '' && consumer?.resource === 'pods';
			return isPod ? {name: textOf(consumer.name), uid: textOf(consumer.uid)} : undefined;
		}),
	};
}

function decodeRule(value: unknown, {name, uid}: Fields<V1ObjectMeta>, report: ReportFlaw): DeviceTaintRule {
	const {deviceSelector, taint} = partsOf<V1beta2DeviceTaintRule>(value).spec;
	// Other criteria are not evaluated: the rule must not match more devices than it selects.
	const {deviceClassName = '', selectors} = fieldsOf<OldSelector>(deviceSelector);
	const isNarrower = deviceClassName !== '' || entriesOf(selectors).length > 0;
	if (isNarrower) report('DeviceTaintRule that selects by a class or an expression, which is not evaluated');
	const hasSelector = (deviceSelector ?? undefined) !== undefined && !isNarrower;
	return {
		kind: 'DeviceTaintRule',
		name: textOf(name),
		uid: textOf(uid),
		selector: hasSelector ? decodeDeviceSelector(deviceSelector) : undefined,
		taint: decodeDeviceTaint(taint),
	};
}

const selected = (text: unknown) => (typeof text === 'string' ? text : undefined);
const decodeDeviceSelector = objectOf<Partial<DeviceIdentity>>({
	driver: selected,
	pool: selected,
	device: selected,
});

/** Fields of v1alpha3 until v1.34. */
type OldSelector = {deviceClassName: unknown; selectors: unknown};
