import {differences} from '../../src/print/legend.ts';
import {listingFlags} from '../args/flagGroups/listingFlags.ts';
import {ofContextNamespace} from '../args/flagGroups/scopeFlags.ts';
import {usageError} from '../args/usageError.ts';
import type {Command} from './command.ts';
import {flagsWithout, listCommand} from './listCommand.ts';
import {podFields} from './pods.ts';

// A deletion has no verdict and no future.
const flags = flagsWithout(listingFlags, 'verdict', 'all', 'exit-code');

export const events = {
	...listCommand,
	aliases: ['event', 'ev'],
	summary: 'Show which pods were evicted, and whether that was predicted',
	description: [
		ofContextNamespace,
		'It shows the evictions of the last hour, as Kubernetes events report them. With -w it also shows each new deletion',
		'beside its prediction, as the view EVENTS of the dashboard does. Evictions by kubelets (node pressure) are included:',
		'such a pod ends as Failed. In files, only recordings have those. Labels choose none of them, as the pods are gone.',
	],
	usage: ['[POD...] [-n NAMESPACE | -A] [-w]'],
	examples: [
		['Show the evictions of the last hour', 'events -A'],
		['Show each deletion as it comes, beside its prediction', 'events -A -w'],
	],
	legends: [['DIFFERENCE, how a deletion compares with its prediction', differences]],
	schemas: ['pod-deletion-list', 'pod-deletion'],
	flags,
	completes: 'pods',
	selectableFields: podFields,
	run: async (options, terminal) => {
		if (options.flags.selector)
			throw usageError(
				'events cannot be chosen by labels, as the pods that had them are gone: name pods, or use -n or --field-selector spec.nodeName=NODE',
			);
		return listCommand.run(options, terminal);
	},
} as const satisfies Command;
