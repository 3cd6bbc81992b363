import {join} from 'node:path';
import {expect, test} from 'vitest';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {bareEnvironment, TemporaryFolder} from '../../support/testEnvironment.ts';

/** The folder of a pod's service account. */
const serviceAccount = 'var/run/secrets/kubernetes.io/serviceaccount';

const kubeconfig = {
	'current-context': 'dev',
	clusters: [
		{
			name: 'dev',
			cluster: {
				server: 'https://dev:6443',
				'certificate-authority-data': 'Y2E=',
				'tls-server-name': 'dev.test',
			},
		},
		{name: 'other', cluster: {server: 'https://other:6443'}},
	],
	users: [
		{
			name: 'me',
			user: {
				token: 'mine',
				tokenFile: '/token',
				'client-certificate-data': 'Y2VydA==',
				'client-key-data': 'a2V5',
			},
		},
		{name: 'you', user: {username: 'you', password: 'p'}},
	],
	contexts: [
		{name: 'dev', context: {cluster: 'dev', user: 'me', namespace: 'shop'}},
		{name: 'lost', context: {cluster: 'gone', user: 'me'}},
	],
};

async function access(options: ConnectionOptions) {
	using folder = new TemporaryFolder();
	return await resolveAccess({kubeconfig: folder.write('config', kubeconfig), ...options}, bareEnvironment());
}

test.for<{name: string; options: ConnectionOptions; want: object}>([
	{
		name: 'the current context decides',
		options: {},
		want: {server: new URL('https://dev:6443'), namespace: 'shop', user: {token: 'mine'}},
	},
	{name: 'a namespace by flag wins over the context', options: {namespace: 'a'}, want: {namespace: 'a'}},
	{
		name: 'cluster and user by flag replace those of the context',
		options: {cluster: 'other', user: 'you'},
		want: {
			cluster: {server: 'https://other:6443'},
			user: {username: 'you', token: undefined},
			namespace: 'shop',
		},
	},
	{
		name: 'another server does not keep the TLS name of the first',
		options: {server: 'https://10.0.0.1'},
		want: {server: new URL('https://10.0.0.1'), cluster: {tlsServerName: '', caData: 'Y2E='}},
	},
	{
		name: 'a CA by flag replaces the data of the kubeconfig',
		options: {certificateAuthority: '/ca'},
		want: {cluster: {caFile: '/ca', caData: ''}},
	},
	{
		name: 'not verifying drops the CA, which would otherwise be in conflict',
		options: {insecureSkipTlsVerify: true},
		want: {cluster: {skipTLSVerify: true, caData: ''}},
	},
	{
		name: 'a token by flag wins over the token file',
		options: {token: 't'},
		want: {user: {token: 't', tokenFile: ''}},
	},
	{
		name: 'a client certificate by flag wins over the data of the kubeconfig',
		options: {clientCertificate: '/c', clientKey: '/k'},
		want: {user: {certFile: '/c', certData: '', keyFile: '/k', keyData: ''}},
	},
	{
		name: 'impersonation by flags, an extra may come twice and hold an equals sign',
		options: {as: 'boss', asUid: 'u', asGroup: ['a', 'b'], asUserExtra: ['k=1', 'k=x=y']},
		want: {
			user: {
				impersonateUser: 'boss',
				impersonateUid: 'u',
				impersonateGroups: ['a', 'b'],
				impersonateExtra: {k: ['1', 'x=y']},
			},
		},
	},
	{
		name: 'a request timeout in Go notation',
		options: {requestTimeout: '1m1.5s'},
		want: {requestTimeout: 61_500},
	},
	{name: 'a request timeout of half a second', options: {requestTimeout: '.5s'}, want: {requestTimeout: 500}},
	{
		name: 'a bare request timeout is in seconds',
		options: {requestTimeout: '7'},
		want: {requestTimeout: 7000},
	},
	{name: 'a request timeout of 0 is none', options: {requestTimeout: '0'}, want: {requestTimeout: 0}},
])('$name', async ({options, want}) => {
	expect(await access(options)).toMatchObject(want);
});

test.for<{name: string; options: ConnectionOptions; message: string; hint: RegExp}>([
	{
		name: 'an unknown context lists the known ones',
		options: {context: 'prod'},
		message: 'context "prod" does not exist in the kubeconfig',
		hint: /dev, lost/,
	},
	{
		name: 'a context whose cluster is gone says which one',
		options: {context: 'lost'},
		message: 'cluster "gone" does not exist in the kubeconfig',
		hint: /dev, other/,
	},
	{
		name: 'an unknown user',
		options: {user: 'x'},
		message: 'user "x" does not exist in the kubeconfig',
		hint: /me, you/,
	},
	{
		name: 'a server that is no URL',
		options: {server: 'https://'},
		message: 'the server "https://" is not an http or https URL',
		hint: /-s https/,
	},
	{
		name: 'a timeout that is none',
		options: {requestTimeout: 'soon'},
		message: '--request-timeout "soon" is not a duration',
		hint: /30s/,
	},
	{
		name: 'a timeout before now',
		options: {requestTimeout: '-1s'},
		message: '--request-timeout "-1s" is not a duration',
		hint: /30s/,
	},
	{
		name: 'an extra without a value',
		options: {asUserExtra: ['k']},
		message: '--as-user-extra "k" is not KEY=VALUE',
		hint: /team=blue/,
	},
])('$name is an error with a way out', async ({options, message, hint}) => {
	await expect(access(options)).rejects.toMatchObject({
		name: 'UserError',
		message,
		hint: expect.stringMatching(hint),
	});
});

test('a server by flag gets no credentials of the pod that this runs in', async () => {
	using folder = new TemporaryFolder();
	folder.write(`${serviceAccount}/token`, 'opensesame');
	const environment = bareEnvironment({
		rootDirectory: folder.path,
		env: {KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443'},
	});
	const {user, server} = await resolveAccess({server: 'https://elsewhere.test'}, environment);
	expect([server.host, user.tokenFile]).toEqual(['elsewhere.test', undefined]);
	// As with kubectl, a --token flag is for the pod's own cluster.
	expect(await resolveAccess({token: 'mine'}, environment)).toMatchObject({
		server: new URL('https://10.0.0.1'),
		user: {token: 'mine', tokenFile: ''},
	});
});

test('where the namespace of a pod cannot be read, it is the default one, as for kubectl', async () => {
	using folder = new TemporaryFolder();
	folder.write(`${serviceAccount}/token`, 'opensesame');
	folder.write(`${serviceAccount}/namespace/this-is-a-folder`, '');
	const env = {KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443'};
	const environment = bareEnvironment({rootDirectory: folder.path, env});
	expect(await resolveAccess({}, environment)).toMatchObject({namespace: 'default'});
});

test('a kubeconfig without a current context leaves a pod to its own cluster', async () => {
	using folder = new TemporaryFolder();
	folder.write(`${serviceAccount}/token`, 'opensesame');
	const file = folder.write('config', {...kubeconfig, 'current-context': ''});
	const env = {KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443', POD_NAMESPACE: 'mine'};
	const environment = bareEnvironment({rootDirectory: folder.path, env});
	expect(await resolveAccess({kubeconfig: file}, environment)).toMatchObject({
		server: new URL('https://10.0.0.1'),
		namespace: 'mine',
	});
});

test('KUBERNETES_MASTER names the server where nothing else does', async () => {
	const environment = bareEnvironment({env: {KUBERNETES_MASTER: 'http://10.0.0.9:8080'}});
	expect((await resolveAccess({}, environment)).server.host).toBe('10.0.0.9:8080');
});

test('with a server by flag no kubeconfig is needed, and no scheme means http', async () => {
	const {server, namespace} = await resolveAccess({server: '127.0.0.1:8001'}, bareEnvironment());
	expect([server.href, namespace]).toEqual(['http://127.0.0.1:8001/', 'default']);
});

test('no configuration at all says where it was looked for and what to do', async () => {
	await expect(resolveAccess({}, bareEnvironment())).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringContaining('/nonexistent/home/.kube/config'),
		hint: expect.stringContaining('demo'),
	});
});

test('a kubeconfig without a current context says which there are', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('config', {...kubeconfig, 'current-context': ''});
	await expect(resolveAccess({kubeconfig: file}, bareEnvironment())).rejects.toMatchObject({
		message: 'the kubeconfig has no current context',
		hint: expect.stringContaining('dev, lost'),
	});
});

test('in a pod, the service account is used; a kubeconfig wins over it', async () => {
	using folder = new TemporaryFolder();
	folder.write(`${serviceAccount}/token`, 'opensesame');
	folder.write(`${serviceAccount}/ca.crt`, 'ca');
	folder.write(`${serviceAccount}/namespace`, 'monitoring\n');
	const environment = bareEnvironment({
		rootDirectory: folder.path,
		env: {KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443'},
	});
	expect(await resolveAccess({}, environment)).toMatchObject({
		server: new URL('https://[fd00::1]:443'),
		namespace: 'monitoring',
		user: {tokenFile: join(folder.path, serviceAccount, 'token')},
		cluster: {caFile: join(folder.path, serviceAccount, 'ca.crt')},
	});
	const file = folder.write('config', kubeconfig);
	expect((await resolveAccess({kubeconfig: file}, environment)).server.href).toBe('https://dev:6443/');
});
