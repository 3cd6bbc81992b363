import {timeForms, zoneColumns} from '../../src/print/legend.ts';
import {listingFlags} from '../args/flagGroups/listingFlags.ts';
import {aliasesOf} from '../args/targets.ts';
import type {Command} from './command.ts';
import {listCommand} from './listCommand.ts';

export const zones = {
	...listCommand,
	aliases: aliasesOf('zones'),
	summary: 'Show which zones evict, how fast, and what would change that',
	usage: ['[NAME...] [-w]'],
	examples: [['Show whether a zone has stopped its evictions', 'zones eu/b']],
	legends: [
		['Columns', zoneColumns],
		['Times', timeForms],
	],
	schemas: ['zone-forecast-list', 'zone-forecast'],
	flags: listingFlags,
	completes: 'zones',
	selectableFields: ['metadata.name'],
} as const satisfies Command;
