import {isIP} from 'node:net';
import type {V1Node, V1NodeStatus} from '@kubernetes/client-node';
import type {Access} from '../access/access.ts';
import {entriesOf, type Fields, fieldsOf, itemsOf, numberOf, partsOf, textOf} from '../codec/rawJson.ts';
import {type Connections, connectionsOf} from '../transport/connections.ts';
import {hasStatus, RequestError, UntrustedError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';

/** The port of a kubelet that does not report another. */
const usualPort = 10250;

/** The kubelets of a cluster. They are asked through the API server or, if their authority is named, at their own ports. */
export function kubeletsOf(api: Transport, accessOfApi: Access) {
	const {kubeletCaFile: caFile} = accessOfApi;
	/** Where the kubelets listen, by node, until one is not found there. */
	const origins = new Map<string, URL>();
	let connections: Connections | undefined;
	/**
	 * Sends a request to a kubelet: `path` is its own, `send` gets it as the transport needs it. Where another kubelet, or nothing,
	 * listens by now, the node is asked for its address again, once.
	 *
	 * @throws RequestError if it is refused, or not answered by a kubelet that is trusted
	 */
	const ask = async <T>(
		node: string,
		path: string,
		send: (transport: Transport, path: string) => Promise<T>,
		signal: AbortSignal | undefined,
	): Promise<T> => {
		if (!caFile) return send(api, `/api/v1/nodes/${encodeURIComponent(node)}/proxy${path}`);
		const known = origins.get(node);
		const server = known ?? (await findOrigin(api, node, signal));
		origins.set(node, server);
		// Nothing that the API server's certificate may lack is forgiven a kubelet's.
		const access = {...accessOfApi, server, cluster: {name: node, server: '', skipTLSVerify: false, caFile}};
		connections ??= connectionsOf(access, {proxy: undefined, allowsHttp2: false, hasManyServers: true});
		try {
			return await send(api.towards(access, connections, 'kubelet'), path);
		} catch (error) {
			const isElsewhere = error instanceof RequestError && error.status === undefined;
			if (isElsewhere) origins.delete(node);
			if (isElsewhere && known && !error.isTimeout) return ask(node, path, send, signal);
			throw atOwnPort(error, node, path);
		}
	};
	return {
		ask,
		/** Whether they are asked at their own ports. */
		areAskedDirectly: Boolean(caFile),
		/** The right to read their statistics. */
		right: caFile ? 'nodes/stats' : 'nodes/proxy',
		close: async () => connections?.close(),
	};
}

export type KubeletClient = ReturnType<typeof kubeletsOf>;

/** Reads a node's status. @throws RequestError if it cannot be read */
export async function readNodeStatus(
	api: Transport,
	node: string,
	signal?: AbortSignal,
): Promise<Fields<V1NodeStatus>> {
	const list = await api.json('/api/v1/nodes', {fieldSelector: `metadata.name=${node}`}, signal);
	return partsOf<V1Node>(itemsOf(list)[0]).status;
}

/** @upstream kubernetes v1.36.3 pkg/kubelet/client/kubelet_client.go GetConnectionInfo */
async function findOrigin(api: Transport, node: string, signal: AbortSignal | undefined): Promise<URL> {
	const {addresses, daemonEndpoints} = await readNodeStatus(api, node, signal);
	const internal = entriesOf(addresses).find((one) => one?.type === 'InternalIP');
	const address = textOf(internal?.address);
	const {kubeletEndpoint} = fieldsOf<{kubeletEndpoint: unknown}>(daemonEndpoints);
	const reported = numberOf(fieldsOf<{Port: unknown}>(kubeletEndpoint).Port) ?? 0;
	const host = isIP(address) === 6 ? `[${address}]` : address;
	const url = URL.parse(`https://${host}:${reported > 0 ? reported : usualPort}`);
	if (url && isIP(address) !== 0) return url;
	throw new RequestError(
		`node ${node} reports no InternalIP at which its kubelet could be asked`,
		'leave --kubelet-certificate-authority out, to ask it through the API server',
	);
}

/**
 * What a kubelet's own refusal means.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/server/auth.go GetRequestAttributes
 */
function atOwnPort(error: unknown, node: string, path: string): unknown {
	if (error instanceof UntrustedError) {
		const how =
			'let the cluster sign it (serverTLSBootstrap in the kubelet configuration) and name the CA of the cluster';
		const message = `${error.message}; the authority of --kubelet-certificate-authority must have signed the certificate of the kubelet: ${how}, or name another authority, as that of whoever installed the cluster`;
		return new UntrustedError(message, 'without that flag it is asked through the API server');
	}
	if (hasStatus(error, 401)) {
		const message = `the kubelet of node ${node} does not accept the credentials (401 Unauthorized)`;
		return new RequestError(message, 'tokens need authentication.webhook in the kubelet configuration', 401);
	}
	if (!hasStatus(error, 403)) return error;
	const older = path === '/configz' ? ', or before v1.33 nodes/proxy' : '';
	const message = `kubelets refuse GET ${path} (the right to get nodes/${path.split('/')[1]}${older} is missing)`;
	return new RequestError(message, 'ask for the role of deploy/kubelet-stats/cluster-role.yaml', 403);
}
