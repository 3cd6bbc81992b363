import {listingFlags, ofContextNamespace} from '../args/flagGroups/listing.ts';
import type {Command} from './command.ts';
import {flagsWithout, listCommand} from './listCommand.ts';
import {podFields} from './pods.ts';

// A deletion has no verdict, and nothing is left of it to come.
const flags = flagsWithout(listingFlags, 'verdict', 'all', 'exit-code');

/** Which pods were evicted. */
export const events = {
	...listCommand,
	aliases: ['event', 'ev'],
	summary: 'Show which pods were evicted, and whether that was predicted',
	description: [
		ofContextNamespace,
		'Once, it shows the evictions of the last hour, of which events tell. With -w it goes on with each deletion,',
		'beside what had been predicted of it: the view EVENTS of the dashboard. Evictions by kubelets, for pressure on their node,',
		'are told as well: such a pod ends as Failed. Of files, recordings alone tell of these.',
	],
	usage: ['[POD...] [-n NAMESPACE | -A] [-w]'],
	examples: [
		['Show the evictions of the last hour', 'events -A'],
		['Show each deletion as it comes, beside its prediction', 'events -A -w'],
	],
	schemas: ['pod-deletion-list', 'pod-deletion'],
	flags,
	completes: 'pods',
	selectableFields: podFields,
} as const satisfies Command;
