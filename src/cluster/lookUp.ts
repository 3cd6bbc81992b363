import type {Node} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import {Decoder} from './decoder.ts';
import {hasStatus} from './requestError.ts';
import type {Transport} from './transport.ts';

/** Asks for one node as it is right now; undefined where there is none. @throws RequestError where it cannot be read */
export const lookUpNode = (transport: Transport, name: string): Promise<Node | undefined> =>
	lookUp(transport, `/api/v1/nodes/${encodeURIComponent(name)}`, new Decoder().node);

/** The same of a pod. */
export const lookUpPod = (transport: Transport, namespace: string, name: string): Promise<Pod | undefined> =>
	lookUp(
		transport,
		`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`,
		new Decoder().pod,
	);

async function lookUp<T>(
	transport: Transport,
	path: string,
	decode: (value: unknown) => T | undefined,
): Promise<T | undefined> {
	try {
		return decode(await transport.json(path));
	} catch (error) {
		if (hasStatus(error, 404)) return undefined;
		throw error;
	}
}
