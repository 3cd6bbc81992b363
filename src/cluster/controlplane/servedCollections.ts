import type {V1APIGroup, V1APIGroupList, V1APIResourceList} from '@kubernetes/client-node';
import {type DeviceObject, deviceKinds} from '../../core/model/device.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';
import {type RepairGroup, repairGroups, repairKinds} from '../codec/decodeRepair.ts';
import type {Decoder} from '../codec/decoder.ts';
import {observedRepair} from '../codec/observedKind.ts';
import {eachOf, type Fields, fieldsOf, textOf} from '../codec/rawJson.ts';
import {hasStatus} from '../transport/requestError.ts';
import {
	deviceCollections,
	deviceObjects,
	deviceVersions,
	ordinary,
	type Resource,
} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

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
	const {versions} = await discovered<V1APIGroup>(transport, `/apis/${group}`, signal);
	const known = groupVersionsOf(group, versions).filter((version) =>
		deviceVersions.some((one) => version === `${group}/${one}`),
	);
	return servedVersions(transport, known, Object.values(deviceCollections), signal);
}

/** The collections of node repair, each kind in the first served version. @throws RequestError if API groups cannot be read */
export async function findRepairResources(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const served = await discovered<V1APIGroupList>(transport, '/apis', signal);
	const groups = eachOf(served.groups, (entry) => {
		const group = repairGroups.find((one) => one === entry?.name);
		return group && resourcesOf(transport, group, groupVersionsOf(group, entry?.versions), signal);
	});
	return (await Promise.all(groups)).flat();
}

async function resourcesOf(
	transport: Transport,
	group: RepairGroup,
	versions: readonly string[],
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const kinds = Object.entries(repairKinds[group]);
	const names = kinds.map(([, plural]) => plural);
	const served = await servedVersions(transport, versions, names, signal);
	return kinds.flatMap(([kind, plural]) => {
		const version = served.get(plural);
		return version === undefined
			? []
			: resourceOf(kind as RepairObject['kind'], group, `/apis/${version}/${plural}`);
	});
}

const resourceOf = (kind: RepairObject['kind'], group: string, path: string): Resource<RepairObject> => ({
	name: 'NodeRepair',
	path,
	query: {},
	...ordinary,
	mayBeMissed: true,
	...observedRepair(kind, group),
});

/** A discovery response; without fields if the path does not exist. */
export async function discovered<T>(
	transport: Transport,
	path: string,
	signal?: AbortSignal,
): Promise<Fields<T>> {
	const answer = await transport.json(path, {}, signal).catch((error: unknown) => {
		// A substitute for an API server may have no API groups.
		if (!hasStatus(error, 404)) throw error;
	});
	return fieldsOf<T>(answer);
}

/** The versions of an API group, the preferred one first: `resource.k8s.io/v1`. */
export const groupVersionsOf = (group: string, versions: Fields<V1APIGroup>['versions']): readonly string[] =>
	eachOf(versions, (entry) => textOf(entry?.groupVersion)).filter((version) =>
		version.startsWith(`${group}/`),
	);

/**
 * Maps each collection to the first version that serves it. A group may not serve all kinds in each version, nor in its
 * preferred one: `machine.openshift.io/v1` has no Machine.
 */
export async function servedVersions(
	transport: Transport,
	versions: readonly string[],
	collections: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	for (const version of versions) {
		if (found.size === collections.length) break;
		const {resources} = await discovered<V1APIResourceList>(transport, `/apis/${version}`, signal);
		const served = new Set(eachOf(resources, (entry) => textOf(entry?.name)));
		for (const name of collections) if (served.has(name) && !found.has(name)) found.set(name, version);
	}
	return found;
}
