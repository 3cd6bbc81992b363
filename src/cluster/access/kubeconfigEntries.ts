import type {Cluster, User} from '@kubernetes/client-node';

/** A cluster of `KubeConfig`, with the fields that it does not read. Paths are absolute, `caData` is base64. */
export type KubeconfigCluster = Cluster & {
	readonly disableCompression?: boolean | undefined;
	/** Passed to credential plugins unchanged. */
	readonly execConfig?: unknown;
};

/** A user of `KubeConfig`, with the fields that it does not read. Paths are absolute, `…Data` is base64. */
export type KubeconfigUser = Omit<User, 'exec' | 'authProvider'> & {
	readonly exec?: ExecPlugin | null | undefined;
	readonly authProvider?: {readonly name?: string} | null | undefined;
	readonly tokenFile?: string | undefined;
	readonly impersonateUid?: string | undefined;
	readonly impersonateGroups?: readonly string[] | undefined;
	readonly impersonateExtra?: Readonly<Record<string, readonly string[]>> | undefined;
};

/** A credential plugin (client.authentication.k8s.io), as in the kubeconfig. */
export type ExecPlugin = {
	readonly apiVersion?: string;
	/** A name to look up in PATH, or an absolute path. */
	readonly command?: string;
	readonly args?: readonly string[] | null;
	readonly env?: readonly {readonly name?: string; readonly value?: string}[] | null;
	readonly installHint?: string;
	readonly provideClusterInfo?: boolean;
	/** Never, IfAvailable or Always; absent means IfAvailable. */
	readonly interactiveMode?: string;
};

/** A client certificate and its key, in PEM. */
export type Certificate = {readonly cert: string; readonly key: string};

/** The identity that a request carries. */
export type Credential = {
	readonly authorization?: string;
	readonly certificate?: Certificate;
};
