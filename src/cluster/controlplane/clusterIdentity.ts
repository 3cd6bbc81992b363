import {orAborted} from '../../async/orAborted.ts';
import type {Duration} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {fieldsOf, textOf} from '../codec/rawJson.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';

/** The namespace that lives as long as its cluster: its UID is the cluster's name. */
const path = '/api/v1/namespaces/kube-system';

/** Another cluster answers at the address where one was followed: nothing that was seen until now holds for it. */
export class AnotherClusterError extends UserError {
	override readonly name: string = 'AnotherClusterError';
	/** The UID of its kube-system. */
	readonly uid: string;

	constructor(host: string, before: string, uid: string) {
		super(
			`another cluster answers at ${host}: the UID of its namespace kube-system is ${uid}, and was ${before}`,
			'it was rebuilt, or the address leads elsewhere',
		);
		this.uid = uid;
	}
}

/** Knows which cluster an address leads to. Where the namespace may not be read, every answer is taken for the same cluster's. */
export class ClusterIdentity {
	readonly #transport: Transport;
	readonly #limit: Duration;
	#uid = '';
	/** One question for all watches that are opened again at the same time. */
	#asking: Promise<string> | undefined;

	/** @param limit how long an answer is waited for while watches wait */
	constructor(transport: Transport, limit: Duration) {
		this.#transport = transport;
		this.#limit = limit;
	}

	/** The UID of the cluster that answers now, which is followed from here on. @throws UserError where it cannot be read */
	async read(): Promise<string> {
		this.#uid = await this.#ask();
		return this.#uid;
	}

	/**
	 * Makes sure that the cluster is still the one that is followed. The first UID read is taken as the followed cluster's.
	 *
	 * @throws AnotherClusterError where it is not; RequestError where nobody answers
	 */
	async verify(signal: AbortSignal): Promise<void> {
		this.#asking ??= this.#ask(AbortSignal.timeout(this.#limit)).finally(() => {
			this.#asking = undefined;
		});
		const uid = await orAborted(this.#asking, signal).catch((error: unknown) => {
			// What may not be read, or not right now, proves nothing.
			if (error instanceof RequestError && error.status !== undefined) return '';
			throw error;
		});
		if (uid === '') return;
		if (this.#uid !== '' && this.#uid !== uid)
			throw new AnotherClusterError(this.#transport.server.host, this.#uid, uid);
		this.#uid = uid;
	}

	async #ask(signal?: AbortSignal): Promise<string> {
		const namespace = fieldsOf<{metadata: unknown}>(await this.#transport.json(path, {}, signal));
		return textOf(fieldsOf<{uid: string}>(namespace.metadata).uid);
	}
}
