/** Which pods are read. Nodes and leases always are: without them nothing can be foretold. */
export type PodScope =
	| {readonly type: 'all'}
	| {readonly type: 'namespace'; readonly namespace: string}
	/** The pods of these nodes alone: the API server has an index for it. Of no nodes, no pods. */
	| {readonly type: 'nodes'; readonly nodes: readonly string[]};

export type Selection = {
	readonly pods: PodScope;
	/** As kubectl's `-l` takes it. */
	readonly labelSelector?: string | undefined;
};
