import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import type {Timing} from '../../async/timing.ts';
import type {Claim, Related, Volume} from '../../core/model/workloads/related.ts';
import {volumeMessage} from '../codec/wire/related.ts';
import {list} from '../transport/list.ts';
import type {Transport} from '../transport/transport.ts';
import {decodeVolume} from './decodeVolume.ts';

/** Of more volumes, those of the whole cluster are one list. */
const mostByName = 20;

/** The names of the volumes of claims that pods of these owners have, or will have: those of others decide nothing. */
export function volumesOfOwners(claims: readonly Claim[], owners: Related['controllers']): readonly string[] {
	const shared = new Set<string>();
	const ownBeginnings = new Set<string>();
	for (const {namespace, name, template, claimTemplates} of owners.values()) {
		for (const claim of template.claims) shared.add(`${namespace}/${claim}`);
		for (const claim of claimTemplates) ownBeginnings.add(`${namespace}/${claim}-${name}`);
	}
	const isMeant = ({namespace, name}: Claim) =>
		shared.has(`${namespace}/${name}`) || ownBeginnings.has(`${namespace}/${name.replace(/-\d+$/, '')}`);
	return [...new Set(claims.filter(isMeant).map(({volume}) => volume))];
}

/**
 * Reads some volumes: few of them one by one, so that those of the rest of the cluster are not read to be thrown away.
 *
 * @param orNone what to do where they cannot be read; it may throw
 */
export async function readVolumes(
	transport: Transport,
	timing: Timing,
	names: readonly string[],
	orNone: (error: unknown) => {readonly objects: readonly Volume[]},
): Promise<readonly Volume[]> {
	if (names.length === 0) return [];
	let hasFailed = false;
	const read = async (query: Readonly<Record<string, string>>) => {
		// What cannot be read of one cannot be read of all.
		if (hasFailed) return [];
		const resource = {
			path: '/api/v1/persistentvolumes',
			query,
			message: volumeMessage,
			decode: decodeVolume,
		};
		const listed = list(transport, resource, timing).catch((error: unknown) => {
			hasFailed = true;
			return orNone(error);
		});
		return (await listed).objects;
	};
	if (names.length <= mostByName)
		return (await mapWithConcurrency(names, (name) => read({fieldSelector: `metadata.name=${name}`}))).flat();
	const meant = new Set(names);
	return (await read({})).filter(({name}) => meant.has(name));
}
