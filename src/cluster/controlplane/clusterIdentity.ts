import {orAborted} from '../../async/orAborted.ts';
import type {Duration} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {partsOf, textOf} from '../codec/rawJson.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';

/** This namespace exists as long as its cluster, so its UID identifies the cluster. */
const path = '/api/v1/namespaces/kube-system';

/** Another cluster answers at the followed cluster's address: everything seen before is void. */
export class AnotherClusterError extends UserError {
	override readonly name: string = 'AnotherClusterError';
	/** The UID of the new cluster's kube-system. */
	readonly uid: string;

	constructor(host: string, before: string, uid: string) {
		super(
			`another cluster answers at ${host}: the UID of its namespace kube-system is ${uid}, and was ${before}`,
			'it was rebuilt, or the address leads elsewhere',
		);
		this.uid = uid;
	}
}

/** Identifies the cluster behind an address. If the namespace is forbidden, it always counts as the same cluster. */
export class ClusterIdentity {
	readonly #transport: Transport;
	readonly #limit: Duration;
	#uid = '';
	/** Shared by all watches that reopen at the same time. */
	#asking: Promise<string> | undefined;

	/** @param limit timeout of the request, while watches wait */
	constructor(transport: Transport, limit: Duration) {
		this.#transport = transport;
		this.#limit = limit;
	}

	/** Reads the UID of the cluster that answers now, and follows it from now on. @throws UserError if it cannot be read */
	async read(): Promise<string> {
		this.#uid = await this.#ask();
		return this.#uid;
	}

	/**
	 * Checks that the cluster is still the followed one. The first UID that is read becomes the followed cluster's.
	 *
	 * @throws AnotherClusterError if it is not; RequestError if nothing answers
	 */
	async verify(signal: AbortSignal): Promise<void> {
		this.#asking ??= this.#ask(AbortSignal.timeout(this.#limit)).finally(() => {
			this.#asking = undefined;
		});
		const uid = await orAborted(this.#asking, signal).catch((error: unknown) => {
			// A refusal or a server error proves nothing.
			if (error instanceof RequestError && error.status !== undefined) return '';
			throw error;
		});
		if (uid === '') return;
		if (this.#uid !== '' && this.#uid !== uid)
			throw new AnotherClusterError(this.#transport.server.host, this.#uid, uid);
		this.#uid = uid;
	}

	async #ask(signal?: AbortSignal): Promise<string> {
		return textOf(partsOf(await this.#transport.json(path, {}, signal)).metadata.uid);
	}
}
