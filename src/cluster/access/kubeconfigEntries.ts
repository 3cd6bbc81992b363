import type {Cluster, User} from '@kubernetes/client-node';

/** A cluster of `KubeConfig`, with the fields that it does not read. Paths are absolute, `caData` is base64. */
export type KubeconfigCluster = Cluster & {
	readonly disableCompression?: boolean | undefined;
	/** Passed to credential plugins unchanged. */
	readonly execConfig?: unknown;
};

/** A user of `KubeConfig`, with the fields that it does not read. Paths are absolute, `…Data` is base64. */
export type KubeconfigUser = Omit<User, 'exec' | 'authProvider'> &
	Readonly<{
		exec?: ExecPlugin | null | undefined;
		authProvider?: {readonly name?: string} | null | undefined;
		tokenFile?: string | undefined;
		impersonateUid?: string | undefined;
		impersonateGroups?: readonly string[] | undefined;
		impersonateExtra?: Readonly<Record<string, readonly string[]>> | undefined;
	}>;

/** A credential plugin (client.authentication.k8s.io), as in the kubeconfig. */
export type ExecPlugin = Readonly<{
	apiVersion?: string;
	/** A name to look up in PATH, or an absolute path. */
	command?: string;
	args?: readonly string[] | null;
	env?: readonly {readonly name?: string; readonly value?: string}[] | null;
	installHint?: string;
	provideClusterInfo?: boolean;
	/** Never, IfAvailable or Always; absent means IfAvailable. */
	interactiveMode?: string;
}>;

/** A client certificate and its key, in PEM. */
export type Certificate = {readonly cert: string; readonly key: string};

/** The identity that a request carries. */
export type Credential = {
	readonly authorization?: string | undefined;
	readonly certificate?: Certificate | undefined;
};
