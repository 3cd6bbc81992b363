import type {VersionInfo} from '@kubernetes/client-node';
import {Decoder} from '../codec/decoder.ts';
import {fieldsOf, itemsOf, textOf} from '../codec/rawJson.ts';
import {list} from '../transport/list.ts';
import {RequestError} from '../transport/requestError.ts';
import {type Listable, nodeLeases, nodes, podsOf} from '../transport/resource.ts';
import type {Query, Transport} from '../transport/transport.ts';

/** The API server's version, such as `v1.36.3`. @throws RequestError if it is not available */
export async function readVersion(transport: Transport): Promise<string> {
	const version = textOf(fieldsOf<VersionInfo>(await transport.json('/version')).gitVersion);
	if (version !== '') return version;
	throw new RequestError(
		'the server does not tell its version',
		'check the address of the server: kubectl version',
	);
}

/** Whether the API server answers a request that needs etcd: others it answers without. A refusal counts as an answer. */
export async function answersAboutLeases(transport: Transport, signal: AbortSignal): Promise<boolean> {
	const {path} = nodeLeases(new Decoder());
	try {
		await transport.json(path, {limit: '1'}, signal);
		return true;
	} catch (error) {
		return error instanceof RequestError && error.status !== undefined && error.status < 500;
	}
}

/** What is asked of an API server once, of single objects. */
export const questionsTo = (transport: Transport) => ({
	/** Reads one node; undefined if it does not exist. @throws RequestError if it cannot be read */
	node: (name: string) => lookUp(transport, nodes(new Decoder()), name),
	/** The same for a pod. */
	pod: (namespace: string, name: string) => lookUp(transport, podsOf(namespace, new Decoder()), name),
	/** Whether a namespace certainly does not exist; false also if it is forbidden. @throws RequestError if nothing answers */
	lacksNamespace: (name: string): Promise<boolean> =>
		transport.json(`/api/v1/namespaces/${encodeURIComponent(name)}`).then(() => false, isNotFound),
	/**
	 * Whether the selectors certainly match no pod, of all namespaces if none is given; false also if listing is forbidden.
	 *
	 * @throws RequestError if nothing answers
	 */
	lacksPods: (namespace: string | undefined, selectors: Query): Promise<boolean> =>
		transport
			.json(podsOf(namespace, new Decoder()).path, {...selectors, limit: '1'})
			.then((found) => itemsOf(found).length === 0, isNotFound),
});

/** Lists by name, as the rights to list and watch do not include get. Sent once, to spare an overloaded server. */
async function lookUp<T>(transport: Transport, from: Listable<T>, name: string): Promise<T | undefined> {
	const resource = {...from, query: {fieldSelector: `metadata.name=${name}`}, maxAttempts: 1};
	return (await list(transport, resource)).objects[0];
}

function isNotFound(error: unknown) {
	if (error instanceof RequestError && error.status !== undefined) return error.status === 404;
	throw error;
}
