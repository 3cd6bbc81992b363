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

export type ResourceCollection = ReturnType<typeof resourceCollection>;

/** The objects of one resource, with enough history for watches and pages. @param historyLimit how many changes are kept */
export function resourceCollection(historyLimit: number) {
	const objects = new Map<string, ApiObject>();
	/** The same objects by their node, as API servers index pods. */
	const ofNodes = new Map<unknown, Map<string, ApiObject>>();
	const listeners = new Set<WriteListener>();
	const history: WatchedWrite[] = [];
	let forgottenVersion = 0;
	let snapshot: {readonly version: number; readonly entries: readonly KeyedObject[]} | undefined;

	const ofNodeOf = (object: ApiObject) =>
		kept(ofNodes, valueAt(object, 'spec.nodeName'), () => new Map<string, ApiObject>());

	/** The changes after a version, oldest first; undefined if the history no longer reaches back. */
	const changesSince = (resourceVersion: number): readonly WatchedWrite[] | undefined => {
		if (resourceVersion < forgottenVersion) return undefined;
		const lastSeen = history.findLastIndex((change) => change.resourceVersion <= resourceVersion);
		return history.slice(lastSeen + 1);
	};

	return {
		get: (key: string) => objects.get(key),
		/** Applies a change, adds it to the history, and tells it to the listeners. */
		apply(change: WatchedWrite) {
			const {type, key, object, previous} = change;
			if (previous) ofNodeOf(previous).delete(key);
			if (type === 'DELETED') objects.delete(key);
			else {
				objects.set(key, object);
				ofNodeOf(object).set(key, object);
			}
			history.push(change);
			const forgotten = history.length - historyLimit;
			if (forgotten > 0) forgottenVersion = history[forgotten - 1]?.resourceVersion ?? 0;
			// In bulk: what is taken off the front of a long array moves the rest.
			if (forgotten > historyLimit) history.splice(0, forgotten);
			for (const listener of listeners) listener(change);
		},
		/** Calls the listener for each later write, until the returned function is called. */
		subscribe(listener: WriteListener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		changesSince,
		/**
		 * All objects at a version, in order of their keys; undefined if the history no longer reaches back.
		 *
		 * @param node restricts the result to objects bound to this node, if the index allows it
		 */
		entriesAt(resourceVersion: number, node?: string): readonly KeyedObject[] | undefined {
			const newest = history.at(-1)?.resourceVersion ?? 0;
			const version = Math.min(resourceVersion, newest);
			if (node !== undefined && version === newest) return inOrder(ofNodes.get(node) ?? new Map());
			// Keeps one snapshot, because all pages of a list ask for the same one.
			if (snapshot?.version === version) return snapshot.entries;
			const later = changesSince(version);
			if (!later) return undefined;
			const past = new Map(objects);
			for (const {key, previous} of later.toReversed()) {
				if (previous) past.set(key, previous);
				else past.delete(key);
			}
			snapshot = {version, entries: inOrder(past)};
			return snapshot.entries;
		},
	};
}

const inOrder = (objects: ReadonlyMap<string, ApiObject>): KeyedObject[] =>
	[...objects].map(([key, object]) => ({key, object})).sort((a, b) => (a.key < b.key ? -1 : 1));
