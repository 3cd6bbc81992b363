import {outcomes, podChanges} from '../../src/print/legend.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import {ofAllNamespaces, scopeFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {whatIfFlags} from '../args/flagGroups/whatIfFlags.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

export const whatIf = {
	aliases: ['whatif'],
	summary: 'Show what one more dead node, or any other change, would do',
	description: [
		'It simulates the controllers without and with the change, and changes nothing in the cluster. The answer comes first:',
		'which more pods are evicted, which workloads reach zero, and whether zones still evict.',
		'A time after @ is +2m (from now) or RFC 3339; without one, the change happens now.',
		ofAllNamespaces,
	],
	usage: [
		'--node-down NODE[@TIME] ...',
		'--how-many-more',
		'--buy-time POD',
		'--pressure NODE=SIGNAL=AMOUNT ...',
	],
	examples: [
		['Show what the loss of one more node would do', 'what-if --node-down n4'],
		['Show what the return of a node would do', 'what-if --node-back n4'],
		['Show which pods are saved if a zone is back in two minutes', 'what-if --zone-back eu/a@+2m'],
		['Show what a faster eviction rate would do', 'what-if --set node-eviction-rate=1'],
		[
			'Show which pods a device taint would evict',
			'what-if --device-taint gpu.example.com/n1/gpu-0=example.com/broken',
		],
		['Show how many nodes each zone can still lose', 'what-if --how-many-more'],
		[
			'Show which pods a kubelet evicts with 50Mi of memory left',
			'what-if --pressure n1=memory.available=50Mi',
		],
	],
	outputs: [...structuredOutputs, 'wide'],
	legends: [
		['CHANGE, what the change does to a pod', podChanges],
		['THEN, what follows its deletion', outcomes],
	],
	completes: 'targets',
	schemas: ['what-if', 'loss-outlook', 'rescue', 'pressure-what-if'],
	flags: {...whatIfFlags, ...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	selectableFields: podFields,
	run: async (options, terminal) => (await import('../questions/whatIfAction.ts')).whatIf(options, terminal),
} as const satisfies Command;
