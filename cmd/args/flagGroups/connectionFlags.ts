import type {FlagTable} from '../flagSpec.ts';

/** Cluster and credentials: kubectl's own flags, as kubectl passes none of them to a plugin. */
export const connectionFlags = {
	as: {type: 'string', help: 'Username to impersonate for the operation.'},
	'as-group': {type: 'string', isMultiple: true, help: 'Group to impersonate; can be repeated.'},
	'as-uid': {type: 'string', help: 'UID to impersonate for the operation.'},
	'as-user-extra': {type: 'string', isMultiple: true, help: 'KEY=VALUE to impersonate; can be repeated.'},
	'cache-dir': {
		type: 'string',
		completes: 'folders',
		help: 'Accepted as by kubectl; evictwatch keeps no cache.',
	},
	'certificate-authority': {
		type: 'string',
		completes: 'files',
		help: 'Path to a cert file for the certificate authority.',
	},
	'client-certificate': {
		type: 'string',
		completes: 'files',
		help: 'Path to a client certificate file for TLS.',
	},
	'client-key': {type: 'string', completes: 'files', help: 'Path to a client key file for TLS.'},
	cluster: {type: 'string', completes: 'clusters', help: 'The name of the kubeconfig cluster to use.'},
	context: {type: 'string', completes: 'contexts', help: 'The name of the kubeconfig context to use.'},
	'chunk-size': {
		type: 'string',
		shown: '500',
		help: 'Return large lists in chunks rather than all at once. Pass 0 to disable.',
	},
	'disable-compression': {type: 'boolean', help: 'Ask the server not to compress its responses.'},
	'insecure-skip-tls-verify': {
		type: 'boolean',
		help: "Do not check the server's certificate. This makes your connections insecure.",
	},
	kubeconfig: {type: 'string', completes: 'files', help: 'Path to the kubeconfig file to use.'},
	namespace: {
		type: 'string',
		shortFlag: 'n',
		completes: 'namespaces',
		help: 'The namespace scope for this request.',
	},
	password: {type: 'string', help: 'Password for basic authentication to the API server.'},
	'request-timeout': {
		type: 'string',
		shown: '0',
		help: 'How long to wait for a single request, with a unit (1s, 2m, 3h). Zero means no limit. A watch (-w) has none: it goes on until Ctrl-C.',
	},
	server: {type: 'string', shortFlag: 's', help: 'The address and port of the Kubernetes API server.'},
	'tls-server-name': {type: 'string', help: "Name to check the server's certificate against."},
	token: {type: 'string', help: 'Bearer token for authentication to the API server.'},
	user: {type: 'string', completes: 'users', help: 'The name of the kubeconfig user to use.'},
	username: {type: 'string', help: 'Username for basic authentication to the API server.'},
	v: {
		type: 'string',
		shortFlag: 'v',
		optionalValue: /^\d+$/,
		shown: '0',
		help: 'Number for the log level verbosity: 6 prints each request to stderr, 7 its headers too.',
	},
} as const satisfies FlagTable;
