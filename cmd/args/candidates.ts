/** What the shell may be offered for a word: words that are known, or what must be looked for first. */
export type Candidates =
	| readonly string[]
	/** Of the cluster. */
	| 'pods'
	| 'nodes'
	| 'zones'
	| 'namespaces'
	/** `pod/NAME`, `node/NAME` and `zone/NAME`. */
	| 'targets'
	/** Of the kubeconfig. */
	| 'contexts'
	| 'clusters'
	| 'users'
	/** Of the program itself. */
	| 'commands'
	| 'outputs'
	| 'scenarios'
	| 'settings'
	/** `local`, `utc` and the names of the IANA database. */
	| 'timeZones'
	/** Of the file system: the shell knows them. */
	| 'files'
	| 'folders';
