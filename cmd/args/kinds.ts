/** The kinds that have a command each, which lists them, and the other words for one. */
export const kinds = {pods: ['pod', 'po'], nodes: ['node', 'no'], zones: ['zone']} as const;

/** The kind that a word names. */
export function kindOf(word: string): keyof typeof kinds | undefined {
	const names = ['pods', 'nodes', 'zones'] as const;
	return names.find((name) => name === word || kinds[name].some((other) => other === word));
}
