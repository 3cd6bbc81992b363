/** An entry of `clusters:`. Absent texts are empty, paths absolute, `…Data` is base64. */
export type KubeconfigCluster = {
	readonly server: string;
	readonly certificateAuthority: string;
	readonly certificateAuthorityData: string;
	readonly insecureSkipTlsVerify: boolean;
	readonly tlsServerName: string;
	readonly proxyUrl: string;
	readonly disableCompression: boolean;
	/** What the cluster wants its credential plugins to know, as it is. */
	readonly execConfig: unknown;
};

/** A command that hands out credentials (client.authentication.k8s.io). */
export type ExecPlugin = {
	readonly apiVersion: string;
	readonly command: string;
	readonly args: readonly string[];
	readonly env: readonly (readonly [name: string, value: string])[];
	readonly installHint: string;
	readonly provideClusterInfo: boolean;
	/** Never, IfAvailable or Always; empty means IfAvailable. */
	readonly interactiveMode: string;
};

/** An entry of `users:`. Absent texts are empty, paths absolute, `…Data` is base64. */
export type KubeconfigUser = {
	readonly clientCertificate: string;
	readonly clientCertificateData: string;
	readonly clientKey: string;
	readonly clientKeyData: string;
	readonly token: string;
	readonly tokenFile: string;
	readonly username: string;
	readonly password: string;
	readonly as: string;
	readonly asUid: string;
	readonly asGroups: readonly string[];
	readonly asUserExtra: readonly (readonly [key: string, value: string])[];
	/** The name of a legacy auth provider. */
	readonly authProvider: string;
	readonly exec: ExecPlugin | undefined;
};

/** An entry of `contexts:`. Absent texts are empty. */
export type KubeconfigContext = {readonly cluster: string; readonly user: string; readonly namespace: string};

export type Kubeconfig = {
	readonly currentContext: string;
	readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
	readonly users: ReadonlyMap<string, KubeconfigUser>;
	readonly contexts: ReadonlyMap<string, KubeconfigContext>;
};

export const emptyCluster: KubeconfigCluster = {
	server: '',
	certificateAuthority: '',
	certificateAuthorityData: '',
	insecureSkipTlsVerify: false,
	tlsServerName: '',
	proxyUrl: '',
	disableCompression: false,
	execConfig: undefined,
};

export const emptyUser: KubeconfigUser = {
	clientCertificate: '',
	clientCertificateData: '',
	clientKey: '',
	clientKeyData: '',
	token: '',
	tokenFile: '',
	username: '',
	password: '',
	as: '',
	asUid: '',
	asGroups: [],
	asUserExtra: [],
	authProvider: '',
	exec: undefined,
};
