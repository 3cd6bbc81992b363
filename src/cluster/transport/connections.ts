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
export class Connections {
	readonly #access: Access;
	readonly #route: Route;
	#current: {readonly dispatcher: Dispatcher; readonly identity: Identity} | undefined;

	/** The proxy on the way to the server, without its password. */
	get proxy(): string | undefined {
		return URL.parse(this.#route.proxy ?? '')?.host;
	}

	constructor(access: Access, route: Route) {
		this.#access = access;
		this.#route = route;
	}

	/** The dispatcher for requests with this credential. @throws UserError if a certificate cannot be used */
	for({certificate}: Credential, ca: string): Dispatcher {
		const identity = {ca, certificate};
		if (this.#current && isDeepStrictEqual(this.#current.identity, identity)) return this.#current.dispatcher;
		const dispatcher = this.#make(identity);
		if (dispatcher === this.#current?.dispatcher) return dispatcher;
		// If closing fails, it ends with its last stream.
		this.#current?.dispatcher.close().catch(() => undefined);
		this.#current = {dispatcher, identity};
		return dispatcher;
	}

	/** Replaces the connections if this one was silent: over HTTP/2, all further requests on it would wait as long. */
	replace(silent: Dispatcher): void {
		if (this.#current?.dispatcher === silent) this.replaceAll();
	}

	/** Makes the next request use new connections; the old ones complete their requests. */
	replaceAll(): void {
		const current = this.#current;
		this.#current = undefined;
		current?.dispatcher.close().catch(() => undefined);
	}

	/** Closes the current connections at once; replaced ones end with their last request. */
	async close(): Promise<void> {
		const current = this.#current;
		this.#current = undefined;
		await current?.dispatcher.destroy();
	}

	#make(identity: Identity): Dispatcher {
		try {
			return makeDispatcher(this.#access, this.#route, identity);
		} catch (error) {
			// Certificate and key are being replaced one after the other; until then the old ones are used.
			if (this.#current && error instanceof UserError) return this.#current.dispatcher;
			throw error;
		}
	}
}
