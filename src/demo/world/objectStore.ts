import {kept} from '../../core/collections/kept.ts';
import type {ApiObject} from '../encode/apiObject.ts';
import {type ResourceName, resources} from '../encode/resources.ts';
import {type KeyedObject, ResourceCollection, type WatchedWrite} from './collection.ts';

type WriteListener = (change: WatchedWrite) => void;

type StoreOptions = {
	/** How many changes of each resource watches and pages can look back on. */
	readonly historyLimit?: number;
};

/**
 * What etcd is to an API server: objects, one version that grows with each write, and a short past.
 *
 * Objects are values: a write replaces, and nobody edits what was put or read.
 */
export class ObjectStore {
	readonly #collections: ReadonlyMap<ResourceName, ResourceCollection>;
	readonly #listeners = new Map<ResourceName, Set<WriteListener>>();
	// Clients read version 0 as "any version will do", so an empty store must not answer it.
	#resourceVersion = 1;
	#uidCount = 0;

	constructor({historyLimit = 5000}: StoreOptions = {}) {
		const names = Object.keys(resources) as ResourceName[];
		this.#collections = new Map(names.map((name) => [name, new ResourceCollection(historyLimit)]));
	}

	/** The version of the newest write, of whatever resource. */
	get resourceVersion(): number {
		return this.#resourceVersion;
	}

	/**
	 * Creates or replaces an object, and returns it as stored: with its resourceVersion, and a uid if it had none.
	 *
	 * As in a real cluster uid and creationTimestamp outlive updates; another uid means another object of that name,
	 * so watches see the old one deleted first.
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

	/** Removes an object at once and returns its last state; undefined where there is none. */
	delete(resource: ResourceName, name: string, namespace?: string): ApiObject | undefined {
		const existing = this.get(resource, name, namespace);
		return existing && this.#write(resource, 'DELETED', existing, existing);
	}

	get(resource: ResourceName, name: string, namespace?: string): ApiObject | undefined {
		return this.#collection(resource).get(storageKey(name, namespace));
	}

	/**
	 * All objects of a resource at a version; undefined where the past does not reach back that far.
	 *
	 * @param node those bound to this one suffice
	 */
	entriesAt(
		resource: ResourceName,
		resourceVersion = this.#resourceVersion,
		node?: string,
	): readonly KeyedObject[] | undefined {
		return this.#collection(resource).entriesAt(resourceVersion, node);
	}

	/** The changes of a resource after a version; undefined where they are no longer all known. */
	changesSince(resource: ResourceName, resourceVersion: number): readonly WatchedWrite[] | undefined {
		return this.#collection(resource).changesSince(resourceVersion);
	}

	/** Calls the listener in each later write of a resource, until the function returned is called. */
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

	// Not random: the same demo shows the same uids.
	#nextUid(): string {
		this.#uidCount++;
		return `d0000000-0000-4000-8000-${String(this.#uidCount).padStart(12, '0')}`;
	}
}

const storageKey = (name: string, namespace?: string) => (namespace ? `${namespace}/${name}` : name);
