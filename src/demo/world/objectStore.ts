import {kept} from '../../core/collections/kept.ts';
import {type ApiObject, type ResourceName, resources} from '../encode/apiObject.ts';
import {type KeyedObject, ResourceCollection, type WatchedWrite} from './collection.ts';

type WriteListener = (change: WatchedWrite) => void;

type StoreOptions = {
	/** How many changes of each resource are kept for watches and pages. */
	readonly historyLimit?: number;
};

/** The API server's storage, like etcd: immutable objects, one version that grows with each write, and a short history. */
export class ObjectStore {
	readonly #collections: ReadonlyMap<ResourceName, ResourceCollection>;
	readonly #listeners = new Map<ResourceName, Set<WriteListener>>();
	// Clients use version 0 for "any version", so an empty store must not have it.
	#resourceVersion = 1;
	#uidCount = 0;

	constructor({historyLimit = 5000}: StoreOptions = {}) {
		const names = Object.keys(resources) as ResourceName[];
		this.#collections = new Map(names.map((name) => [name, new ResourceCollection(historyLimit)]));
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
		return this.#collection(resource).get(storageKey(name, namespace));
	}

	/**
	 * All objects of a resource at a version; undefined if the history no longer reaches back.
	 *
	 * @param node restricts the result to objects bound to this node, if the index allows it
	 */
	entriesAt(
		resource: ResourceName,
		resourceVersion = this.#resourceVersion,
		node?: string,
	): readonly KeyedObject[] | undefined {
		return this.#collection(resource).entriesAt(resourceVersion, node);
	}

	/** The changes of a resource after a version; undefined if the history no longer reaches back. */
	changesSince(resource: ResourceName, resourceVersion: number): readonly WatchedWrite[] | undefined {
		return this.#collection(resource).changesSince(resourceVersion);
	}

	/** Calls the listener for each later write of a resource, until the returned function is called. */
	subscribe(resource: ResourceName, listener: WriteListener): () => void {
		const listeners = kept(this.#listeners, resource, () => new Set()).add(listener);
		return () => {
			listeners.delete(listener);
		};
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
		const change: WatchedWrite = {
			type,
			resourceVersion: this.#resourceVersion,
			key: storageKey(name, namespace),
			object: {...object, metadata},
			...(previous && {previous}),
		};
		this.#collection(resource).apply(change);
		for (const listener of this.#listeners.get(resource) ?? []) listener(change);
		return change.object;
	}

	#collection(resource: ResourceName): ResourceCollection {
		const collection = this.#collections.get(resource);
		if (!collection) throw new RangeError(`no such resource: ${resource}`);
		return collection;
	}

	// Not random, so that the same demo has the same UIDs.
	#nextUid(): string {
		this.#uidCount++;
		return `d0000000-0000-4000-8000-${String(this.#uidCount).padStart(12, '0')}`;
	}
}

const storageKey = (name: string, namespace?: string) => (namespace ? `${namespace}/${name}` : name);
