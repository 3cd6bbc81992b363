import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {selectionFlags} from '../args/flagGroups/scopeFlags.ts';
import {kubeletFlags} from '../args/flagGroups/sourceFlags.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {positiveDuration} from '../args/quantities.ts';
import {usageError} from '../args/usageError.ts';
import type {Command} from './command.ts';

const own = {
	for: {type: 'string', help: 'How long to record (30s, 10m). Without it, until ctrl-c.'},
	'all-kubelets': kubeletFlags['all-kubelets'],
} as const satisfies FlagTable;

export const record = {
	aliases: [],
	summary: 'Record the cluster to a file, to replay it or report on it later',
	usage: ['FILE [--for DURATION] [--all] [--all-kubelets]'],
	examples: [
		['Record until ctrl-c; a name that ends in .gz is compressed', 'record outage.jsonl.gz'],
		['Record the next ten minutes, with every pod of the cluster', 'record outage.jsonl --for 10m --all'],
	],
	outputs: [],
	flags: {...own, all: selectionFlags.all, ...controllerFlags},
	completes: 'files',
	async run(options: Options<typeof own>, terminal) {
		const [file, ...more] = options.names;
		if (file === undefined || more.length > 0) throw usageError('want one file to write: record FILE');
		const length = positiveDuration('for', options.flags.for);
		const {record: writeRecording} = await import('../recording/recordAction.ts');
		const hasAllKubelets = options.flags.allKubelets;
		return writeRecording({file, length, hasAllKubelets}, options, terminal);
	},
} as const satisfies Command;
