import {text, toggle} from '../flagSpec.ts';

const files = {completes: 'files'} as const;

/** Cluster and credentials: kubectl's own flags, as kubectl passes none of them to a plugin, and how kubelets are reached. */
export const connectionFlags = {
	as: text('Username to impersonate for the operation.'),
	'as-group': text('Group to impersonate; can be repeated.', {isMultiple: true}),
	'as-uid': text('UID to impersonate for the operation.'),
	'as-user-extra': text('KEY=VALUE to impersonate; can be repeated.', {isMultiple: true}),
	'cache-dir': text('Accepted as by kubectl; evictwatch keeps no cache.', {completes: 'folders'}),
	'certificate-authority': text('Path to a cert file for the certificate authority.', files),
	'client-certificate': text('Path to a client certificate file for TLS.', files),
	'client-key': text('Path to a client key file for TLS.', files),
	cluster: text('The name of the kubeconfig cluster to use.', {completes: 'clusters'}),
	context: text('The name of the kubeconfig context to use.', {completes: 'contexts'}),
	'chunk-size': text('Return large lists in chunks rather than all at once. Pass 0 to disable.', {
		shown: '500',
	}),
	'disable-compression': toggle('Ask the server not to compress its responses.'),
	'insecure-skip-tls-verify': toggle(
		"Do not check the server's certificate. This makes your connections insecure.",
	),
	kubeconfig: text('Path to the kubeconfig file to use.', files),
	'kubelet-certificate-authority': text(
		'Path to a cert file for the certificate authority of the kubelets: they are then asked at their own ports, not through the API server.',
		files,
	),
	namespace: text('The namespace scope for this request.', {shortFlag: 'n', completes: 'namespaces'}),
	password: text('Password for basic authentication to the API server.'),
	'request-timeout': text(
		'How long to wait for a single request, with a unit (1s, 2m, 3h). Zero means no limit. A watch (-w) has none: it goes on until Ctrl-C.',
		{shown: '0'},
	),
	server: text('The address and port of the Kubernetes API server.', {shortFlag: 's'}),
	'tls-server-name': text("Name to check the server's certificate against."),
	token: text('Bearer token for authentication to the API server.'),
	user: text('The name of the kubeconfig user to use.', {completes: 'users'}),
	username: text('Username for basic authentication to the API server.'),
	v: text('Number for the log level verbosity: 6 prints each request to stderr, 7 its headers too.', {
		shortFlag: 'v',
		optionalValue: /^\d+$/,
		shown: '0',
	}),
};
