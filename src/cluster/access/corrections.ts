import {existsSync} from 'node:fs';
import {resolve as resolvePath, sep} from 'node:path';
import {KubeConfig} from '@kubernetes/client-node/dist/config.js';
import {entriesOf, fieldsOf, textOf} from '../codec/rawJson.ts';
import type {Environment} from './environment.ts';
import type {KubeconfigCluster, KubeconfigUser} from './kubeconfigEntries.ts';

// Where KubeConfig departs from kubectl: a function for each departure. docs/connections.md lists them, with the issues of
// kubernetes-client/javascript.

/** Any fields, before they are looked at. */
export type RawFields = {readonly [field: string]: unknown};

/** One kubeconfig file as it is written. */
export type RawKubeconfig = {
	readonly 'current-context': unknown;
	readonly clusters: readonly RawFields[];
	readonly users: readonly RawFields[];
	readonly contexts: readonly RawFields[];
};

/** KubeConfig takes the first of two entries of one name. kubectl refuses the file. */
export function sameNameIn({clusters, users, contexts}: RawKubeconfig): string | undefined {
	const twice = [clusters, users, contexts].flatMap((entries) => {
		const names = entries.map(({name}) => textOf(name));
		return names.filter((name, index) => names.indexOf(name) !== index);
	});
	return twice[0];
}

const flags = /^(insecure-skip-tls-verify|disable-compression|provideClusterInfo)$/;
const lists = /^(as-groups|args|env)$/;
const ofTexts = /^(as-groups|args|as-user-extra)$/;
const texts = new RegExp(
	`^(${[
		...['name', 'server', 'certificate-authority(-data)?', 'tls-server-name', 'proxy-url', 'current-context'],
		...['client-(certificate|key)(-data)?', 'token', 'tokenFile', 'username', 'password', 'as', 'as-uid'],
		...['cluster', 'user', 'namespace', 'apiVersion', 'command', 'installHint', 'interactiveMode', 'value'],
	].join('|')})$`,
);
/** Fields that may hold anything. */
const free = /^(extension|config)$/;

/** KubeConfig takes a value of any type. kubectl is strict: a token of digits without quotes is an error. */
export function wrongTypeIn({clusters, users, contexts, ...file}: RawKubeconfig): string | undefined {
	const of = (kind: string) => (entry: RawFields) =>
		[`${kind} "${textOf(entry['name'])}"`, entry[kind]] as const;
	const parts = [...clusters.map(of('cluster')), ...users.map(of('user')), ...contexts.map(of('context'))];
	const [wrong] = [['file', file] as const, ...parts].flatMap(([where, fields]) =>
		wrongFieldsIn(fields).map(([field, what]) => `${field} of ${where} must be ${what}`),
	);
	return wrong;
}

function wrongFieldsIn(fields: unknown): (readonly [field: string, what: string])[] {
	if (typeof fields !== 'object' || fields === null) return [];
	return Object.entries(fields).flatMap(([name, value]) => {
		if ((value ?? null) === null || free.test(name)) return [];
		if (flags.test(name) && typeof value !== 'boolean') return [[name, 'true or false, without quotes']];
		if (texts.test(name) && typeof value !== 'string') return [[name, 'text: put it in quotes']];
		if (lists.test(name) && !Array.isArray(value)) return [[name, 'a list']];
		if (!ofTexts.test(name)) return wrongFieldsIn(value);
		const isText = Object.values(value)
			.flat()
			.every((text) => typeof text === 'string');
		return isText ? [] : [[name, 'text: put it in quotes']];
	});
}

/**
 * KubeConfig cuts the last slash of a server and refuses one that is empty, so each gets one more. It reads the file of a
 * field `token-file`, which kubectl does not know.
 */
export const asWritten = ({clusters, users, ...others}: RawKubeconfig): object => ({
	...others,
	clusters: clusters.map(({name, cluster}) => {
		const fields = fieldsOf<RawFields>(cluster);
		return {name, cluster: {...fields, server: `${textOf(fields['server'])}/`}};
	}),
	users: users.map(({name, user}) => ({name, user: {...fieldsOf<RawFields>(user), 'token-file': undefined}})),
});

/** KubeConfig leaves out a context without a cluster. kubectl takes its namespace and its user, and the server of a flag. */
export function keepContextsWithoutCluster(config: KubeConfig, {contexts}: RawKubeconfig): void {
	for (const {name, context} of contexts) {
		const {user, namespace} = fieldsOf<{user: string; namespace: string}>(context);
		if (textOf(name) === '' || config.getContextObject(textOf(name))) continue;
		config.addContext({name: textOf(name), cluster: '', user: textOf(user), namespace: textOf(namespace)});
	}
}

/** KubeConfig does not read tokenFile, as-uid, as-groups, as-user-extra, disable-compression and extensions. */
export function keepUnreadFields(config: KubeConfig, {clusters, users}: RawKubeconfig): void {
	for (const {name, cluster} of clusters) {
		const {extensions, ...fields} = fieldsOf<RawFields>(cluster);
		const forPlugins = entriesOf(extensions).find(
			(extension) => fieldsOf<RawFields>(extension)['name'] === 'client.authentication.k8s.io/exec',
		);
		Object.assign(config.getCluster(textOf(name)) ?? {}, {
			disableCompression: fields['disable-compression'],
			execConfig: fieldsOf<RawFields>(forPlugins)['extension'],
		});
	}
	for (const {name, user} of users) {
		const fields = fieldsOf<RawFields>(user);
		Object.assign(config.getUser(textOf(name)) ?? {}, {
			tokenFile: fields['tokenFile'],
			impersonateUid: fields['as-uid'],
			impersonateGroups: fields['as-groups'],
			impersonateExtra: fields['as-user-extra'],
		});
	}
}

/** `makePathsAbsolute` passes over the token file and the credential plugin. A bare name of a plugin is left to PATH. */
export function makeOtherPathsAbsolute(config: KubeConfig, folder: string): void {
	for (const user of config.getUsers() as KubeconfigUser[]) {
		const {tokenFile, exec} = user;
		Object.assign(user, {
			...(tokenFile && {tokenFile: resolvePath(folder, tokenFile)}),
			...(exec?.command?.includes(sep) && {exec: {...exec, command: resolvePath(folder, exec.command)}}),
		});
	}
}

/** `mergeConfig` refuses a name that it knows, and takes the last current context. kubectl takes the first of all. */
export function mergeFirstWins(config: KubeConfig, next: KubeConfig): void {
	next.clusters = next.clusters.filter(({name}) => !config.getCluster(name));
	next.users = next.users.filter(({name}) => !config.getUser(name));
	next.contexts = next.contexts.filter(({name}) => !config.getContextObject(name));
	config.mergeConfig(next, Boolean(config.currentContext));
}

/** How a pod reaches its own cluster. */
type InClusterAccess = {
	readonly cluster: KubeconfigCluster;
	readonly user: KubeconfigUser;
	readonly namespace: string;
};

/**
 * The cluster in whose pod this runs, by its service account; undefined outside of one. KubeConfig takes http for the
 * ports 80, 8080 and 8001, wants a CA certificate, keeps the end of the namespace's line, and does not know POD_NAMESPACE.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/config.go InClusterConfig
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go Namespace
 */
export function inClusterAccess({env, rootDirectory}: Environment): InClusterAccess | undefined {
	const config = new KubeConfig();
	config.loadFromCluster(rootDirectory);
	const [cluster, user, context] = [
		config.getCurrentCluster(),
		config.getCurrentUser(),
		config.getContexts()[0],
	];
	const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
	// The token is re-read from its file: the kubelet renews it every hour.
	const tokenFile = textOf(user?.authProvider?.config?.tokenFile);
	if (!cluster || !user || !host || !port || !existsSync(tokenFile)) return undefined;
	const {caFile = ''} = cluster;
	return {
		cluster: {
			...cluster,
			server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
			caFile: existsSync(caFile) ? caFile : '',
		},
		user: {name: user.name, tokenFile},
		namespace: env['POD_NAMESPACE'] || (context?.namespace ?? '').trim(),
	};
}
