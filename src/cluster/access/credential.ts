/** A client certificate and its key, in PEM. */
export type Certificate = {readonly cert: string; readonly key: string};

/** Who we are, for one request. */
export type Credential = {
	/** The value of the Authorization header. */
	readonly authorization?: string;
	readonly certificate?: Certificate;
};
