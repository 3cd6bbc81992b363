import {listingFlags} from '../args/flagGroups/listing.ts';
import {listOutputs} from '../args/outputFormat.ts';
import {aliasesOf} from '../args/targets.ts';
import type {Command} from './command.ts';

/** How fast zones evict. */
export const zones = {
	aliases: aliasesOf('zones'),
	summary: 'Show which zones evict, how fast, and what would change that',
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
