import {UserError} from '../../text/userError.ts';
import type {ExecPlugin, KubeconfigCluster, KubeconfigUser} from './kubeconfigEntries.ts';

/**
 * Refuses what kubectl refuses, with its reasons: what contradicts itself would be half ignored, and nobody knows which
 * half.
 *
 * @throws UserError for the first contradiction.
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/validation.go validateClusterInfo
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/validation.go validateAuthInfo
 */
export function validateAccess(cluster: KubeconfigCluster, user: KubeconfigUser): void {
	const problem =
		problemOfCluster(cluster) ?? problemOfUser(user) ?? (user.exec ? problemOfExec(user.exec) : undefined);
	if (!problem) return;
	throw new UserError(problem, 'correct the kubeconfig or the flags; see: kubectl config view --minify');
}

function problemOfCluster(cluster: KubeconfigCluster): string | undefined {
	const {caFile, caData, skipTLSVerify} = cluster;
	if (caFile && caData) return bothOf('certificate-authority', 'cluster');
	if (skipTLSVerify && (caFile || caData)) {
		return 'the cluster has insecure-skip-tls-verify and a certificate authority: only one of them can be meant';
	}
	return undefined;
}

function problemOfUser(user: KubeconfigUser): string | undefined {
	const {certFile, certData, keyFile, keyData} = user;
	if (certFile || certData) {
		if (certFile && certData) return bothOf('client-certificate', 'user');
		if (keyFile && keyData) return bothOf('client-key', 'user');
		if (!keyFile && !keyData) return 'the user has a client certificate, but no client-key for it';
	}
	if (user.token && (user.username || user.password)) {
		return 'the user has a token and a password: only one of them can be sent';
	}
	if (user.exec && user.authProvider) return 'the user has both exec and auth-provider';
	return undefined;
}

const bothOf = (field: string, owner: string) =>
	`the ${owner} has both ${field} and ${field}-data: only one of them can be meant`;

/** What a plugin lacks. v1 wants to be told whether it may ask the user; v1beta1 may where there is a terminal. */
function problemOfExec({command, apiVersion, env, interactiveMode}: ExecPlugin): string | undefined {
	const whose = `the credential plugin ${command ?? ''}`.trim();
	if (!command) return `${whose} has no command`;
	if (!apiVersion) return `${whose} has no apiVersion`;
	if (env?.some(({name}) => !name)) return `${whose} has an env entry without a name`;
	if (!interactiveMode && !/\/v1(alpha|beta)1$/.test(apiVersion)) {
		return `${whose} has no interactiveMode: it must be Never, IfAvailable or Always`;
	}
	if (interactiveMode && !['Never', 'IfAvailable', 'Always'].includes(interactiveMode)) {
		return `${whose} has the interactiveMode "${interactiveMode}": it must be Never, IfAvailable or Always`;
	}
	return undefined;
}
