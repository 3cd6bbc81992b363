import {existsSync} from 'node:fs';
import {resolve as resolvePath, sep} from 'node:path';
import type {KubeConfig} from '@kubernetes/client-node';
import {readTextFile} from '../../async/readTextFile.ts';
import {entriesOf, fieldsOf, textOf} from '../codec/rawJson.ts';
import type {Environment} from './environment.ts';
import type {KubeconfigUser} from './kubeconfigEntries.ts';

// Each function corrects one deviation of KubeConfig from kubectl. docs/connections.md lists them, with the issues of
// kubernetes-client/javascript.

export type RawFields = {readonly [field: string]: unknown};

/** One kubeconfig file as parsed, without defaults. */
export type RawKubeconfig = Readonly<{
	'current-context': unknown;
	clusters: readonly RawFields[];
	users: readonly RawFields[];
	contexts: readonly RawFields[];
}>;

/** Finds a name that two entries share. KubeConfig takes the first; kubectl rejects the file. */
export function sameNameIn({clusters, users, contexts}: RawKubeconfig): string | undefined {
	for (const entries of [clusters, users, contexts]) {
		const names = new Set<string>();
		for (const name of entries.map((entry) => textOf(entry['name']))) {
			if (names.has(name)) return name;
			names.add(name);
		}
	}
	return undefined;
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
const anyType = /^(extension|config)$/;

/** Finds a value of the wrong type. KubeConfig accepts any; kubectl is strict: a token of digits without quotes is an error. */
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
		if ((value ?? null) === null || anyType.test(name)) return [];
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
 * Adds a slash to each server, as KubeConfig cuts the last slash and rejects an empty server. Removes the field
 * `token-file`, which KubeConfig reads and kubectl does not know.
 */
export const adaptedToKubeConfig = ({clusters, users, ...others}: RawKubeconfig): object => ({
	...others,
	clusters: clusters.map(({name, cluster}) => {
		const fields = fieldsOf<RawFields>(cluster);
		return {name, cluster: {...fields, server: `${textOf(fields['server'])}/`}};
	}),
	users: users.map(({name, user}) => ({name, user: {...fieldsOf<RawFields>(user), 'token-file': undefined}})),
});

/** Adds contexts without a cluster, which KubeConfig drops. kubectl uses their namespace and user, with the server of a flag. */
export function keepContextsWithoutCluster(config: KubeConfig, {contexts}: RawKubeconfig) {
	const known = byName(config.contexts);
	const missing = contexts.filter(({name}) => textOf(name) !== '' && !known.has(textOf(name)));
	const added = missing.map(({name, context}) => {
		const {user, namespace} = fieldsOf<{user: string; namespace: string}>(context);
		return {name: textOf(name), cluster: '', user: textOf(user), namespace: textOf(namespace)};
	});
	config.contexts = [...(config.contexts ?? []), ...added];
}

/** Adds what KubeConfig does not read: tokenFile, as-uid, as-groups, as-user-extra, disable-compression, extensions. */
export function keepUnreadFields(config: KubeConfig, {clusters, users}: RawKubeconfig) {
	const knownClusters = byName(config.clusters);
	for (const {name, cluster} of clusters) {
		const {extensions, ...fields} = fieldsOf<RawFields>(cluster);
		const forPlugins = entriesOf(extensions).find(
			(extension) => fieldsOf<RawFields>(extension)['name'] === 'client.authentication.k8s.io/exec',
		);
		Object.assign(knownClusters.get(textOf(name)) ?? {}, {
			disableCompression: fields['disable-compression'],
			execConfig: fieldsOf<RawFields>(forPlugins)['extension'],
		});
	}
	const knownUsers = byName(config.users);
	for (const {name, user} of users) {
		const fields = fieldsOf<RawFields>(user);
		Object.assign(knownUsers.get(textOf(name)) ?? {}, {
			tokenFile: fields['tokenFile'],
			impersonateUid: fields['as-uid'],
			impersonateGroups: fields['as-groups'],
			impersonateExtra: fields['as-user-extra'],
		});
	}
}

/** Resolves the paths that `makePathsAbsolute` skips: token file and credential plugin. A bare plugin name is left to PATH. */
export function makeOtherPathsAbsolute(config: KubeConfig, folder: string) {
	for (const user of config.getUsers() as KubeconfigUser[]) {
		const {tokenFile, exec} = user;
		Object.assign(user, {
			...(tokenFile && {tokenFile: resolvePath(folder, tokenFile)}),
			...(exec?.command?.includes(sep) && {exec: {...exec, command: resolvePath(folder, exec.command)}}),
		});
	}
}

/** Merges a later file; as in kubectl the first definition wins. `mergeConfig` rejects duplicates, and takes the last. */
export function mergeFirstWins(config: KubeConfig, next: KubeConfig) {
	config.clusters = joined(config.clusters, next.clusters);
	config.users = joined(config.users, next.users);
	config.contexts = joined(config.contexts, next.contexts);
	if (!config.currentContext) config.setCurrentContext(next.currentContext);
}

type Named = {readonly name: string};

/** KubeConfig searches a list for each name: of some ten thousand that takes seconds. */
const byName = <Entry extends Named>(entries: readonly Entry[] = []): ReadonlyMap<string, Entry> =>
	new Map(entries.map((entry) => [entry.name, entry]));

function joined<Entry extends Named>(known: readonly Entry[] = [], more: readonly Entry[]): Entry[] {
	const names = byName(known);
	return [...known, ...more.filter(({name}) => !names.has(name))];
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The access of a pod to its own cluster by its service account; undefined outside a pod.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/config.go InClusterConfig
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go Namespace
 */
export async function inClusterAccess({env, rootDirectory}: Environment) {
	const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
	const [tokenFile = '', caFile = '', namespaceFile = ''] = ['token', 'ca.crt', 'namespace'].map((name) => {
		const file = `${rootDirectory}${serviceAccount}/${name}`;
		return existsSync(file) ? file : '';
	});
	if (!host || !port || tokenFile === '') return undefined;
	const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
	return {
		cluster: {name: 'inCluster', server, caFile, skipTLSVerify: false},
		// The token's file is read for each request: the kubelet renews it every hour.
		user: {name: 'inClusterUser', tokenFile},
		namespace: env['POD_NAMESPACE'] || (await readTextFile(namespaceFile).catch(() => '')).trim(),
	};
}
