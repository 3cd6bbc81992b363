import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** The path of a certificate or key of test/support/tls. */
export const tlsFile = (name: string): string => join(import.meta.dirname, 'tls', name);

/** What is in it. */
export const pem = (name: string): string => readFileSync(tlsFile(name), 'utf8');

/** What a server on loopback says it is, and whose word for other certificates it takes. */
export const serverTls = {cert: pem('server.pem'), key: pem('server-key.pem'), ca: pem('ca.pem')};

export const certificateAuthority = tlsFile('ca.pem');

/** A kubeconfig with one user, and one cluster that trusts the tests' own authority. */
export const oneCluster = (server: string, user: object, cluster: object = {}) => ({
	'current-context': 'c',
	clusters: [{name: 'c', cluster: {server, 'certificate-authority': certificateAuthority, ...cluster}}],
	users: [{name: 'u', user}],
	contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
});
