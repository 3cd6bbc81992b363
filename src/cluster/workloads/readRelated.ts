import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import type {Timing} from '../../async/timing.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import {unique} from '../../core/collections/unique.ts';
import type {Problem} from '../../core/model/problem.ts';
import {
	type Claim,
	type Controller,
	missingWithout,
	nothingRelated,
	type Related,
	type RelatedQuery,
	type Volume,
} from '../../core/model/workloads/related.ts';
import {UserError} from '../../text/userError.ts';
import {fieldsOf} from '../codec/rawJson.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Listable} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';
import {decodeBudget, decodeDaemonSet, decodeJob, decodeReplicated} from './decodeController.ts';
import {decodeEndpoints, decodeService, endpointsIn} from './decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from './decodeVolume.ts';
import {mostNodes, readOccupancy, readOccupancyOfMany} from './readOccupancy.ts';

/** With more namespaces, everything is listed at once. */
const maxNamespaces = 20;

/** The owner kinds that are read, with their paths; of others only the name is known. */
export const ownerKinds: ReadonlyMap<string, string> = new Map([
	['ReplicaSet', 'apis/apps/v1|replicasets'],
	['Deployment', 'apis/apps/v1|deployments'],
	['StatefulSet', 'apis/apps/v1|statefulsets'],
	['DaemonSet', 'apis/apps/v1|daemonsets'],
	['ReplicationController', 'api/v1|replicationcontrollers'],
	['Job', 'apis/batch/v1|jobs'],
]);

/** Lists a kind in all requested namespaces, or in others. */
type ReadAll = <T>(
	what: string,
	path: string,
	decode: Listable<T>['decode'],
	within?: readonly string[],
) => Promise<readonly T[]>;

/** Reads the objects related to pods: owners, budgets, services, attached volumes. Forbidden kinds are problems. */
export async function readRelated(
	transport: Transport,
	{namespaces, ownerKinds: wanted, nodeCount, nodesOfMany, isOfOwners}: RelatedQuery,
	timing: Timing,
): Promise<Related> {
	const problems = new Map<string, Problem>();
	const scopes = namespaces.size > maxNamespaces ? [''] : [...namespaces];
	const readAll: ReadAll = async (what, path, decode, within = scopes) => {
		const pages = [];
		const older = beta(path);
		for (const scope of within) {
			const listed = list(transport, {path: pathOf(path, scope), query: {}, decode}, timing);
			const orOlder = listed.catch((error: unknown) => {
				if (older === undefined || !hasStatus(error, 404)) throw error;
				const decodeOlder = (value: unknown) =>
					decode({...fieldsOf(value), apiVersion: older.slice('apis/'.length, older.indexOf('|'))});
				return list(transport, {path: pathOf(older, scope), query: {}, decode: decodeOlder}, timing);
			});
			pages.push(await orOlder.catch(noneOf(what, problems)));
		}
		return pages.flatMap(({objects}) => objects);
	};
	const kinds = [...wanted].flatMap((kind) => (kind === 'ReplicaSet' ? [kind, 'Deployment'] : [kind]));
	const owners = Promise.all(
		unique(kinds).flatMap((kind) => {
			const path = ownerKinds.get(kind);
			return path === undefined ? [] : [readAll(kind, path, decoderOf(kind))];
		}),
	).then((lists) => mapBy(lists.flat(), (one) => one.uid));
	if (isOfOwners) return {...nothingRelated, controllers: await owners, problems: [...problems.values()]};
	const runsThere = async () =>
		nodeCount <= mostNodes
			? readOccupancy(transport, timing)
			: readOccupancyOfMany(transport, timing, nodesOfMany?.(await owners));
	const [controllers, budgets, services, claims, slices, attachments, occupancy] = await Promise.all([
		owners,
		readAll('PodDisruptionBudget', 'apis/policy/v1|poddisruptionbudgets', decodeBudget),
		readAll('Service', 'api/v1|services', decodeService),
		readClaims(readAll, owners, (names) =>
			readVolumes(transport, timing, names, noneOf('PersistentVolume', problems)),
		),
		readAll('EndpointSlice', 'apis/discovery.k8s.io/v1|endpointslices', decodeEndpoints),
		readAll('VolumeAttachment', 'apis/storage.k8s.io/v1|volumeattachments', decodeAttachment, ['']),
		kinds.length > 0 ? runsThere() : nothingRelated.occupancy,
	]);
	return {
		controllers,
		budgets,
		services,
		...claims,
		endpoints: endpointsIn(slices),
		attachments,
		occupancy,
		problems: [...problems.values()],
	};
}

/** Reads the claims, and the volumes that restrict where pods of these owners can run. */
async function readClaims(
	readAll: ReadAll,
	owners: Promise<Related['controllers']>,
	readVolumes: (names: readonly string[]) => Promise<readonly Volume[]>,
): Promise<Pick<Related, 'claims' | 'volumes'>> {
	const claims = await readAll('PersistentVolumeClaim', 'api/v1|persistentvolumeclaims', decodeClaim);
	return {claims, volumes: await readVolumes(volumesOfOwners(claims, await owners))};
}

/** The path of a kind of which servers until v1.20 have only v1beta1; undefined of any other. */
function beta(path: string): string | undefined {
	const older = path.replace(/^(apis\/(?:policy|discovery\.k8s\.io)\/v1)\|/, '$1beta1|');
	return older === path ? undefined : older;
}

/** Turns a failure to list a kind into one problem; a kind that is not served has no objects. */
const noneOf =
	(what: string, problems: Map<string, Problem>) =>
	(error: unknown): {readonly objects: readonly never[]} => {
		if (!(error instanceof UserError)) throw error;
		if (!hasStatus(error, 404)) problems.set(what, relatedProblem(what, error));
		return {objects: []};
	};

export function decoderOf(kind: string): (value: unknown) => Controller | undefined {
	if (kind === 'DaemonSet') return decodeDaemonSet;
	if (kind === 'Job') return decodeJob;
	return (value) => decodeReplicated(kind, value);
}

function pathOf(path: string, namespace: string): string {
	const [group = '', resource = ''] = path.split('|');
	return namespace === ''
		? `/${group}/${resource}`
		: `/${group}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

function relatedProblem(what: string, error: UserError): Problem {
	const isForbidden = hasStatus(error, 403);
	const cost = missingWithout[what] ?? missingWithout['Controller'];
	const reason = `${what}s${isForbidden ? 'Forbidden' : 'Unreadable'}`;
	return {reason, message: isForbidden ? `${error.message}: ${cost} is not said` : error.message};
}

/** With more volumes, all volumes of the cluster are listed. */
const maxByName = 20;

/** The names of the volumes of claims that pods of these owners use or will use. */
function volumesOfOwners(claims: readonly Claim[], owners: Related['controllers']): readonly string[] {
	const shared = new Set<string>();
	const templatePrefixes = new Set<string>();
	for (const {namespace, name, template, claimTemplates} of owners.values()) {
		for (const claim of template.claims) shared.add(`${namespace}/${claim}`);
		for (const claim of claimTemplates) templatePrefixes.add(`${namespace}/${claim}-${name}`);
	}
	const isUsed = ({namespace, name}: Claim) =>
		shared.has(`${namespace}/${name}`) || templatePrefixes.has(`${namespace}/${name.replace(/-\d+$/, '')}`);
	return unique(claims.filter(isUsed).map(({volume}) => volume));
}

/** Reads some volumes, few of them one by one instead of all. @param orNone handles a failure; it may throw */
async function readVolumes(
	transport: Transport,
	timing: Timing,
	names: readonly string[],
	orNone: (error: unknown) => {readonly objects: readonly Volume[]},
): Promise<readonly Volume[]> {
	if (names.length === 0) return [];
	let hasFailed = false;
	const read = async (query: Readonly<Record<string, string>>) => {
		// A failure for one volume applies to all.
		if (hasFailed) return [];
		const resource = {path: '/api/v1/persistentvolumes', query, decode: decodeVolume};
		const listed = list(transport, resource, timing).catch((error: unknown) => {
			hasFailed = true;
			return orNone(error);
		});
		return (await listed).objects;
	};
	if (names.length <= maxByName)
		return (await mapWithConcurrency(names, (name) => read({fieldSelector: `metadata.name=${name}`}))).flat();
	const wantedNames = new Set(names);
	return (await read({})).filter(({name}) => wantedNames.has(name));
}
