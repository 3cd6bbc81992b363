import type {Cluster, User} from '@kubernetes/client-node';

/** A cluster as `KubeConfig` has it, with the fields that it does not read. Paths are absolute, `caData` is base64. */
export type KubeconfigCluster = Cluster & {
	readonly disableCompression?: boolean | undefined;
	/** What the cluster wants its credential plugins to know, as it is. */
	readonly execConfig?: unknown;
};

/** A user as `KubeConfig` has it, with the fields that it does not read. Paths are absolute, `…Data` is base64. */
export type KubeconfigUser = Omit<User, 'exec' | 'authProvider'> & {
	readonly exec?: ExecPlugin | null | undefined;
	/** A legacy auth provider. */
	readonly authProvider?: {readonly name?: string} | null | undefined;
	readonly tokenFile?: string | undefined;
	readonly impersonateUid?: string | undefined;
	readonly impersonateGroups?: readonly string[] | undefined;
	readonly impersonateExtra?: Readonly<Record<string, readonly string[]>> | undefined;
};

/** A command that hands out credentials (client.authentication.k8s.io), as the kubeconfig writes it. */
export type ExecPlugin = {
	readonly apiVersion?: string;
	/** A name to be looked up in PATH, or an absolute path. */
	readonly command?: string;
	readonly args?: readonly string[] | null;
	readonly env?: readonly {readonly name?: string; readonly value?: string}[] | null;
	readonly installHint?: string;
	readonly provideClusterInfo?: boolean;
	/** Never, IfAvailable or Always; IfAvailable where it is absent. */
	readonly interactiveMode?: string;
};

/** A client certificate and its key, in PEM. */
export type Certificate = {readonly cert: string; readonly key: string};

/** Who we are, for one request. */
export type Credential = {
	/** The value of the Authorization header. */
	readonly authorization?: string;
	readonly certificate?: Certificate;
};
