import {sep} from 'node:path';
import type {ExecPlugin, KubeconfigCluster, KubeconfigContext, KubeconfigUser} from './kubeconfig.ts';
import type {KubeconfigSection} from './kubeconfigSection.ts';

/** Reads an entry of `clusters`. */
export const decodeCluster = (section: KubeconfigSection): KubeconfigCluster => ({
	server: section.text('server'),
	certificateAuthority: section.path('certificate-authority'),
	certificateAuthorityData: section.text('certificate-authority-data'),
	insecureSkipTlsVerify: section.flag('insecure-skip-tls-verify'),
	tlsServerName: section.text('tls-server-name'),
	proxyUrl: section.text('proxy-url'),
	disableCompression: section.flag('disable-compression'),
	execConfig: section
		.sections('extensions')
		.find((extension) => extension.text('name') === 'client.authentication.k8s.io/exec')
		?.raw('extension'),
});

/** Reads an entry of `users`. */
export function decodeUser(section: KubeconfigSection): KubeconfigUser {
	const extra = section.section('as-user-extra');
	return {
		clientCertificate: section.path('client-certificate'),
		clientCertificateData: section.text('client-certificate-data'),
		clientKey: section.path('client-key'),
		clientKeyData: section.text('client-key-data'),
		token: section.text('token'),
		tokenFile: section.path('tokenFile'),
		username: section.text('username'),
		password: section.text('password'),
		as: section.text('as'),
		asUid: section.text('as-uid'),
		asGroups: section.texts('as-groups'),
		asUserExtra: extra.names.flatMap((key) => extra.texts(key).map((value) => [key, value] as const)),
		authProvider: section.section('auth-provider').text('name'),
		exec: section.has('exec') ? decodeExec(section.section('exec')) : undefined,
	};
}

function decodeExec(section: KubeconfigSection): ExecPlugin {
	const command = section.text('command');
	return {
		apiVersion: section.text('apiVersion'),
		// A bare name is looked up in PATH; only one with a folder is relative to the file.
		command: command.includes(sep) ? section.absolute(command) : command,
		args: section.texts('args'),
		env: section.sections('env').map((entry) => [entry.text('name'), entry.text('value')] as const),
		installHint: section.text('installHint'),
		provideClusterInfo: section.flag('provideClusterInfo'),
		interactiveMode: section.text('interactiveMode'),
	};
}

/** Reads an entry of `contexts`. */
export const decodeContext = (section: KubeconfigSection): KubeconfigContext => ({
	cluster: section.text('cluster'),
	user: section.text('user'),
	namespace: section.text('namespace'),
});
