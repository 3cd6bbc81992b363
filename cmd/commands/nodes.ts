import {listingFlags} from '../args/flagGroups/listing.ts';
import {listOutputs} from '../args/outputFormat.ts';
import {aliasesOf} from '../args/targets.ts';
import type {Command} from './command.ts';

/** What happens to nodes. */
export const nodes = {
	aliases: aliasesOf('nodes'),
	summary: 'Show which nodes turn Unknown and get tainted, and when',
	usage: ['[NAME...] [-l SELECTOR] [-w]'],
	examples: [['Show all nodes, those in trouble first', 'nodes']],
	outputs: listOutputs,
	schemas: ['node-forecast-list', 'node-forecast'],
	flags: listingFlags,
	completes: 'nodes',
	selectableFields: ['metadata.name'],
	async run(options, terminal) {
		const {list} = await import('../output/list.ts');
		return list(options, terminal);
	},
} as const satisfies Command;
