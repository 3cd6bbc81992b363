import type {KubeConfig} from '@kubernetes/client-node';
import {nameOf} from '../../core/model/objectName.ts';
import type {Duration} from '../../core/time/instant.ts';
import {keepSecret, keepUrlSecrets} from '../../text/redact.ts';
import {UserError} from '../../text/userError.ts';
import {readPem} from './certificates.ts';
import {type ConnectionOptions, readCount, readExtras, readRequestTimeout} from './connectionOptions.ts';
import {inClusterAccess} from './corrections.ts';
import type {Environment} from './environment.ts';
import {kubeconfigFiles, loadKubeconfig} from './kubeconfig.ts';
import type {ExecPlugin, KubeconfigCluster, KubeconfigUser} from './kubeconfigEntries.ts';

/** How to reach one cluster as one user: kubeconfig and flags combined. */
export type Access = Readonly<{
	server: URL;
	cluster: KubeconfigCluster;
	user: KubeconfigUser;
	/** The namespace of the flag, else of the context, else `default`. */
	namespace: string;
	/** The authorities of the kubelets, which are then asked at their own ports. */
	kubeletCaFile?: string | undefined;
	/** Of one whole request; zero means no limit, undefined that no flag was given. */
	requestTimeout: Duration | undefined;
	/** Page size of lists; zero for everything at once, undefined for the default. */
	chunkSize?: number | undefined;
	/** Level of request logs: from 6 on one line per request, from 7 on with headers. */
	verbosity?: number;
}>;

/**
 * Decides which cluster to talk to, and as which user, by kubectl's rules.
 *
 * @throws UserError if nothing is configured, or a named entry does not exist
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go ClientConfig
 */
export async function resolveAccess(options: ConnectionOptions, environment: Environment): Promise<Access> {
	const kubeconfig = await loadKubeconfig(options.kubeconfig, environment);
	const base = namesNoCluster(kubeconfig, options)
		? await withoutKubeconfig(environment)
		: chosen(kubeconfig, options);
	const cluster = overrideCluster(base.cluster, options);
	if (cluster.server === '') throw noServer(kubeconfig, options, environment);
	const user = overrideUser(base.user, options);
	keepSecrets(cluster, user);
	validateAccess(cluster, user);
	const kubeletCaFile = options.kubeletCertificateAuthority;
	if (kubeletCaFile && (user.impersonateUser || user.username)) {
		throw new UserError(
			'--kubelet-certificate-authority cannot be used with --as or a password, as kubelets know neither',
			'leave one of them out',
		);
	}
	await readPem(undefined, kubeletCaFile, 'CA certificate of the kubelets');
	return {
		server: serverUrl(cluster),
		cluster,
		user,
		namespace: options.namespace || base.namespace || 'default',
		kubeletCaFile,
		requestTimeout: readRequestTimeout(options.requestTimeout),
		chunkSize: readCount('chunk-size', options.chunkSize),
		verbosity: readCount('v', options.v) ?? 0,
	};
}

function keepSecrets({server, proxyUrl}: KubeconfigCluster, user: KubeconfigUser) {
	keepSecret(user.token, user.password, user.keyData);
	keepUrlSecrets(server);
	keepUrlSecrets(proxyUrl ?? '');
	const isNamedSecret = (name: string) => /token|passw|secret|key|credential/i.test(name);
	const {args, env} = user.exec ?? {};
	for (const {name = '', value} of env ?? []) if (isNamedSecret(name)) keepSecret(value);
	for (const [index, arg] of (args ?? []).entries()) {
		if (!isNamedSecret(arg) || !arg.startsWith('-')) continue;
		const [, assigned] = /^[^=]*=(.*)$/s.exec(arg) ?? [];
		keepSecret(assigned ?? args?.[index + 1]);
	}
}

const isEmpty = ({contexts, clusters, users}: KubeConfig) =>
	contexts.length + clusters.length + users.length === 0;

/**
 * Whether neither kubeconfig nor flags name a cluster. A server given by a flag never gets the credentials of the pod that
 * this runs in.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/merged_client_builder.go ClientConfig
 */
const namesNoCluster = (kubeconfig: KubeConfig, {context, cluster, user, server}: ConnectionOptions) =>
	!context && !cluster && !user && !server && !kubeconfig.currentContext;

const noCluster: KubeconfigCluster = {name: '', server: '', skipTLSVerify: false};
const noUser: KubeconfigUser = {name: ''};

async function withoutKubeconfig(environment: Environment) {
	const server = environment.env['KUBERNETES_MASTER'] ?? '';
	const inCluster = await inClusterAccess(environment);
	return inCluster ?? {cluster: {...noCluster, server}, user: noUser, namespace: ''};
}

function chosen(kubeconfig: KubeConfig, options: ConnectionOptions) {
	const contextName = options.context || kubeconfig.currentContext || '';
	const context = kubeconfig.getContextObject(contextName);
	if (!context && contextName !== '') throw missing('context', contextName, kubeconfig.contexts);
	const clusterName = options.cluster || context?.cluster || '';
	const userName = options.user || context?.user || '';
	const cluster: KubeconfigCluster | null = kubeconfig.getCluster(clusterName);
	// `--server` replaces a missing cluster that a context names, but not one that `--cluster` names.
	if (!cluster && clusterName !== '' && (options.cluster || !options.server)) {
		throw missing('cluster', clusterName, kubeconfig.clusters);
	}
	const user: KubeconfigUser | null = kubeconfig.getUser(userName);
	if (!user && userName !== '') throw missing('user', userName, kubeconfig.users);
	return {cluster: cluster ?? noCluster, user: user ?? noUser, namespace: context?.namespace ?? ''};
}

// A trust flag replaces all trust settings of the kubeconfig; a TLS server name belongs to its server.
function overrideCluster(cluster: KubeconfigCluster, options: ConnectionOptions): KubeconfigCluster {
	const replacesTrust = Boolean(options.certificateAuthority || options.insecureSkipTlsVerify);
	const replacesName = Boolean(options.server || options.tlsServerName);
	return {
		...cluster,
		...(options.server && {server: options.server}),
		...(replacesName && {tlsServerName: options.tlsServerName ?? ''}),
		...(replacesTrust && {
			caFile: options.certificateAuthority ?? '',
			caData: '',
			skipTLSVerify: options.insecureSkipTlsVerify ?? false,
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
		...(options.clientCertificate && {certFile: options.clientCertificate, certData: ''}),
		...(options.clientKey && {keyFile: options.clientKey, keyData: ''}),
		...(options.as && {impersonateUser: options.as}),
		...(options.asUid && {impersonateUid: options.asUid}),
		...(options.asGroup?.length && {impersonateGroups: options.asGroup}),
		...(options.asUserExtra?.length && {impersonateExtra: readExtras(options.asUserExtra)}),
	};
}

function missing(kind: string, name: string, known: readonly {readonly name: string}[]): UserError {
	const names = sortedNames(known);
	return new UserError(
		`${kind} "${name}" does not exist in the kubeconfig`,
		names === '' ? `there is no ${kind} in it; see kubectl config view` : `choose one of: ${names}`,
	);
}

const sortedNames = (entries: readonly {readonly name: string}[]) =>
	entries.map(nameOf).toSorted().join(', ');

function noServer(kubeconfig: KubeConfig, options: ConnectionOptions, environment: Environment): UserError {
	if (isEmpty(kubeconfig)) {
		const looked = options.kubeconfig || kubeconfigFiles(environment).join(', ');
		return new UserError(
			`no cluster is configured: nothing in ${looked}, and this is not a pod of a cluster`,
			'set KUBECONFIG, use --kubeconfig FILE or -s URL, read a dump with -f FILE, or try: kubectl evictwatch demo',
		);
	}
	const contexts = sortedNames(kubeconfig.contexts);
	return new UserError(
		!kubeconfig.currentContext && !options.context
			? 'the kubeconfig has no current context'
			: `context "${options.context || kubeconfig.currentContext}" names no server`,
		`use --context NAME or kubectl config use-context NAME (known: ${contexts || 'none'}), or -s URL`,
	);
}

/**
 * The base URL of a cluster. Without a scheme it is https if any TLS setting is given, as in kubectl.
 *
 * @throws UserError if it is not an http or https URL
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/url_utils.go DefaultServerURL
 */
function serverUrl(cluster: KubeconfigCluster): URL {
	const {server, caFile, caData, skipTLSVerify} = cluster;
	const hasTls = Boolean(caFile || caData || skipTLSVerify);
	const url = URL.parse(server.includes('://') ? server : `${hasTls ? 'https' : 'http'}://${server}`);
	if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
	throw new UserError(
		`the server "${server}" is not an http or https URL`,
		'write for example -s https://10.0.0.1:6443, or correct clusters[].cluster.server in the kubeconfig',
	);
}

/**
 * Rejects contradictory settings as kubectl does: otherwise one of the two would be ignored silently.
 *
 * @throws UserError for the first contradiction
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/validation.go validateClusterInfo
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/validation.go validateAuthInfo
 */
function validateAccess(cluster: KubeconfigCluster, user: KubeconfigUser) {
	const problem =
		problemOfCluster(cluster) ?? problemOfUser(user) ?? (user.exec ? problemOfExec(user.exec) : undefined);
	if (!problem) return;
	throw new UserError(problem, 'correct the kubeconfig or the flags; see: kubectl config view --minify');
}

function problemOfCluster(cluster: KubeconfigCluster): string | undefined {
	const {caFile, caData, skipTLSVerify} = cluster;
	if (caFile && caData) return bothOf('certificate-authority', 'cluster');
	if (skipTLSVerify && (caFile || caData)) {
		return 'the cluster has insecure-skip-tls-verify and a certificate authority: only one of them can be meant';
	}
	return undefined;
}

function problemOfUser(user: KubeconfigUser): string | undefined {
	const {certFile, certData, keyFile, keyData} = user;
	if (certFile || certData) {
		if (certFile && certData) return bothOf('client-certificate', 'user');
		if (keyFile && keyData) return bothOf('client-key', 'user');
		if (!keyFile && !keyData) return 'the user has a client certificate, but no client-key for it';
	}
	if (user.token && (user.username || user.password)) {
		return 'the user has a token and a password: only one of them can be sent';
	}
	if (user.exec && user.authProvider) return 'the user has both exec and auth-provider';
	return undefined;
}

const bothOf = (field: string, owner: string) =>
	`the ${owner} has both ${field} and ${field}-data: only one of them can be meant`;

/** The first missing or invalid field of a plugin. v1 requires `interactiveMode`; v1beta1 defaults to IfAvailable. */
function problemOfExec({command, apiVersion, env, interactiveMode}: ExecPlugin): string | undefined {
	const whose = `the credential plugin ${command ?? ''}`.trim();
	if (!command) return `${whose} has no command`;
	if (!apiVersion) return `${whose} has no apiVersion`;
	if (env?.some(({name}) => !name)) return `${whose} has an env entry without a name`;
	if (!interactiveMode && !/\/v1(alpha|beta)1$/.test(apiVersion)) {
		return `${whose} has no interactiveMode: it must be Never, IfAvailable or Always`;
	}
	if (interactiveMode && !['Never', 'IfAvailable', 'Always'].includes(interactiveMode)) {
		return `${whose} has the interactiveMode "${interactiveMode}": it must be Never, IfAvailable or Always`;
	}
	return undefined;
}
