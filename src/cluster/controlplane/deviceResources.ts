import {type DeviceObject, deviceKinds} from '../../core/model/device.ts';
import type {Decoder} from '../codec/decoder.ts';
import {hasStatus} from '../transport/requestError.ts';
import {deviceCollections, deviceObjects, deviceVersions, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';
import {discovered, groupVersionsOf, servedVersions} from './servedCollections.ts';

const group = 'resource.k8s.io';

/** The device collections that a cluster serves, each in the first version that has it, which need not be the same for all. */
export async function findDeviceResources(
	transport: Transport,
	decoder: Decoder,
	signal?: AbortSignal,
): Promise<readonly Resource<DeviceObject>[]> {
	const served = await servedNow(transport, signal).catch((error: unknown) => {
		// If discovery is forbidden, the collections that most clusters have may still be readable.
		if (!hasStatus(error, 403)) throw error;
		const {ResourceSlice, ResourceClaim} = deviceCollections;
		return new Map([ResourceSlice, ResourceClaim].map((name) => [name, `${group}/v1`]));
	});
	return deviceKinds.flatMap((kind) => {
		const version = deviceVersions.find((one) => served.get(deviceCollections[kind]) === `${group}/${one}`);
		return version === undefined ? [] : deviceObjects(kind, version, decoder);
	});
}

async function servedNow(
	transport: Transport,
	signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
	const {versions} = await discovered<{versions: unknown}>(transport, `/apis/${group}`, signal);
	const known = groupVersionsOf(group, versions).filter((version) =>
		deviceVersions.some((one) => version === `${group}/${one}`),
	);
	return servedVersions(transport, known, Object.values(deviceCollections), signal);
}
