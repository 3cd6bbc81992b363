import {type ApiObject, type ResourceName, resources} from '../encode/apiObject.ts';
import {ResourceCollection, type WatchedWrite} from './collection.ts';

/** The API server's storage, like etcd: immutable objects, one version that grows with each write, and a short history. */
export class ObjectStore {
	readonly #collections: Readonly<Record<ResourceName, ResourceCollection>>;
	// Clients use version 0 for "any version", so an empty store must not have it.
	#resourceVersion = 1;
	#uidCount = 0;

	/** @param historyLimit how many changes of each resource are kept for watches and pages */
	constructor(historyLimit = 5000) {
		this.#collections = Object.fromEntries(
			Object.keys(resources).map((name) => [name, new ResourceCollection(historyLimit)]),
		) as Record<ResourceName, ResourceCollection>;
	}

	/** The version of the newest write to any resource. */
	get resourceVersion(): number {
		return this.#resourceVersion;
	}

	/**
	 * Creates or replaces an object; returns it as stored, with its resourceVersion, and a UID if it had none.
	 * Updates keep uid and creationTimestamp, as in a real cluster. A different UID means a different object of that
	 * name, so watches first see the old one deleted.
	 */
	put(resource: ResourceName, object: ApiObject): ApiObject {
		const {name, namespace, uid} = object.metadata;
		const existing = this.get(resource, name, namespace);
		const isReplacement = existing !== undefined && uid !== undefined && uid !== existing.metadata.uid;
		if (isReplacement) this.delete(resource, name, namespace);

		const previous = isReplacement ? undefined : existing;
		const creationTimestamp = previous?.metadata.creationTimestamp ?? object.metadata.creationTimestamp;
		const metadata = {
			...object.metadata,
			uid: uid ?? previous?.metadata.uid ?? this.#nextUid(),
			...(creationTimestamp !== undefined && {creationTimestamp}),
		};
		return this.#write(resource, previous ? 'MODIFIED' : 'ADDED', {...object, metadata}, previous);
	}

	/** Removes an object at once and returns its last state; undefined if there is none. */
	delete(resource: ResourceName, name: string, namespace?: string): ApiObject | undefined {
		const existing = this.get(resource, name, namespace);
		return existing && this.#write(resource, 'DELETED', existing, existing);
	}

	get(resource: ResourceName, name: string, namespace?: string): ApiObject | undefined {
		return this.of(resource).get(storageKey(name, namespace));
	}

	/** The objects of a resource. */
	of(resource: ResourceName): ResourceCollection {
		return this.#collections[resource];
	}

	/** All objects of a resource. */
	all(resource: ResourceName): readonly ApiObject[] {
		return (this.of(resource).entriesAt(this.#resourceVersion) ?? []).map(({object}) => object);
	}

	#write(
		resource: ResourceName,
		type: WatchedWrite['type'],
		object: ApiObject,
		previous: ApiObject | undefined,
	): ApiObject {
		this.#resourceVersion++;
		const {name, namespace} = object.metadata;
		const metadata = {...object.metadata, resourceVersion: String(this.#resourceVersion)};
		const written = {...object, metadata};
		const key = storageKey(name, namespace);
		this.of(resource).apply({
			type,
			key,
			previous,
			resourceVersion: this.#resourceVersion,
			object: written,
		});
		return written;
	}

	// Not random, so that the same demo has the same UIDs.
	#nextUid(): string {
		this.#uidCount++;
		return `d0000000-0000-4000-8000-${String(this.#uidCount).padStart(12, '0')}`;
	}
}

const storageKey = (name: string, namespace?: string) => (namespace ? `${namespace}/${name}` : name);
