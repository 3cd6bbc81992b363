/** What `version` prints, in the form of `kubectl version --client`. */
export type VersionJson = {
	readonly clientVersion: {
		/** @pattern ^v\d+\.\d+\.\d+ */
		readonly gitVersion: string;
		/** Of the Node.js that runs it. */
		readonly nodeVersion: string;
		/** `linux/x64`. */
		readonly platform: string;
	};
};
