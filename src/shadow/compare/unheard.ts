/** An object of which something should have been heard: whether its watch is dead or it is as it was, the API server knows. */
export type Unheard = {
	readonly kind: 'Node' | 'Pod';
	/** Empty for nodes. */
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
};
