import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {watchFlags} from '../args/flagGroups/listingFlags.ts';
import {objectTableFlags, outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {contextFlags} from '../args/flagGroups/sourceFlags.ts';
import type {Options} from '../args/options.ts';
import {listOutputs} from '../args/outputFormat.ts';
import {usageError} from '../args/usageError.ts';
import type {Command} from './command.ts';
import {flagsWithout} from './listCommand.ts';

const followingFlags = flagsWithout(watchFlags, 'debug');

export const clusters = {
	aliases: ['cluster'],
	summary: 'Show which clusters lose pods, how many, and when',
	description: [
		'Each cluster is read on its own: one that does not answer is named, and does not delay the others. A cluster is',
		'unreachable after 1.2 s without an answer; --request-timeout sets another limit. With -w, a cluster that stops answering',
		'is shown as unreachable within 40 s. Without --contexts or --all-contexts, only the current context is read.',
		'Credential plugins get no terminal, and 10 s.',
	],
	usage: ['[--contexts NAME,... | --all-contexts] [-w]'],
	examples: [
		['Show two clusters of the kubeconfig', 'clusters --contexts eu-1,eu-2'],
		['Show all of them, and go on watching', 'clusters --all-contexts -w'],
		['Fail a script while any of them is about to evict', 'clusters --all-contexts --exit-code'],
	],
	outputs: listOutputs,
	schemas: ['cluster-forecast-list', 'cluster-forecast'],
	flags: {
		...contextFlags,
		...outputFlags,
		...tableFlags,
		'sort-by': objectTableFlags['sort-by'],
		...followingFlags,
		...controllerFlags,
	},
	async run(options: Options<typeof contextFlags>, terminal) {
		if (options.names.length > 0)
			throw usageError('clusters takes no arguments: choose contexts with --contexts NAME,...');
		const {clusters} = await import('../clusters/clustersAction.ts');
		return clusters(options, terminal);
	},
} as const satisfies Command;
