import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {pageOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

export const report = {
	aliases: [],
	summary: 'Report on a past outage from a recording',
	usage: ['-f RECORDING [-o markdown|json|html]'],
	examples: [['Write a page for the review of an outage', 'report -f outage.jsonl.gz -o html > outage.html']],
	outputs: pageOutputs,
	schemas: ['outage-report'],
	flags: {filename: fileFlags.filename, output: outputFlags.output, ...controllerFlags},
	completes: 'files',
	run: async (options, terminal) => (await import('../recording/reportAction.ts')).report(options, terminal),
} as const satisfies Command;
