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

/**
 * Identifies the cluster behind an address. If the namespace is forbidden, it always counts as the same cluster.
 *
 * @param limit timeout of the request, while watches wait
 */
export function clusterIdentity(transport: Transport, limit: Duration) {
	let known = '';
	/** Shared by all watches that reopen at the same time. */
	let asking: Promise<string> | undefined;
	const ask = async (signal?: AbortSignal) =>
		textOf(partsOf(await transport.json(path, {}, signal)).metadata.uid);
	return {
		/** Reads the UID of the cluster that answers now, and follows it from now on. @throws UserError if it cannot be read */
		read: async (): Promise<void> => {
			known = await ask();
		},
		/**
		 * Checks that the cluster is still the followed one. The first UID that is read becomes the followed cluster's.
		 *
		 * @throws AnotherClusterError if it is not; RequestError if nothing answers
		 */
		verify: async (signal: AbortSignal): Promise<void> => {
			asking ??= ask(AbortSignal.timeout(limit)).finally(() => {
				asking = undefined;
			});
			const uid = await orAborted(asking, signal).catch((error: unknown) => {
				// A refusal or a server error proves nothing.
				if (error instanceof RequestError && error.status !== undefined) return '';
				throw error;
			});
			if (uid === '') return;
			if (known !== '' && known !== uid) throw new AnotherClusterError(transport.server.host, known, uid);
			known = uid;
		},
	};
}

export type ClusterIdentity = ReturnType<typeof clusterIdentity>;
