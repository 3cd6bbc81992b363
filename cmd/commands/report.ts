import type {CommandSpec} from '../commandSpec.ts';
import {controllerFlags} from '../flagGroups/controller.ts';
import {fileFlags} from '../flagGroups/files.ts';
import {outputFlags} from '../flagGroups/printing.ts';
import {pageOutputs} from '../outputs.ts';

/** An outage, told afterwards. */
export const report: CommandSpec = {
	aliases: [],
	summary: 'Tell an outage afterwards: what went, what was foretold, what would have changed it',
	usage: ['-f RECORDING [-o markdown|json|html]'],
	examples: [['Write a page for the review of an outage', 'report -f outage.jsonl.gz -o html > outage.html']],
	outputs: pageOutputs,
	schemas: ['outage-report'],
	flags: {filename: fileFlags.filename, output: outputFlags.output, ...controllerFlags},
	completes: 'files',
};
