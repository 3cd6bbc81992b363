import {type RepairObject, repairKey} from '../../core/model/repairObject.ts';
import {decodeRepair, type RepairGroup, repairGroups, repairKinds} from '../codec/decodeRepair.ts';
import {eachOf, fieldsOf} from '../codec/rawJson.ts';
import type {Message} from '../codec/wire/message.ts';
import {ordinary, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';
import {discovered, groupVersionsOf, servedVersions} from './servedCollections.ts';

/** Custom resources are only served as JSON. */
const noMessage: Message = [];

/** The collections of node repair, each kind in the first served version. @throws RequestError if API groups cannot be read */
export async function findRepairResources(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const groups = eachOf((await discovered<{groups: unknown}>(transport, '/apis', signal)).groups, (entry) => {
		const {name, versions} = fieldsOf<{name: unknown; versions: unknown}>(entry);
		const group = repairGroups.find((one) => one === name);
		return group && resourcesOf(transport, group, groupVersionsOf(group, versions), signal);
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
	message: noMessage,
	decode: (value) => decodeRepair(kind, group, value),
	keyOf: repairKey,
	applied: (object) => ({type: 'repairApplied', object}),
	deleted: (key) => ({type: 'repairDeleted', key}),
});
