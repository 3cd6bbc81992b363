/** kubectl's connection flags, as given: whatever is undefined comes from the kubeconfig. */
export type ConnectionOptions = {
	readonly kubeconfig?: string | undefined;
	readonly context?: string | undefined;
	readonly cluster?: string | undefined;
	readonly user?: string | undefined;
	readonly server?: string | undefined;
	readonly namespace?: string | undefined;
	readonly token?: string | undefined;
	readonly username?: string | undefined;
	readonly password?: string | undefined;
	readonly certificateAuthority?: string | undefined;
	readonly clientCertificate?: string | undefined;
	readonly clientKey?: string | undefined;
	readonly insecureSkipTlsVerify?: boolean | undefined;
	readonly tlsServerName?: string | undefined;
	readonly disableCompression?: boolean | undefined;
	readonly as?: string | undefined;
	readonly asUid?: string | undefined;
	readonly asGroup?: readonly string[] | undefined;
	/** Each `key=value`; a key may come several times. */
	readonly asUserExtra?: readonly string[] | undefined;
	/** As kubectl takes it: `30s`, `1m30s`, a bare number of seconds, `0` for no limit. */
	readonly requestTimeout?: string | undefined;
	/** How many objects to ask for at a time; `0` for all at once. */
	readonly chunkSize?: string | undefined;
	/** How much is said of requests: from 6 on each of them, from 7 on with its headers. */
	readonly v?: string | undefined;
};
