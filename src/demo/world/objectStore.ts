import {type ApiObject, type ResourceName, resources} from '../encode/apiObject.ts';
import {type ResourceCollection, resourceCollection, type WatchedWrite} from './collection.ts';

export type ObjectStore = ReturnType<typeof objectStore>;

/**
 * The API server's storage, like etcd: immutable objects, one version that grows with each write, and a short history.
 *
 * @param historyLimit how many changes of each resource are kept for watches and pages
 */
export function objectStore(historyLimit = 5000) {
	const collections = Object.fromEntries(
		Object.keys(resources).map((name) => [name, resourceCollection(historyLimit)]),
	) as Record<ResourceName, ResourceCollection>;
	// Clients use version 0 for "any version", so an empty store must not have it.
	let version = 1;
	let uidCount = 0;

	// Not random, so that the same demo has the same UIDs.
	const nextUid = () => `d0000000-0000-4000-8000-${String(++uidCount).padStart(12, '0')}`;

	const get = (resource: ResourceName, name: string, namespace?: string) =>
		collections[resource].get(storageKey(name, namespace));

	const write = (
		resource: ResourceName,
		type: WatchedWrite['type'],
		object: ApiObject,
		previous: ApiObject | undefined,
	): ApiObject => {
		version++;
		const {name, namespace} = object.metadata;
		const written = {...object, metadata: {...object.metadata, resourceVersion: String(version)}};
		const key = storageKey(name, namespace);
		collections[resource].apply({type, key, previous, resourceVersion: version, object: written});
		return written;
	};

	/** Removes an object at once and returns its last state; undefined if there is none. */
	const remove = (resource: ResourceName, name: string, namespace?: string) => {
		const existing = get(resource, name, namespace);
		return existing && write(resource, 'DELETED', existing, existing);
	};

	return {
		get,
		delete: remove,
		/** The version of the newest write to any resource. */
		get resourceVersion() {
			return version;
		},
		/**
		 * Creates or replaces an object; returns it as stored, with its resourceVersion, and a UID if it had none.
		 * Updates keep uid and creationTimestamp, as in a real cluster. A different UID means a different object of that
		 * name, so watches first see the old one deleted.
		 */
		put(resource: ResourceName, object: ApiObject): ApiObject {
			const {name, namespace, uid} = object.metadata;
			const existing = get(resource, name, namespace);
			const isReplacement = existing !== undefined && uid !== undefined && uid !== existing.metadata.uid;
			if (isReplacement) remove(resource, name, namespace);

			const previous = isReplacement ? undefined : existing;
			const creationTimestamp = previous?.metadata.creationTimestamp ?? object.metadata.creationTimestamp;
			const metadata = {
				...object.metadata,
				uid: uid ?? previous?.metadata.uid ?? nextUid(),
				...(creationTimestamp !== undefined && {creationTimestamp}),
			};
			return write(resource, previous ? 'MODIFIED' : 'ADDED', {...object, metadata}, previous);
		},
		/** The objects of a resource, with its history. */
		of: (resource: ResourceName) => collections[resource],
		/** All objects of a resource. */
		all: (resource: ResourceName): readonly ApiObject[] =>
			(collections[resource].entriesAt(version) ?? []).map(({object}) => object),
	};
}

const storageKey = (name: string, namespace?: string) => (namespace ? `${namespace}/${name}` : name);
