import type {Duration} from '../../core/time/instant.ts';
import {keepSecret, keepUrlSecrets} from '../../text/redact.ts';
import {UserError} from '../../text/userError.ts';
import type {ConnectionOptions} from './connectionOptions.ts';
import {inClusterAccess} from './inCluster.ts';
import {
	emptyCluster,
	emptyUser,
	type Kubeconfig,
	type KubeconfigCluster,
	type KubeconfigUser,
} from './kubeconfig.ts';
import {kubeconfigFiles, loadKubeconfig} from './loadKubeconfig.ts';
import {parseRequestTimeout} from './requestTimeout.ts';
import {serverUrl} from './serverUrl.ts';
import type {Surroundings} from './surroundings.ts';
import {validateAccess} from './validateAccess.ts';

/** Everything needed to talk to one cluster as one user: kubeconfig and flags put together. */
export type Access = {
	readonly server: URL;
	readonly cluster: KubeconfigCluster;
	readonly user: KubeconfigUser;
	/** The namespace asked for, else the context's, else `default`. */
	readonly namespace: string;
	/** Of one whole request; zero means no limit, undefined that none was asked for. */
	readonly requestTimeout: Duration | undefined;
	/** How many objects to ask for at a time; zero means all at once, undefined that nobody cares. */
	readonly chunkSize?: number | undefined;
	/** How much is said of requests: from 6 on each of them, from 7 on with its headers. */
	readonly verbosity?: number;
};

/**
 * Decides which cluster to talk to, and as whom, by kubectl's rules.
 *
 * @throws UserError where nothing is configured, or what is named does not exist.
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go ClientConfig
 */
export async function resolveAccess(options: ConnectionOptions, surroundings: Surroundings): Promise<Access> {
	const kubeconfig = await loadKubeconfig(options.kubeconfig, surroundings);
	const base = isUnsaid(kubeconfig, options) ? withoutKubeconfig(surroundings) : chosen(kubeconfig, options);
	const cluster = overrideCluster(base.cluster, options);
	if (cluster.server === '') throw noServer(kubeconfig, options, surroundings);
	const user = overrideUser(base.user, options);
	keepSecrets(cluster, user);
	validateAccess(cluster, user);
	return {
		server: serverUrl(cluster),
		cluster,
		user,
		namespace: options.namespace || base.namespace || 'default',
		requestTimeout: readTimeout(options.requestTimeout),
		chunkSize: readCount('chunk-size', options.chunkSize),
		verbosity: readCount('v', options.v) ?? 0,
	};
}

/** No message shows what the kubeconfig or a flag gives as a secret. */
function keepSecrets({server, proxyUrl}: KubeconfigCluster, user: KubeconfigUser): void {
	keepSecret(user.token, user.password, user.clientKeyData);
	keepUrlSecrets(server);
	keepUrlSecrets(proxyUrl);
	const isNamedSecret = (name: string) => /token|passw|secret|key|credential/i.test(name);
	const {args = [], env = []} = user.exec ?? {};
	for (const [name, value] of env) if (isNamedSecret(name)) keepSecret(value);
	for (const [index, arg] of args.entries()) {
		if (!isNamedSecret(arg) || !arg.startsWith('-')) continue;
		const [, assigned] = /^[^=]*=(.*)$/s.exec(arg) ?? [];
		keepSecret(assigned ?? args[index + 1]);
	}
}

const isEmpty = ({contexts, clusters, users}: Kubeconfig) => contexts.size + clusters.size + users.size === 0;

/**
 * Whether neither kubeconfig nor flags say which cluster to talk to. A server that a flag names gets no credentials of
 * the pod that this may run in.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/merged_client_builder.go ClientConfig
 */
const isUnsaid = (kubeconfig: Kubeconfig, {context, cluster, user, server}: ConnectionOptions) =>
	!context && !cluster && !user && !server && kubeconfig.currentContext === '';

function withoutKubeconfig(surroundings: Surroundings) {
	const server = surroundings.env['KUBERNETES_MASTER'] ?? '';
	return (
		inClusterAccess(surroundings) ?? {cluster: {...emptyCluster, server}, user: emptyUser, namespace: ''}
	);
}

function chosen(kubeconfig: Kubeconfig, options: ConnectionOptions) {
	const contextName = options.context || kubeconfig.currentContext;
	const context = kubeconfig.contexts.get(contextName);
	if (!context && contextName !== '') throw missing('context', contextName, kubeconfig.contexts.keys());
	const clusterName = options.cluster || context?.cluster || '';
	const userName = options.user || context?.user || '';
	const cluster = kubeconfig.clusters.get(clusterName);
	// A server by flag makes up for a cluster that a context names in vain, not for one that a flag does.
	if (!cluster && clusterName !== '' && (options.cluster || !options.server)) {
		throw missing('cluster', clusterName, kubeconfig.clusters.keys());
	}
	const user = kubeconfig.users.get(userName);
	if (!user && userName !== '') throw missing('user', userName, kubeconfig.users.keys());
	return {cluster: cluster ?? emptyCluster, user: user ?? emptyUser, namespace: context?.namespace ?? ''};
}

// A flag that says whom to trust replaces all that the kubeconfig says of it; a server's TLS name goes with its server.
function overrideCluster(cluster: KubeconfigCluster, options: ConnectionOptions): KubeconfigCluster {
	const replacesTrust = Boolean(options.certificateAuthority || options.insecureSkipTlsVerify);
	const replacesName = Boolean(options.server || options.tlsServerName);
	return {
		...cluster,
		...(options.server && {server: options.server}),
		...(replacesName && {tlsServerName: options.tlsServerName ?? ''}),
		...(replacesTrust && {
			certificateAuthority: options.certificateAuthority ?? '',
			certificateAuthorityData: '',
			insecureSkipTlsVerify: options.insecureSkipTlsVerify ?? false,
		}),
		...(options.disableCompression && {disableCompression: true}),
	};
}

function overrideUser(user: KubeconfigUser, options: ConnectionOptions): KubeconfigUser {
	return {
		...user,
		...(options.token && {token: options.token, tokenFile: ''}),
		...(options.username && {username: options.username}),
		...(options.password && {password: options.password}),
		...(options.clientCertificate && {
			clientCertificate: options.clientCertificate,
			clientCertificateData: '',
		}),
		...(options.clientKey && {clientKey: options.clientKey, clientKeyData: ''}),
		...(options.as && {as: options.as}),
		...(options.asUid && {asUid: options.asUid}),
		...(options.asGroup?.length && {asGroups: options.asGroup}),
		...(options.asUserExtra?.length && {asUserExtra: options.asUserExtra.map(readExtra)}),
	};
}

function readExtra(extra: string): readonly [string, string] {
	const [, key, value = ''] = /^([^=]+)=(.*)$/.exec(extra) ?? [];
	if (key !== undefined) return [key, value];
	throw new UserError(
		`--as-user-extra "${extra}" is not KEY=VALUE`,
		'write for example --as-user-extra=team=blue',
	);
}

function readCount(flag: string, text: string | undefined): number | undefined {
	if (!text) return undefined;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UserError(`invalid argument "${text}" for "--${flag}" flag`, 'want a whole number, 0 or more');
}

function readTimeout(text: string | undefined): Duration | undefined {
	if (!text) return undefined;
	const timeout = parseRequestTimeout(text);
	if (timeout !== undefined) return timeout;
	throw new UserError(
		`--request-timeout "${text}" is no length of time`,
		'write for example 30s, 2m or 0 for no limit',
	);
}

function missing(kind: string, name: string, known: Iterable<string>): UserError {
	const names = [...known].toSorted().join(', ');
	return new UserError(
		`${kind} "${name}" does not exist in the kubeconfig`,
		names === '' ? `there is no ${kind} in it; see kubectl config view` : `choose one of: ${names}`,
	);
}

function noServer(kubeconfig: Kubeconfig, options: ConnectionOptions, surroundings: Surroundings): UserError {
	if (isEmpty(kubeconfig)) {
		const looked = options.kubeconfig || kubeconfigFiles(surroundings).join(', ');
		return new UserError(
			`no cluster is configured: nothing in ${looked}, and this is not a pod of a cluster`,
			'set KUBECONFIG, use --kubeconfig FILE or -s URL, read a dump with -f FILE, or try: kubectl evictwatch demo',
		);
	}
	const contexts = [...kubeconfig.contexts.keys()].toSorted().join(', ');
	return new UserError(
		kubeconfig.currentContext === '' && !options.context
			? 'the kubeconfig has no current context'
			: `context "${options.context || kubeconfig.currentContext}" names no server`,
		`use --context NAME or kubectl config use-context NAME (known: ${contexts || 'none'}), or -s URL`,
	);
}
