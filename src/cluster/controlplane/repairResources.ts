import {type RepairObject, repairKey} from '../../core/model/repairObject.ts';
import {decodeRepair, type RepairGroup, repairGroups, repairKinds} from '../codec/decodeRepair.ts';
import {eachOf, type Fields, fieldsOf, textOf} from '../codec/rawJson.ts';
import type {Message} from '../codec/wire/message.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

/** Their objects only come as JSON. */
const noMessage: Message = [];

type ApiGroup = {name: unknown; versions: unknown};

/**
 * The collections that tell of who repairs nodes: of the API groups that the cluster has, each kind in the first version
 * that serves it. A group need not serve all kinds, nor its preferred version: `machine.openshift.io/v1` has no Machine.
 *
 * @throws RequestError where its API groups cannot be read
 */
export async function findRepairResources(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const groups = eachOf((await discovered<{groups: unknown}>(transport, '/apis', signal)).groups, (entry) => {
		const {name, versions} = fieldsOf<ApiGroup>(entry);
		const group = repairGroups.find((one) => one === name);
		return group && resourcesOf(transport, group, groupVersionsOf(group, versions), signal);
	});
	return (await Promise.all(groups)).flat();
}

/** An answer of discovery; of what is not there, one without fields. */
async function discovered<T>(transport: Transport, path: string, signal?: AbortSignal): Promise<Fields<T>> {
	const answer = await transport.json(path, {}, signal).catch((error: unknown) => {
		// Something that stands in for an API server may have none but the core.
		if (!hasStatus(error, 404)) throw error;
	});
	return fieldsOf<T>(answer);
}

const groupVersionsOf = (group: RepairGroup, versions: unknown): readonly string[] =>
	eachOf(versions, (entry) => textOf(fieldsOf<{groupVersion: unknown}>(entry).groupVersion)).filter(
		(version) => version.startsWith(`${group}/`),
	);

async function resourcesOf(
	transport: Transport,
	group: RepairGroup,
	versions: readonly string[],
	signal?: AbortSignal,
): Promise<readonly Resource<RepairObject>[]> {
	const found: Resource<RepairObject>[] = [];
	let missing = Object.entries(repairKinds[group]);
	for (const version of versions) {
		if (missing.length === 0) break;
		const {resources} = await discovered<{resources: unknown}>(transport, `/apis/${version}`, signal);
		const served = new Set(eachOf(resources, (entry) => textOf(fieldsOf<{name: unknown}>(entry).name)));
		for (const [kind, plural] of missing.filter(([, name]) => served.has(name)))
			found.push(resourceOf(kind as RepairObject['kind'], group, `/apis/${version}/${plural}`));
		missing = missing.filter(([, name]) => !served.has(name));
	}
	return found;
}

const resourceOf = (kind: RepairObject['kind'], group: string, path: string): Resource<RepairObject> => ({
	name: 'NodeRepair',
	path,
	query: {},
	isEssential: false,
	isLively: false,
	mayBeMissed: true,
	isDated: false,
	message: noMessage,
	decode: (value) => decodeRepair(kind, group, value),
	keyOf: repairKey,
	applied: (object) => ({type: 'repairApplied', object}),
	deleted: (key) => ({type: 'repairDeleted', key}),
});
