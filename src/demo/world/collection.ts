import {type ApiObject, valueAt} from '../encode/apiObject.ts';

/**
 * One write, as watches report it. `resourceVersion` is the version that the write created; `object` is the one after it: for a
 * deletion, its last state with the deletion's version.
 */
export type WatchedWrite = KeyedObject & {
	readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
	readonly resourceVersion: number;
	/** The object before the write, absent for ADDED: whether it stopped matching a watch's selector. */
	readonly previous?: ApiObject;
};

/** An object with the key that orders lists. */
export type KeyedObject = {readonly key: string; readonly object: ApiObject};

/** The objects of one resource, with enough history for watches and pages. */
export class ResourceCollection {
	readonly #historyLimit: number;
	readonly #objects = new Map<string, ApiObject>();
	/** The same objects by their node, as API servers index pods. */
	readonly #ofNodes = new Map<string, Map<string, ApiObject>>();
	// Entries before #oldest are dropped; the array is cut from time to time.
	#history: WatchedWrite[] = [];
	#oldest = 0;
	#forgottenVersion = 0;
	#newestVersion = 0;
	#snapshot: {readonly resourceVersion: number; readonly entries: readonly KeyedObject[]} | undefined;

	constructor(historyLimit: number) {
		this.#historyLimit = historyLimit;
	}

	get(key: string): ApiObject | undefined {
		return this.#objects.get(key);
	}

	/** Applies a change and adds it to the history. */
	apply(change: WatchedWrite): void {
		const {key, object, previous} = change;
		const isDeleted = change.type === 'DELETED';
		if (isDeleted) this.#objects.delete(key);
		else this.#objects.set(key, object);
		const [before, after] = [previous && nodeOf(previous), isDeleted ? undefined : nodeOf(object)];
		if (before !== undefined) this.#ofNodes.get(before)?.delete(key);
		if (after !== undefined)
			this.#ofNodes.set(after, (this.#ofNodes.get(after) ?? new Map()).set(key, object));
		this.#newestVersion = change.resourceVersion;
		this.#history.push(change);
		if (this.#history.length - this.#oldest > this.#historyLimit) this.#forgetOldest();
	}

	/** The changes after a version, oldest first; undefined if the history no longer reaches back. */
	changesSince(resourceVersion: number): readonly WatchedWrite[] | undefined {
		if (resourceVersion < this.#forgottenVersion) return undefined;
		const lastSeen = this.#history.findLastIndex((change) => change.resourceVersion <= resourceVersion);
		return this.#history.slice(Math.max(lastSeen + 1, this.#oldest));
	}

	/**
	 * All objects at a version, in order of their keys; undefined if the history no longer reaches back.
	 *
	 * @param node restricts the result to objects bound to this node, if the index allows it
	 */
	entriesAt(resourceVersion: number, node?: string): readonly KeyedObject[] | undefined {
		const version = Math.min(resourceVersion, this.#newestVersion);
		if (node !== undefined && version === this.#newestVersion)
			return inOrder(this.#ofNodes.get(node) ?? new Map());
		// Keeps one snapshot, because all pages of a list ask for the same one.
		if (this.#snapshot?.resourceVersion === version) return this.#snapshot.entries;
		const later = this.changesSince(version);
		if (!later) return undefined;
		const entries = entriesBefore(later, this.#objects);
		this.#snapshot = {resourceVersion: version, entries};
		return entries;
	}

	#forgetOldest(): void {
		this.#forgottenVersion = this.#history[this.#oldest]?.resourceVersion ?? 0;
		this.#oldest++;
		if (this.#oldest <= this.#historyLimit) return;
		this.#history = this.#history.slice(this.#oldest);
		this.#oldest = 0;
	}
}

function entriesBefore(
	changes: readonly WatchedWrite[],
	objects: ReadonlyMap<string, ApiObject>,
): KeyedObject[] {
	const past = new Map(objects);
	for (const {key, previous} of changes.toReversed()) {
		if (previous) past.set(key, previous);
		else past.delete(key);
	}
	return inOrder(past);
}

const inOrder = (objects: ReadonlyMap<string, ApiObject>): KeyedObject[] =>
	[...objects].map(([key, object]) => ({key, object})).sort((a, b) => (a.key < b.key ? -1 : 1));

function nodeOf(object: ApiObject): string | undefined {
	const node = valueAt(object, 'spec.nodeName');
	return typeof node === 'string' ? node : undefined;
}
