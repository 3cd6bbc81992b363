import type {CommandSpec} from '../args/commandSpec.ts';
import {outputFlags} from '../args/flagGroups/printing.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import {structuredOutputs} from '../args/outputs.ts';

/** What only `version` takes. */
export const versionFlags = {
	client: {type: 'boolean', help: 'Show the version of evictwatch only: no server is asked.'},
} as const satisfies FlagTable;

/** The versions of the program and of the API server. */
export const version: CommandSpec = {
	aliases: [],
	summary: 'Show the versions of evictwatch and of the API server',
	usage: ['[--client]'],
	examples: [
		['Show both versions', 'version'],
		['Show what a bug report needs, without a cluster', 'version --client -o yaml'],
	],
	outputs: structuredOutputs,
	schemas: ['version'],
	flags: {...versionFlags, ...outputFlags},
};
