import type {CommandSpec} from '../args/commandSpec.ts';
import {controllerFlags} from '../args/flagGroups/controller.ts';
import {selectionFlags} from '../args/flagGroups/selection.ts';
import type {FlagTable} from '../args/flagSpec.ts';

/** What only `record` takes. */
export const recordFlags = {
	for: {type: 'string', help: 'How long to record (30s, 10m). Without it, until ctrl-c.'},
} as const satisfies FlagTable;

/** What is seen, as a file. */
export const record: CommandSpec = {
	aliases: [],
	summary: 'Write what is seen to a file, to replay or report it later',
	usage: ['FILE [--for DURATION] [--all]'],
	examples: [
		['Record an outage as it goes, until ctrl-c; packed, as its name ends in .gz', 'record outage.jsonl.gz'],
		['Record the next ten minutes, and every pod there is', 'record outage.jsonl --for 10m --all'],
	],
	outputs: [],
	flags: {...recordFlags, all: selectionFlags.all, ...controllerFlags},
	completes: 'files',
};
