import type {CommandSpec} from '../commandSpec.ts';
import {outputFlags} from '../flagGroups/printing.ts';
import {structuredOutputs} from '../outputs.ts';

/** The version of the program. */
export const version: CommandSpec = {
	aliases: [],
	summary: 'Show the version of evictwatch',
	usage: [''],
	examples: [],
	outputs: structuredOutputs,
	schemas: ['version'],
	flags: outputFlags,
};
