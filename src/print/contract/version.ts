/** What `version -o json` prints, in the form of `kubectl version -o json`. */
export type VersionJson = {
	readonly clientVersion: {
		/** @pattern ^v\d+\.\d+\.\d+ */
		readonly gitVersion: string;
		/** The commit that it was built from; empty where that is not known. */
		readonly gitCommit: string;
		/** The Node.js that runs it. */
		readonly nodeVersion: string;
		/** In Go's names: `linux/amd64`. */
		readonly platform: string;
	};
	/** Absent with `--client`, and where the server does not answer. */
	readonly serverVersion?: {readonly gitVersion: string};
};
