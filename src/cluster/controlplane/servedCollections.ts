import {eachOf, type Fields, fieldsOf, textOf} from '../codec/rawJson.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';

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
export const groupVersionsOf = (group: string, versions: unknown): readonly string[] =>
	eachOf(versions, (entry) => textOf(fieldsOf<{groupVersion: unknown}>(entry).groupVersion)).filter(
		(version) => version.startsWith(`${group}/`),
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
		const {resources} = await discovered<{resources: unknown}>(transport, `/apis/${version}`, signal);
		const served = new Set(eachOf(resources, (entry) => textOf(fieldsOf<{name: unknown}>(entry).name)));
		for (const name of collections) if (served.has(name) && !found.has(name)) found.set(name, version);
	}
	return found;
}
