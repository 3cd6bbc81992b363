import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {emptyCluster, emptyUser, type KubeconfigCluster, type KubeconfigUser} from './kubeconfig.ts';
import type {Surroundings} from './surroundings.ts';

/** How a pod reaches its own cluster, in a kubeconfig's terms. */
export type InClusterAccess = {
	readonly cluster: KubeconfigCluster;
	readonly user: KubeconfigUser;
	readonly namespace: string;
};

/**
 * The cluster in whose pod this runs, by its service account; undefined outside of one.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/config.go InClusterConfig
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go Namespace
 */
export function inClusterAccess(surroundings: Surroundings): InClusterAccess | undefined {
	const {env, serviceAccountDirectory} = surroundings;
	const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
	// The token is re-read from its file: the kubelet renews it every hour.
	const tokenFile = join(serviceAccountDirectory, 'token');
	if (!host || !port || !existsSync(tokenFile)) return undefined;
	const certificateAuthority = join(serviceAccountDirectory, 'ca.crt');
	return {
		cluster: {
			...emptyCluster,
			server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
			certificateAuthority: existsSync(certificateAuthority) ? certificateAuthority : '',
		},
		user: {...emptyUser, tokenFile},
		namespace: env['POD_NAMESPACE'] || readNamespace(join(serviceAccountDirectory, 'namespace')),
	};
}

const readNamespace = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
