import {type RepairObject, repairKey} from '../../core/model/repairObject.ts';
import {decodeRepair, type RepairGroup, repairGroups, repairKinds} from '../codec/decodeRepair.ts';
import {eachOf, fieldsOf, textOf} from '../codec/rawJson.ts';
import type {Message} from '../codec/wire/message.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

/** Their objects only come as JSON. */
const noMessage: Message = [];

type ApiGroup = {name: unknown; preferredVersion: unknown};

/**
 * The collections that tell of who repairs nodes: of the API groups that the cluster has. That takes one small request.
 *
 * @throws RequestError where its API groups cannot be read
 */
export async function findRepairResources(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const asked = transport.json('/apis', {}, signal).catch((error: unknown) => {
		// Something that stands in for an API server may have none but the core.
		if (!hasStatus(error, 404)) throw error;
	});
	const answer = fieldsOf<{groups: unknown}>(await asked);
	return eachOf(answer.groups, (entry) => {
		const {name, preferredVersion} = fieldsOf<ApiGroup>(entry);
		const version = textOf(fieldsOf<{groupVersion: unknown}>(preferredVersion).groupVersion);
		const group = repairGroups.find((one) => one === name);
		return group && version.startsWith(`${group}/`) ? resourcesOf(group, version) : undefined;
	}).flat();
}

const resourcesOf = (group: RepairGroup, version: string): readonly Resource<RepairObject>[] =>
	Object.entries(repairKinds[group]).map(([kind, plural]) =>
		resourceOf(kind as RepairObject['kind'], group, `/apis/${version}/${plural}`),
	);

const resourceOf = (kind: RepairObject['kind'], group: string, path: string): Resource<RepairObject> => ({
	name: 'NodeRepair',
	path,
	query: {},
	isEssential: false,
	isLively: false,
	isDated: false,
	message: noMessage,
	decode: (value) => decodeRepair(kind, group, value),
	keyOf: repairKey,
	applied: (object) => ({type: 'repairApplied', object}),
	deleted: (key) => ({type: 'repairDeleted', key}),
});
