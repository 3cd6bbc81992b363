/** Printed by `version -o json`, in the format of `kubectl version -o json`. */
export type VersionJson = {
	readonly clientVersion: {
		/** @pattern ^v\d+\.\d+\.\d+ */
		readonly gitVersion: string;
		/** The commit that it was built from; empty if not known. */
		readonly gitCommit: string;
		/** The Node.js that runs it. */
		readonly nodeVersion: string;
		/** In Go's names: `linux/amd64`. */
		readonly platform: string;
	};
	/** Absent with `--client`, or if the server does not answer. */
	readonly serverVersion?: {readonly gitVersion: string};
};
