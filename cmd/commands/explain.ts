import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {explainFlags} from '../args/flagGroups/explainFlags.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import {scopeFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import type {Options} from '../args/options.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

export const explain = {
	aliases: ['describe'],
	summary: 'Explain why a pod, node or zone is evicted, or is not',
	usage: ['POD... [-n NAMESPACE]', '(deploy|sts|ds|job|svc|node|zone)/NAME...', '-l SELECTOR'],
	examples: [
		['Explain why a pod is evicted, or is not', 'explain cart-0 -n shop'],
		['Explain the pods of a Deployment that are in trouble', 'explain deploy/web -n shop'],
		['Explain what happens to a node, and to the pods on it', 'explain node/n1'],
		['Explain why a zone evicts nothing, with rules and evidence', 'explain zone/eu/b --full'],
		['Explain a dump instead of a cluster, for a script', 'explain cart-0 -n shop -f dump.json -o json'],
	],
	outputs: structuredOutputs,
	schemas: ['explanation-list'],
	flags: {...explainFlags, ...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	completes: 'targets',
	selectableFields: podFields,
	async run(options: Options<typeof explainFlags>, terminal) {
		const {explain} = await import('../questions/explainAction.ts');
		return explain(options, terminal);
	},
} as const satisfies Command;
