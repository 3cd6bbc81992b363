import {listingFlags} from '../args/flagGroups/listing.ts';
import {kinds} from '../args/kinds.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

/** How fast zones evict. */
export const zones = {
	aliases: kinds.zones,
	summary: 'Show the state and eviction rate of each zone, and what would change it',
	usage: ['[NAME...] [-w]'],
	examples: [['Show whether a zone has stopped its evictions', 'zones eu/b']],
	outputs: listOutputs,
	schemas: ['zone-forecast-list', 'zone-forecast'],
	flags: listingFlags,
	completes: 'zones',
	selectableFields: ['metadata.name'],
	async run(options, terminal) {
		const {list} = await import('../output/list.ts');
		return list(options, terminal);
	},
} as const satisfies Command;
