import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** The path of a certificate or key of test/support/tls. */
export const tlsFile = (name: string): string => join(import.meta.dirname, 'tls', name);

/** The content of such a file. */
export const pem = (name: string): string => readFileSync(tlsFile(name), 'utf8');

/** The TLS options of a server on loopback: its certificate, its key, and the CA that it trusts for client certificates. */
export const serverTls = {cert: pem('server.pem'), key: pem('server-key.pem'), ca: pem('ca.pem')};

export const certificateAuthority = tlsFile('ca.pem');

/** A kubeconfig with one user, and one cluster that trusts the tests' CA. */
export const oneCluster = (server: string, user: object, cluster: object = {}) => ({
	'current-context': 'c',
	clusters: [{name: 'c', cluster: {server, 'certificate-authority': certificateAuthority, ...cluster}}],
	users: [{name: 'u', user}],
	contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
});
