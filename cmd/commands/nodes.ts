import {nodeColumns, nodeMeanings, timeForms} from '../../src/print/legend.ts';
import {listingFlags} from '../args/flagGroups/listingFlags.ts';
import {aliasesOf} from '../args/targets.ts';
import type {Command} from './command.ts';
import {listCommand} from './listCommand.ts';

export const nodes = {
	...listCommand,
	aliases: aliasesOf('nodes'),
	summary: 'Show which nodes turn Unknown and get tainted, and when',
	usage: ['[NAME...] [-l SELECTOR] [-w]'],
	examples: [['Show all nodes, those in trouble first', 'nodes']],
	legends: [
		['VERDICT, what happens to a node', nodeMeanings],
		['Columns', nodeColumns],
		['Times', timeForms],
	],
	schemas: ['node-forecast-list', 'node-forecast'],
	flags: listingFlags,
	completes: 'nodes',
	selectableFields: ['metadata.name'],
} as const satisfies Command;
