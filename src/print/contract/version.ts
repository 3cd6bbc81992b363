/** Printed by `version -o json`, in the format of `kubectl version -o json`. */
export type VersionJson = {
	readonly clientVersion: Readonly<{
		/** @pattern ^v\d+\.\d+\.\d+ */
		gitVersion: string;
		/** The commit that it was built from; empty if not known. */
		gitCommit: string;
		/** The Node.js that runs it. */
		nodeVersion: string;
		/** In Go's names: `linux/amd64`. */
		platform: string;
	}>;
	/** Absent with `--client`, or if the server does not answer. */
	readonly serverVersion?: {readonly gitVersion: string};
};
