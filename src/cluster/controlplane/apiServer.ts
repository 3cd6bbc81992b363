import type {VersionInfo} from '@kubernetes/client-node';
import {systemTiming} from '../../async/timing.ts';
import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {Decoder} from '../codec/decoder.ts';
import {entriesOf, fieldsOf, textOf} from '../codec/rawJson.ts';
import {list} from '../transport/list.ts';
import {RequestError} from '../transport/requestError.ts';
import {type Listable, nodeLeases, nodes, podsOf} from '../transport/resource.ts';
import type {Query, Transport} from '../transport/transport.ts';

/** The API server's version, as in `v1.36.3`. @throws RequestError where it does not say. */
export async function readVersion(transport: Transport): Promise<string> {
	const version = textOf(fieldsOf<VersionInfo>(await transport.json('/version')).gitVersion);
	if (version !== '') return version;
	throw new RequestError(
		'the server does not tell its version',
		'check the address of the server: kubectl version',
	);
}

/**
 * Whether the API server answers a question for which it has to know what is stored: one that has lost its store answers
 * others still. That it refuses is an answer, too.
 */
export async function answersAboutLeases(transport: Transport, signal: AbortSignal): Promise<boolean> {
	const {path} = nodeLeases(new Decoder());
	try {
		await transport.json(path, {limit: '1'}, signal);
		return true;
	} catch (error) {
		return error instanceof RequestError && error.status !== undefined && error.status < 500;
	}
}

/** Asks for one node as it is right now; undefined where there is none. @throws RequestError where it cannot be read */
export const lookUpNode = (transport: Transport, name: string): Promise<Node | undefined> =>
	lookUp(transport, nodes(new Decoder()), name);

/** The same of a pod. */
export const lookUpPod = (transport: Transport, namespace: string, name: string): Promise<Pod | undefined> =>
	lookUp(transport, podsOf(namespace, new Decoder()), name);

/**
 * A list of one: whoever may list and watch a collection need not be allowed to get its objects. It is asked for once: of
 * many who look up things, each would go on to ask a server that is too busy.
 */
async function lookUp<T>(transport: Transport, from: Listable<T>, name: string): Promise<T | undefined> {
	const {path, message, decode} = from;
	const query = {fieldSelector: `metadata.name=${name}`};
	const timing = {...systemTiming, mostAttempts: 1};
	return (await list(transport, {path, query, message, decode}, timing)).objects[0];
}

/** Whether a namespace is surely not there; false where it is, or may not be asked for. @throws RequestError where nobody answers */
export const lacksNamespace = (transport: Transport, name: string): Promise<boolean> =>
	transport.json(`/api/v1/namespaces/${encodeURIComponent(name)}`, {}).then(() => false, isNotFound);

/** Whether selectors surely match no pod; false where one is, or they may not be listed. @throws RequestError where nobody answers */
export const lacksPods = (
	transport: Transport,
	namespace: string | undefined,
	selectors: Query,
): Promise<boolean> =>
	transport
		.json(podsOf(namespace, new Decoder()).path, {...selectors, limit: '1'})
		.then((found) => entriesOf(fieldsOf<{items: unknown}>(found).items).length === 0, isNotFound);

function isNotFound(error: unknown): boolean {
	if (error instanceof RequestError && error.status !== undefined) return error.status === 404;
	throw error;
}
