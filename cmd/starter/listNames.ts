/**
 * The words that ask for a list, each with the list's own name: to read the table of commands for it would take longer than
 * to know them.
 */
export const listNames: ReadonlyMap<string, string> = new Map([
	...['pods', 'pod', 'po'].map((name) => [name, 'pods'] as const),
	...['nodes', 'node', 'no'].map((name) => [name, 'nodes'] as const),
	...['zones', 'zone'].map((name) => [name, 'zones'] as const),
]);
