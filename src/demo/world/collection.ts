import {kept} from '../../core/collections/kept.ts';
import {type ApiObject, valueAt} from '../encode/apiObject.ts';

/**
 * One write, as watches report it. `resourceVersion` is the version that the write created; `object` is the one after it: for a
 * deletion, its last state with the deletion's version.
 */
export type WatchedWrite = KeyedObject & {
	readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
	readonly resourceVersion: number;
	/** The object before the write, absent for ADDED: whether it stopped matching a watch's selector. */
	readonly previous?: ApiObject | undefined;
};

/** An object with the key that orders lists. */
export type KeyedObject = {readonly key: string; readonly object: ApiObject};

type WriteListener = (change: WatchedWrite) => void;

/** The objects of one resource, with enough history for watches and pages. */
export class ResourceCollection {
	readonly #historyLimit: number;
	readonly #objects = new Map<string, ApiObject>();
	/** The same objects by their node, as API servers index pods. */
	readonly #ofNodes = new Map<unknown, Map<string, ApiObject>>();
	readonly #listeners = new Set<WriteListener>();
	readonly #history: WatchedWrite[] = [];
	#forgottenVersion = 0;
	#snapshot: {readonly resourceVersion: number; readonly entries: readonly KeyedObject[]} | undefined;

	/** @param historyLimit how many changes are kept for watches and pages */
	constructor(historyLimit: number) {
		this.#historyLimit = historyLimit;
	}

	get(key: string): ApiObject | undefined {
		return this.#objects.get(key);
	}

	/** Applies a change, adds it to the history, and tells it to the listeners. */
	apply(change: WatchedWrite) {
		const {type, key, object, previous} = change;
		if (previous) this.#ofNodeOf(previous).delete(key);
		if (type === 'DELETED') this.#objects.delete(key);
		else {
			this.#objects.set(key, object);
			this.#ofNodeOf(object).set(key, object);
		}
		this.#history.push(change);
		if (this.#history.length > this.#historyLimit)
			this.#forgottenVersion = this.#history.shift()?.resourceVersion ?? 0;
		for (const listener of this.#listeners) listener(change);
	}

	/** Calls the listener for each later write, until the returned function is called. */
	subscribe(listener: WriteListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The changes after a version, oldest first; undefined if the history no longer reaches back. */
	changesSince(resourceVersion: number): readonly WatchedWrite[] | undefined {
		if (resourceVersion < this.#forgottenVersion) return undefined;
		const lastSeen = this.#history.findLastIndex((change) => change.resourceVersion <= resourceVersion);
		return this.#history.slice(lastSeen + 1);
	}

	/**
	 * All objects at a version, in order of their keys; undefined if the history no longer reaches back.
	 *
	 * @param node restricts the result to objects bound to this node, if the index allows it
	 */
	entriesAt(resourceVersion: number, node?: string): readonly KeyedObject[] | undefined {
		const newest = this.#history.at(-1)?.resourceVersion ?? 0;
		const version = Math.min(resourceVersion, newest);
		if (node !== undefined && version === newest) return inOrder(this.#ofNodes.get(node) ?? new Map());
		// Keeps one snapshot, because all pages of a list ask for the same one.
		if (this.#snapshot?.resourceVersion === version) return this.#snapshot.entries;
		const later = this.changesSince(version);
		if (!later) return undefined;
		const past = new Map(this.#objects);
		for (const {key, previous} of later.toReversed()) {
			if (previous) past.set(key, previous);
			else past.delete(key);
		}
		const entries = inOrder(past);
		this.#snapshot = {resourceVersion: version, entries};
		return entries;
	}

	#ofNodeOf(object: ApiObject) {
		return kept(this.#ofNodes, valueAt(object, 'spec.nodeName'), () => new Map<string, ApiObject>());
	}
}

const inOrder = (objects: ReadonlyMap<string, ApiObject>): KeyedObject[] =>
	[...objects].map(([key, object]) => ({key, object})).sort((a, b) => (a.key < b.key ? -1 : 1));
