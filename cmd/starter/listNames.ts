/** The words that ask for a list: to read the table of commands for it would take longer than to know them. */
export const listNames: readonly string[] = ['pods', 'pod', 'po', 'nodes', 'node', 'no', 'zones', 'zone'];
