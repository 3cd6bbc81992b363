import type {V1APIGroup, V1APIGroupList, V1APIResourceList} from '@kubernetes/client-node';
import {type DeviceObject, deviceKinds} from '../../core/model/device.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';
import {repairGroups, repairKinds} from '../codec/decodeRepair.ts';
import type {Decoder} from '../codec/decoder.ts';
import {observedRepair} from '../codec/decoder.ts';
import {eachOf, type Fields, fieldsOf, textOf} from '../codec/rawJson.ts';
import {hasStatus} from '../transport/requestError.ts';
import {collectionPath, deviceObjects, ordinary, pluralOf, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

const deviceGroup = 'resource.k8s.io';

/** The device collections that a cluster serves, each in the first version that has it, which need not be the same for all. */
export async function findDeviceResources(
	transport: Transport,
	decoder: Decoder,
	signal?: AbortSignal,
): Promise<readonly Resource<DeviceObject>[]> {
	const served = await discovered<V1APIGroup>(transport, `/apis/${deviceGroup}`, signal)
		.then(({versions}) =>
			servedVersions(transport, deviceGroup, /^v1(beta[12]|alpha3)?$/, versions, deviceKinds, signal),
		)
		.catch((error: unknown) => {
			// If discovery is forbidden, the collections that most clusters have may still be readable.
			if (!hasStatus(error, 403)) throw error;
			return new Map<string, string>(
				(['ResourceSlice', 'ResourceClaim'] as const).map((kind) => [kind, `${deviceGroup}/v1`]),
			);
		});
	return deviceKinds.flatMap((kind) => {
		const apiVersion = served.get(kind);
		return apiVersion === undefined ? [] : deviceObjects(kind, apiVersion, decoder);
	});
}

/** The collections of node repair, each kind in the first served version. @throws RequestError if API groups cannot be read */
export async function findRepairResources(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const {groups} = await discovered<V1APIGroupList>(transport, '/apis', signal);
	const found = eachOf(groups, (entry) => {
		const group = repairGroups.find((one) => one === entry?.name);
		return (
			group &&
			servedVersions(transport, group, /^/, entry?.versions, repairKinds[group], signal).then((served) =>
				[...served].map(
					([kind, apiVersion]): Resource<RepairObject> => ({
						name: 'NodeRepair',
						path: collectionPath(apiVersion, pluralOf(kind)),
						query: {},
						...ordinary,
						mayBeMissed: true,
						...observedRepair(kind, group),
					}),
				),
			)
		);
	});
	return (await Promise.all(found)).flat();
}

/** A discovery response; without fields if the path does not exist. */
async function discovered<T>(transport: Transport, path: string, signal?: AbortSignal): Promise<Fields<T>> {
	const answer = await transport.json(path, {}, signal).catch((error: unknown) => {
		// A substitute for an API server may have no API groups.
		if (!hasStatus(error, 404)) throw error;
	});
	return fieldsOf<T>(answer);
}

/**
 * Maps each kind to the first of a group's versions that serves it, the preferred one first: `resource.k8s.io/v1`. A group may
 * not serve all kinds in each version, nor in its preferred one: `machine.openshift.io/v1` has no Machine.
 */
async function servedVersions<Kind extends string>(
	transport: Transport,
	group: string,
	known: RegExp,
	versions: Fields<V1APIGroup>['versions'],
	kinds: readonly Kind[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<Kind, string>> {
	const found = new Map<Kind, string>();
	for (const apiVersion of eachOf(versions, (entry) => textOf(entry?.groupVersion))) {
		const [prefix, version = ''] = apiVersion.split('/');
		if (prefix !== group || !known.test(version)) continue;
		if (found.size === kinds.length) break;
		const {resources} = await discovered<V1APIResourceList>(transport, `/apis/${apiVersion}`, signal);
		const served = new Set(eachOf(resources, (entry) => textOf(entry?.name)));
		for (const kind of kinds) if (served.has(pluralOf(kind)) && !found.has(kind)) found.set(kind, apiVersion);
	}
	return found;
}
