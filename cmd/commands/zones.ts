import type {CommandSpec} from '../args/commandSpec.ts';
import {listingFlags} from '../args/flagGroups/listing.ts';
import {listOutputs} from '../args/outputs.ts';

/** How fast zones evict. */
export const zones: CommandSpec = {
	aliases: ['zone'],
	summary: 'Show the state and eviction rate of each zone, and what would change it',
	usage: ['[NAME...] [-w]'],
	examples: [['Show whether a zone has stopped its evictions', 'zones eu/b']],
	outputs: listOutputs,
	schemas: ['zone-forecast-list', 'zone-forecast'],
	flags: listingFlags,
	completes: 'zones',
};
