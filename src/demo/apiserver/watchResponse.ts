import type {ServerResponse} from 'node:http';
import type {Instant} from '../../core/time/instant.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import type {Timers} from '../world/timers.ts';
import {type Rendering, renderObject} from './answer.ts';
import type {ListOptions} from './listOptions.ts';
import {renderTable} from './table.ts';
import {startWatch, type WatchEvent} from './watch.ts';

// A client that reads slower than the world changes is cut off, as the API server does: it can watch again from
// where it was, and the store's history bounds the memory, not the socket's queue.
const maximumQueuedBytes = 64 * 1024 * 1024;

/** Streams a watch into a response, one JSON object a line, until either side ends it. */
export function streamWatch(
	store: ObjectStore,
	rendering: Rendering,
	options: ListOptions,
	response: ServerResponse,
	timers: Timers,
	now: () => Instant,
): void {
	response.writeHead(200, {'content-type': 'application/json'});
	response.flushHeaders();
	const render = eventRenderer(rendering, now);
	const sink = {
		send: (event: WatchEvent) => {
			response.write(`${JSON.stringify({type: event.type, object: render(event)})}\n`);
			if (response.writableLength > maximumQueuedBytes) response.destroy();
		},
		end: () => {
			response.end();
		},
	};
	const stop = startWatch(store, rendering.resource, options, sink, timers);
	response.once('close', stop);
}

function eventRenderer(rendering: Rendering, now: () => Instant): (event: WatchEvent) => object {
	let hasSentColumns = false;
	return (event) => {
		if (event.type === 'ERROR') return event.object;
		if (event.type === 'BOOKMARK' && rendering.representation !== 'Table') return event.object;
		if (rendering.representation !== 'Table') return renderObject(rendering, event.object, now());
		const {resourceVersion} = event.object.metadata;
		const rows = event.type === 'BOOKMARK' ? [] : [event.object];
		const table = renderTable(
			rendering.resource.name,
			rows,
			{resourceVersion},
			rendering.includeObject,
			now(),
		);
		// Only the first event names the columns; kubectl prints its header when they come.
		const columnDefinitions = hasSentColumns ? null : table.columnDefinitions;
		hasSentColumns = true;
		return {...table, columnDefinitions};
	};
}
