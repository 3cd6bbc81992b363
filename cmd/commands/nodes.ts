import type {CommandSpec} from '../args/commandSpec.ts';
import {listingFlags} from '../args/flagGroups/listing.ts';
import {listOutputs} from '../args/outputs.ts';

/** What happens to nodes. */
export const nodes: CommandSpec = {
	aliases: ['node', 'no'],
	summary: 'Show which nodes turn Unknown and get tainted, and when',
	usage: ['[NAME...] [-l SELECTOR] [-w]'],
	examples: [['Show all nodes, those in trouble first', 'nodes']],
	outputs: listOutputs,
	schemas: ['node-forecast-list', 'node-forecast'],
	flags: listingFlags,
	completes: 'nodes',
};
