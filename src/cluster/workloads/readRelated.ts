import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
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
import {collectionPath, type Listable, pluralOf} from '../transport/resource.ts';
import type {Query, Transport} from '../transport/transport.ts';
import {decodeBudget, decodeDaemonSet, decodeJob, decodeReplicated} from './decodeController.ts';
import {decodeEndpoints, decodeService, endpointsIn} from './decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from './decodeVolume.ts';
import {mostNodes, readOccupancy, readOccupancyOfMany} from './readOccupancy.ts';

/** With more namespaces, everything is listed at once. */
const maxNamespaces = 20;

/** The owner kinds that are read, with their API versions; of others only the name is known. */
export const ownerKinds: ReadonlyMap<string, string> = new Map([
	['ReplicaSet', 'apps/v1'],
	['Deployment', 'apps/v1'],
	['StatefulSet', 'apps/v1'],
	['DaemonSet', 'apps/v1'],
	['ReplicationController', 'v1'],
	['Job', 'batch/v1'],
]);

/** Servers until v1.20 have only `v1beta1` of these. */
const onceBeta: readonly string[] = ['policy/v1', 'discovery.k8s.io/v1'];

/** Reads the objects related to pods: owners, budgets, services, attached volumes. Forbidden kinds are problems. */
export async function readRelated(
	transport: Transport,
	{namespaces, ownerKinds: wanted, nodeCount, nodesOfMany, isOfOwners}: RelatedQuery,
): Promise<Related> {
	const failures = new Map<string, Problem>();
	const problems = () => [...failures.values()];
	const scopes = namespaces.size > maxNamespaces ? [''] : [...namespaces];
	const read = readWith(transport, failures);
	const readAll = async <T>(kind: string, version: string, decode: Listable<T>['decode']) => {
		const objects = [];
		for (const scope of scopes) objects.push(await read(kind, version, decode, scope));
		return objects.flat();
	};
	const kinds = [...wanted].flatMap((kind) => (kind === 'ReplicaSet' ? [kind, 'Deployment'] : [kind]));
	const owners = Promise.all(
		unique(kinds).flatMap((kind) => {
			const version = ownerKinds.get(kind);
			return version === undefined ? [] : [readAll(kind, version, decoderOf(kind))];
		}),
	).then((lists) => mapBy(lists.flat(), (one) => one.uid));
	if (isOfOwners) return {...nothingRelated, controllers: await owners, problems: problems()};
	const runsThere = async () =>
		nodeCount <= mostNodes
			? readOccupancy(transport)
			: readOccupancyOfMany(transport, nodesOfMany?.(await owners));
	/** The volumes that restrict where pods of the owners can run; few of them are read one by one. */
	const readVolumes = async (claims: readonly Claim[]): Promise<readonly Volume[]> => {
		const names = volumesOfOwners(claims, await owners);
		const readVolume = (query?: Query) => read('PersistentVolume', 'v1', decodeVolume, '', query);
		const wantedNames = new Set(names);
		if (names.length > maxByName) return (await readVolume()).filter(({name}) => wantedNames.has(name));
		const found = await mapWithConcurrency(names, async (name) =>
			// A failure for one volume applies to all.
			failures.has('PersistentVolume') ? [] : readVolume({fieldSelector: `metadata.name=${name}`}),
		);
		return found.flat();
	};
	const claiming = readAll('PersistentVolumeClaim', 'v1', decodeClaim);
	const [controllers, budgets, services, claims, volumes, slices, attachments, occupancy] = await Promise.all(
		[
			owners,
			readAll('PodDisruptionBudget', 'policy/v1', decodeBudget),
			readAll('Service', 'v1', decodeService),
			claiming,
			claiming.then(readVolumes),
			readAll('EndpointSlice', 'discovery.k8s.io/v1', decodeEndpoints),
			read('VolumeAttachment', 'storage.k8s.io/v1', decodeAttachment),
			kinds.length > 0 ? runsThere() : nothingRelated.occupancy,
		],
	);
	const endpoints = endpointsIn(slices);
	return {
		controllers,
		budgets,
		services,
		claims,
		volumes,
		endpoints,
		attachments,
		occupancy,
		problems: problems(),
	};
}

/** Lists a kind in a namespace, or in all; what fails is one problem of its kind, and what is not served has no objects. */
const readWith =
	(transport: Transport, failures: Map<string, Problem>) =>
	async <T>(
		kind: string,
		version: string,
		decode: Listable<T>['decode'],
		namespace = '',
		query: Query = {},
	): Promise<readonly T[]> => {
		const listOf = (apiVersion: string) => {
			const path = collectionPath(apiVersion, pluralOf(kind), namespace);
			const decodeAs = (value: unknown) => decode({...fieldsOf(value), apiVersion});
			return list(transport, {path, query, decode: decodeAs});
		};
		try {
			const listed = listOf(version).catch((error: unknown) => {
				if (!onceBeta.includes(version) || !hasStatus(error, 404)) throw error;
				return listOf(`${version}beta1`);
			});
			return (await listed).objects;
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
			if (!hasStatus(error, 404)) failures.set(kind, relatedProblem(kind, error));
			return [];
		}
	};

export function decoderOf(kind: string): (value: unknown) => Controller | undefined {
	if (kind === 'DaemonSet') return decodeDaemonSet;
	if (kind === 'Job') return decodeJob;
	return (value) => decodeReplicated(kind, value);
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
