import {type Duration, minute} from '../../core/time/instant.ts';
import {type ApiObject, type ApiResource, apiVersionOf} from '../encode/apiObject.ts';
import type {WatchedWrite} from '../world/collection.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import type {Timers} from '../world/timers.ts';
import type {ListOptions, ServerSelection} from './listOptions.ts';
import {expired, type Status} from './status.ts';

export type WatchEvent =
	| {readonly type: WatchedWrite['type'] | 'BOOKMARK'; readonly object: ApiObject}
	| {readonly type: 'ERROR'; readonly object: Status};

/** The destination of a watch: an HTTP response, or a list in a test. */
type WatchSink = {readonly send: (event: WatchEvent) => void; readonly end: () => void};

/** How long a watch lasts if the client sets no timeout, as with --min-request-timeout. */
const defaultTimeout: Duration = 30 * minute;
const bookmarkPeriod: Duration = minute;

/**
 * Sends all writes after the requested version, then every later write, until the timeout or until the returned
 * function is called. Without a version, it first sends every present object as ADDED.
 */
export function startWatch(
	store: ObjectStore,
	resource: ApiResource,
	options: ListOptions,
	sink: WatchSink,
	timers: Timers,
): () => void {
	const missed = missedChanges(store, resource, options.resourceVersion);
	if (!missed) {
		const message = `too old resource version: ${options.resourceVersion} (${store.resourceVersion})`;
		sink.send({type: 'ERROR', object: expired(message).status});
		sink.end();
		return () => {};
	}
	const pass = (change: WatchedWrite) => {
		const event = eventFor(change, options.selection);
		if (event) sink.send(event);
	};
	for (const change of missed) pass(change);
	// No write can happen between the two, because both are synchronous.
	const unsubscribe = store.subscribe(resource.name, (change) => {
		// A client may ask for a version that does not exist yet.
		if (change.resourceVersion > (options.resourceVersion ?? 0)) pass(change);
	});
	const {allowsBookmarks, timeout = defaultTimeout} = options;
	const bookmark = () => sink.send(bookmarkFor(resource, store.resourceVersion));
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
		sink.end();
	});
	const stop = () => {
		unsubscribe();
		cancelBookmark();
		cancelTimeout();
	};
	return stop;
}

function missedChanges(
	store: ObjectStore,
	resource: ApiResource,
	resourceVersion: number | undefined,
): readonly WatchedWrite[] | undefined {
	if (resourceVersion !== undefined) return store.changesSince(resource.name, resourceVersion);
	const present = store.entriesAt(resource.name) ?? [];
	return present.map(({key, object}) => ({
		type: 'ADDED',
		resourceVersion: store.resourceVersion,
		key,
		object,
	}));
}

// With a selector, an update can make an object match or stop matching.
function eventFor(change: WatchedWrite, {matches}: ServerSelection): WatchEvent | undefined {
	const wasSeen = change.previous !== undefined && matches(change.previous);
	const isSeen = change.type !== 'DELETED' && matches(change.object);
	if (isSeen) return {type: wasSeen ? 'MODIFIED' : 'ADDED', object: change.object};
	if (!wasSeen || !change.previous) return undefined;
	// The object as the client last saw it, with the version of the change that removed it.
	const metadata = {...change.previous.metadata, resourceVersion: String(change.resourceVersion)};
	return {type: 'DELETED', object: {...change.previous, metadata}};
}

function bookmarkFor(resource: ApiResource, resourceVersion: number): WatchEvent {
	const metadata = {name: '', resourceVersion: String(resourceVersion)};
	return {
		type: 'BOOKMARK',
		object: {apiVersion: apiVersionOf(resource.group), kind: resource.kind, metadata},
	};
}
