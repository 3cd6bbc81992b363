import {isDeepStrictEqual} from 'node:util';
import type {Dispatcher} from 'undici';
import {UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import type {Credential} from '../access/kubeconfigEntries.ts';
import {type Identity, makeDispatcher, type Route} from './dispatcher.ts';

/**
 * The connections of one user to one server. Certificates belong to a connection, so a renewed one requires new connections;
 * the old ones complete their requests.
 */
export function connectionsOf(access: Access, route: Route) {
	let current: {readonly dispatcher: Dispatcher; readonly identity: Identity} | undefined;
	/** Makes the next request use new connections; the old ones complete their requests. */
	const replaceAll = (by?: typeof current) => {
		// If closing fails, it ends with its last stream.
		current?.dispatcher.close().catch(() => undefined);
		current = by;
	};
	return {
		/** The proxy on the way to the server, without its password. */
		proxy: URL.parse(route.proxy ?? '')?.host,
		replaceAll: () => replaceAll(),
		/** The dispatcher for requests with this credential. @throws UserError if a certificate cannot be used */
		for: ({certificate}: Credential, ca: string): Dispatcher => {
			const identity = {ca, certificate};
			if (current && isDeepStrictEqual(current.identity, identity)) return current.dispatcher;
			try {
				const dispatcher = makeDispatcher(access, route, identity);
				replaceAll({dispatcher, identity});
				return dispatcher;
			} catch (error) {
				// Certificate and key are being replaced one after the other; until then the old ones are used.
				if (current && error instanceof UserError) return current.dispatcher;
				throw error;
			}
		},
		/** Replaces the connections if this one was silent: over HTTP/2, all further requests on it would wait as long. */
		replace: (silent: Dispatcher) => {
			if (current?.dispatcher === silent) replaceAll();
		},
		/** Closes the current connections at once; replaced ones end with their last request. */
		close: async (): Promise<void> => {
			const last = current;
			current = undefined;
			await last?.dispatcher.destroy();
		},
	};
}

export type Connections = ReturnType<typeof connectionsOf>;
