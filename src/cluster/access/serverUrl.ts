import {UserError} from '../../text/userError.ts';
import type {KubeconfigCluster} from './kubeconfig.ts';

/**
 * The base URL of a cluster. One without a scheme is https where anything is said about TLS, as in kubectl.
 *
 * @throws UserError where it is no http or https URL.
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/url_utils.go DefaultServerURL
 */
export function serverUrl(cluster: KubeconfigCluster): URL {
	const {server, certificateAuthority, certificateAuthorityData, insecureSkipTlsVerify} = cluster;
	const hasTls = certificateAuthority !== '' || certificateAuthorityData !== '' || insecureSkipTlsVerify;
	const url = URL.parse(server.includes('://') ? server : `${hasTls ? 'https' : 'http'}://${server}`);
	if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
	throw new UserError(
		`the server "${server}" is not an http or https URL`,
		'write for example -s https://10.0.0.1:6443, or correct clusters[].cluster.server in the kubeconfig',
	);
}
