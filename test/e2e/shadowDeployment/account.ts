import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ApiClient, Identity} from '../apiClient.ts';
import type {Check} from '../judge.ts';
import {type Audited, holdAgainst, requestsOf} from '../readOnly/audit.ts';
import {shippedRoles} from '../readOnly/users.ts';

const namespace = 'evictwatch';
const user = `system:serviceaccount:${namespace}:evictwatch`;

/** A kubeconfig of the shipped service account, with its shipped rights, as in its pod. */
export async function accountKubeconfig(
	admin: ApiClient,
	{server, ca}: Identity,
	folder: string,
): Promise<string> {
	const path = `/api/v1/namespaces/${namespace}/serviceaccounts/evictwatch/token`;
	const {status} = await admin.request<{status: {token: string}}>('POST', path, {
		spec: {expirationSeconds: 3600},
	});
	const file = join(folder, 'shipped.kubeconfig');
	const config = {
		apiVersion: 'v1',
		kind: 'Config',
		'current-context': 'e2e',
		contexts: [{name: 'e2e', context: {cluster: 'e2e', user: 'shadow', namespace}}],
		clusters: [
			{name: 'e2e', cluster: {server, 'certificate-authority-data': Buffer.from(ca).toString('base64')}},
		],
		users: [{name: 'shadow', user: {token: status.token}}],
	};
	writeFileSync(file, JSON.stringify(config), {mode: 0o600});
	return file;
}

const describe = ({verb, requestURI}: Audited) => `${verb} ${requestURI.split('?')[0]}`;

/** Checks the account's requests in the audit log: only reads, within its role. */
export function checkReading(auditLog: string): readonly Check[] {
	const rules = shippedRoles('base/read-only.yaml').flatMap(({rules}) => rules);
	const requests = requestsOf(user, auditLog);
	const others = requests.filter(({verb}) => !['get', 'list', 'watch'].includes(verb));
	// A shadow needs less than all commands together: the other commands need the rest.
	const beyond = holdAgainst(rules, requests).filter((line) => !line.startsWith('nobody needed'));
	return [
		{
			name: `the shipped account made ${requests.length} requests`,
			failures: requests.length > 5 ? [] : ['too few'],
		},
		{name: 'all by get, list and watch', failures: others.map(describe)},
		{name: 'none beyond the shipped role', failures: beyond},
	];
}
