import {type Duration, minute} from '../../core/time/instant.ts';
import {type ApiObject, type ApiResource, apiVersionOf} from '../encode/apiObject.ts';
import type {WatchedWrite} from '../world/collection.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import type {Timers} from '../world/timers.ts';
import type {ListOptions} from './listOptions.ts';
import {expired, type Status} from './status.ts';

export type WatchEvent =
	| {readonly type: WatchedWrite['type'] | 'BOOKMARK'; readonly object: ApiObject}
	| {readonly type: 'ERROR'; readonly object: Status};

const bookmarkPeriod: Duration = minute;

/**
 * Sends all writes after the requested version, then every later write, until the timeout or until the returned
 * function is called. Without a version, it first sends every present object as ADDED.
 */
export function startWatch(
	store: ObjectStore,
	resource: ApiResource,
	{resourceVersion, selection, allowsBookmarks, timeout}: ListOptions,
	{send, end}: {readonly send: (event: WatchEvent) => void; readonly end: () => void},
	timers: Timers,
): () => void {
	const collection = store.of(resource.name);
	const pass = (change: Omit<WatchedWrite, 'key'>) => {
		const event = eventFor(change, selection.matches);
		if (event) send(event);
	};
	const present = {type: 'ADDED', resourceVersion: store.resourceVersion} as const;
	const missed =
		resourceVersion === undefined
			? store.all(resource.name).map((object) => ({...present, object}))
			: collection.changesSince(resourceVersion);
	if (!missed) {
		const message = `too old resource version: ${resourceVersion} (${store.resourceVersion})`;
		send({type: 'ERROR', object: expired(message).status});
		end();
		return () => {};
	}
	for (const change of missed) pass(change);
	// No write can happen between the two, because both are synchronous.
	const unsubscribe = collection.subscribe((change) => {
		// A client may ask for a version that does not exist yet.
		if (change.resourceVersion > (resourceVersion ?? 0)) pass(change);
	});
	const bookmark = () => {
		const metadata = {name: '', resourceVersion: String(store.resourceVersion)};
		const {kind, group} = resource;
		send({type: 'BOOKMARK', object: {apiVersion: apiVersionOf(group), kind, metadata}});
	};
	let cancelBookmark = () => {};
	const bookmarkLater = () => {
		cancelBookmark = timers.after(bookmarkPeriod, () => {
			bookmark();
			bookmarkLater();
		});
	};
	if (allowsBookmarks) bookmarkLater();
	const cancelTimeout = timers.after(timeout, () => {
		stop();
		// A last bookmark lets the client resume from here, not from its last change.
		if (allowsBookmarks) bookmark();
		end();
	});
	const stop = () => {
		unsubscribe();
		cancelBookmark();
		cancelTimeout();
	};
	return stop;
}

// With a selector, an update can make an object match or stop matching.
function eventFor(
	{type, object, previous, resourceVersion}: Omit<WatchedWrite, 'key'>,
	matches: (object: ApiObject) => boolean,
): WatchEvent | undefined {
	const before = previous && matches(previous) ? previous : undefined;
	if (type !== 'DELETED' && matches(object)) return {type: before ? 'MODIFIED' : 'ADDED', object};
	// The object as the client last saw it, with the version of the change that removed it.
	const metadata = before && {...before.metadata, resourceVersion: String(resourceVersion)};
	return metadata && {type: 'DELETED', object: {...before, metadata}};
}
