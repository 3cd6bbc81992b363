import type {Dispatcher} from 'undici';
import {UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import type {Credential} from '../access/kubeconfigEntries.ts';
import {type Identity, makeDispatcher, type Route} from './dispatcher.ts';

/**
 * The connections of one user to one server. Certificates belong to a connection, so that renewed ones mean new
 * connections; the old ones serve out what they have begun.
 */
export class Connections {
	readonly #access: Access;
	readonly #route: Route;
	#current: {readonly dispatcher: Dispatcher; readonly identity: Identity} | undefined;

	constructor(access: Access, route: Route) {
		this.#access = access;
		this.#route = route;
	}

	/** What a request with this credential goes through. @throws UserError where a certificate cannot be used. */
	for({certificate}: Credential, ca: string): Dispatcher {
		const identity = {ca, certificate};
		if (
			this.#current &&
			this.#current.identity.ca === ca &&
			isSameCertificate(this.#current.identity.certificate, certificate)
		)
			return this.#current.dispatcher;
		const dispatcher = this.#make(identity);
		if (dispatcher === this.#current?.dispatcher) return dispatcher;
		// Failing to close it orderly changes nothing: it ends with its last stream.
		this.#current?.dispatcher.close().catch(() => undefined);
		this.#current = {dispatcher, identity};
		return dispatcher;
	}

	/** Makes others for the next request where one fell silent: over HTTP/2 all that is asked there would wait as long. */
	replace(silent: Dispatcher): void {
		if (this.#current?.dispatcher === silent) this.replaceAll();
	}

	/** Makes others for the next request, whichever there are; they end what they have begun. */
	replaceAll(): void {
		const current = this.#current;
		this.#current = undefined;
		current?.dispatcher.close().catch(() => undefined);
	}

	/** Ends the present ones at once; those that were replaced end with what they still serve. */
	async close(): Promise<void> {
		const current = this.#current;
		this.#current = undefined;
		await current?.dispatcher.destroy();
	}

	#make(identity: Identity): Dispatcher {
		try {
			return makeDispatcher(this.#access, this.#route, identity);
		} catch (error) {
			// Seen while certificate and key are being replaced, one after the other: the old ones do until then.
			if (this.#current && error instanceof UserError) return this.#current.dispatcher;
			throw error;
		}
	}
}

/** Whether two are the same certificate with the same key, or none. */
export const isSameCertificate = (one: Identity['certificate'], other: Identity['certificate']): boolean =>
	one?.cert === other?.cert && one?.key === other?.key;
