import {controllerFlags} from '../args/flagGroups/controller.ts';
import {fileFlags} from '../args/flagGroups/files.ts';
import {outputFlags} from '../args/flagGroups/printing.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

/** The reasoning behind a forecast. */
export const explain = {
	aliases: [],
	summary: 'Show how a forecast comes about, step by step, and what keeps a pod from going',
	usage: ['(pod|node|zone)/NAME... [-n NAMESPACE]'],
	examples: [
		['Show why a pod of the current namespace goes, or stays', 'explain pod/cart-0'],
		['Show what happens to a node, and to the pods on it', 'explain node/n1'],
		['Show what a zone lacks to evict again; its name holds a slash', 'explain zone/eu/b'],
		['Explain a dump instead of a cluster, for a script', 'explain pod/cart-0 -n shop -f dump.json -o json'],
	],
	outputs: structuredOutputs,
	schemas: ['explanation-list'],
	flags: {...outputFlags, ...fileFlags, ...controllerFlags},
	completes: 'targets',
	async run(options, terminal) {
		const {explain} = await import('../questions/explain.ts');
		return explain(options, terminal);
	},
} as const satisfies Command;
