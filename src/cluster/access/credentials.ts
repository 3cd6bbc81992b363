import {keepSecret} from '../../text/redact.ts';
import type {TextMap} from '../../text/textMap.ts';
import {UserError} from '../../text/userError.ts';
import type {Access} from './access.ts';
import {readNamedFile, readPem, rememberingFile} from './certificates.ts';
import type {Environment} from './environment.ts';
import {type CredentialTiming, ExecCredentials} from './execCredentials.ts';
import type {Certificate, Credential, KubeconfigUser} from './kubeconfigEntries.ts';

export type Credentials = ReturnType<typeof makeCredentials>;

/**
 * The credentials of a kubeconfig user. Files are read for each request, as others renew them.
 *
 * @throws UserError if the user has an auth provider, which kubectl has removed as well
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/client_config.go getUserIdentificationPartialConfig
 */
export function makeCredentials(access: Access, environment: Environment, timing: CredentialTiming) {
	// No credential is sent over plain http, as in kubectl: it could be intercepted.
	const user = access.server.protocol === 'http:' ? {name: access.user.name} : access.user;
	if (user.authProvider?.name) throw unsupportedProvider(user.authProvider.name);

	// As in kubectl, no plugin runs if the user has other credentials.
	const isComplete = hasAuthorization(user) || hasCertificate(user) || !user.exec;
	const plugin = isComplete ? undefined : new ExecCredentials(access, environment, timing);
	const {now} = timing;
	const [rereadAuthorization, rereadCertificate] = [
		rememberingFile(() => readAuthorization(user), now),
		rememberingFile(() => readCertificate(user), now),
	];
	return {
		/** The credential of the next request. @throws UserError if a file or a plugin fails; the signal's reason once it aborts */
		current: async (signal?: AbortSignal): Promise<Credential> => {
			const [authorization, certificate, issued] = await Promise.all([
				rereadAuthorization(),
				rereadCertificate(),
				plugin?.current(signal),
			]);
			const credential = {
				authorization: authorization ?? issued?.authorization,
				certificate: certificate ?? issued?.certificate,
			};
			if (!sendable.test(credential.authorization ?? '')) throw unsendable(user.name);
			return credential;
		},
		/** Reports that the server rejected a credential, so that a plugin runs again. */
		discard: (rejected: Credential) => plugin?.discard(rejected),
		/** The plugin that is running or waiting for the terminal. */
		pluginAtWork: () => plugin?.atWork,
		close: async () => plugin?.close(),
	};
}

/** What a header may hold. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/;

const unsendable = (user: string): UserError =>
	new UserError(
		`the token of user "${user}" cannot be sent: it has line breaks, or other characters that no token has`,
		'write it again as one line: --token, token or tokenFile, or what its credential plugin prints',
	);

const emptyToken = (file: string): UserError =>
	new UserError(
		`there is nothing in the token in ${file}`,
		'write it again; see kubectl config view --minify',
	);

const hasAuthorization = ({token, tokenFile, username}: KubeconfigUser) =>
	Boolean(token || tokenFile || username);

const hasCertificate = ({certFile, certData, keyFile, keyData}: KubeconfigUser) =>
	Boolean((certFile || certData) && (keyFile || keyData));

async function readAuthorization(user: KubeconfigUser): Promise<string | undefined> {
	if (user.tokenFile) {
		const token = (await readNamedFile(user.tokenFile, 'token', user.token)).trim() || user.token;
		// Without one, the request would be somebody else's: an anonymous user's.
		if (!token) throw emptyToken(user.tokenFile);
		keepSecret(token);
		return `Bearer ${token}`;
	}
	if (user.token) return `Bearer ${user.token}`;
	if (!user.username) return undefined;
	const basic = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
	keepSecret(basic);
	return `Basic ${basic}`;
}

async function readCertificate(user: KubeconfigUser): Promise<Certificate | undefined> {
	const [cert, key] = await Promise.all([
		readPem(user.certData, user.certFile, 'client certificate'),
		readPem(user.keyData, user.keyFile, 'client key'),
	]);
	return cert === '' || key === '' ? undefined : {cert, key};
}

/** The plugin that replaces each auth provider, and where it is documented. */
const successors: TextMap = {
	azure: 'kubelogin: run "kubelogin convert-kubeconfig" (https://azure.github.io/kubelogin)',
	gcp: 'gke-gcloud-auth-plugin: install it, and run "gcloud container clusters get-credentials CLUSTER"',
	oidc: 'kubelogin (kubectl oidc-login): run "kubectl krew install oidc-login" and "kubectl oidc-login setup"',
	openstack: 'client-keystone-auth of the OpenStack cloud provider',
};

function unsupportedProvider(name: string): UserError {
	return new UserError(
		`the auth provider "${name}" of the kubeconfig is not supported`,
		`a credential plugin (exec:) takes its place: ${successors[name] ?? 'see what your cluster provider describes, or use --token'}`,
	);
}

/**
 * Impersonation headers. Several values are sent as repeated headers, not joined by commas, and all as UTF-8, as kubectl does.
 *
 * @throws UserError for a group, UID or extra without a user, which the API server would reject
 */
export function impersonationHeaders(user: KubeconfigUser): Readonly<Record<string, string | string[]>> {
	const {impersonateUser, impersonateUid, impersonateGroups, impersonateExtra} = user;
	const groups = impersonateGroups ?? [];
	const extras = Object.entries(impersonateExtra ?? {}).filter(([, values]) => values?.length > 0);
	if (!impersonateUser) {
		if (!impersonateUid && groups.length === 0 && extras.length === 0) return {};
		throw new UserError('--as-group, --as-uid and --as-user-extra need --as', 'add --as=NAME');
	}
	return {
		'impersonate-user': inUtf8(impersonateUser),
		...(impersonateUid && {'impersonate-uid': inUtf8(impersonateUid)}),
		...(groups.length > 0 && {'impersonate-group': groups.map(inUtf8)}),
		...Object.fromEntries(
			extras.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values.map(inUtf8)]),
		),
	};
}

/** Node.js sends each character of a header as one byte. */
const inUtf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
