import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseAllDocuments} from 'yaml';
import {type ApiClient, type Identity, unless} from '../apiClient.ts';

/** The namespace of this suite's users; the audit policy logs their requests. */
const usersNamespace = 'evictwatch-users';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const rbacGroup = 'rbac.authorization.k8s.io';

/** Rights, as in a role. */
export type Rule = {
	readonly apiGroups?: readonly string[];
	readonly resources?: readonly string[];
	readonly resourceNames?: readonly string[];
	readonly nonResourceURLs?: readonly string[];
	readonly verbs: readonly string[];
};

/** A user with a token: its name in the audit log, and its kubeconfig. */
export type User = {readonly name: string; readonly kubeconfig: string};

/** Creates a user without rights. */
export async function createUser(
	admin: ApiClient,
	{server, ca}: Identity,
	folder: string,
	name: string,
): Promise<User> {
	const namespaces = '/api/v1/namespaces';
	await unless(409, admin.request('POST', namespaces, {metadata: {name: usersNamespace}}));
	const accounts = `${namespaces}/${usersNamespace}/serviceaccounts`;
	await admin.request('POST', accounts, {metadata: {name}});
	const {status} = await admin.request<{status: {token: string}}>('POST', `${accounts}/${name}/token`, {
		spec: {expirationSeconds: 3600},
	});
	const kubeconfig = join(folder, `${name}.kubeconfig`);
	const cluster = {server, 'certificate-authority-data': Buffer.from(ca).toString('base64')};
	const config = {
		apiVersion: 'v1',
		kind: 'Config',
		'current-context': 'e2e',
		contexts: [{name: 'e2e', context: {cluster: 'e2e', user: name}}],
		clusters: [{name: 'e2e', cluster}],
		users: [{name, user: {token: status.token}}],
	};
	writeFileSync(kubeconfig, JSON.stringify(config, null, '\t'), {mode: 0o600});
	return {name: `system:serviceaccount:${usersNamespace}:${name}`, kubeconfig};
}

/** Binds a cluster role to a user, as `kubectl create clusterrolebinding` does. */
export async function bindClusterRole(
	admin: ApiClient,
	{name}: User,
	role: string,
	binding = bindingName(name),
): Promise<void> {
	await admin.request('POST', `${rbac}/clusterrolebindings`, {
		metadata: {name: binding},
		roleRef: {apiGroup: rbacGroup, kind: 'ClusterRole', name: role},
		subjects: [{apiGroup: rbacGroup, kind: 'User', name}],
	});
}

/** Binds a cluster role to a user in one namespace, as `kubectl create rolebinding` does. */
export async function bindInNamespace(
	admin: ApiClient,
	{name}: User,
	namespace: string,
	role: Readonly<{kind: 'ClusterRole' | 'Role'; name: string}>,
): Promise<void> {
	await admin.request('POST', `${rbac}/namespaces/${namespace}/rolebindings`, {
		metadata: {name: bindingName(name)},
		roleRef: {apiGroup: rbacGroup, ...role},
		subjects: [{apiGroup: rbacGroup, kind: 'User', name}],
	});
}

/** Creates a cluster role, and binds it to a user. */
export async function allowInCluster(admin: ApiClient, user: User, rules: readonly Rule[]): Promise<void> {
	const role = bindingName(user.name);
	await admin.request('POST', `${rbac}/clusterroles`, {metadata: {name: role}, rules});
	await bindClusterRole(admin, user, role);
}

/** Creates a role in one namespace, and binds it to a user. */
export async function allowInNamespace(
	admin: ApiClient,
	user: User,
	namespace: string,
	rules: readonly Rule[],
): Promise<void> {
	const metadata = {name: bindingName(user.name)};
	await admin.request('POST', `${rbac}/namespaces/${namespace}/roles`, {metadata, rules});
	await bindInNamespace(admin, user, namespace, {kind: 'Role', name: metadata.name});
}

/** The roles of a shipped file. */
export const shippedRoles = (
	file: string,
): readonly {readonly metadata: {readonly name: string}; readonly rules: readonly Rule[]}[] =>
	parseAllDocuments(readFileSync(join(import.meta.dirname, '../../../deploy', file), 'utf8')).map(
		(document) => document.toJS(),
	);

const bindingName = (user: string) => user.split(':').at(-1) ?? user;
