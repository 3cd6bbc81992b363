import {controllerFlags} from '../args/flagGroups/controller.ts';
import {fileFlags, ofAllNamespaces, outputFlags, scopeFlags} from '../args/flagGroups/listing.ts';
import {whatIfFlags} from '../args/flagGroups/whatIf.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

/** What would happen if something changed. */
export const whatIf = {
	aliases: ['whatif'],
	summary: 'Show what one more dead node, or any other change, would do',
	description: [
		'Plays the controllers twice from all hidden states that agree with what is seen: as it is, and with the change.',
		'Nothing is changed. A time after @ is +2m from the forecast on, or an instant (RFC 3339); now where there is none.',
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
		['Show who is saved if a zone is back in two minutes', 'what-if --zone-back eu/a@+2m'],
		['Show what a faster eviction rate would do', 'what-if --set node-eviction-rate=1'],
		[
			'Show whom a taint of a device would evict',
			'what-if --device-taint gpu.example.com/n1/gpu-0=example.com/broken',
		],
		['Show how many nodes each zone can still lose', 'what-if --how-many-more'],
		['Show whom a kubelet evicts with 50Mi of memory left', 'what-if --pressure n1=memory.available=50Mi'],
	],
	outputs: structuredOutputs,
	completes: 'targets',
	schemas: ['what-if', 'loss-outlook', 'rescue', 'pressure-what-if'],
	flags: {...whatIfFlags, ...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	selectableFields: podFields,
	async run(options, terminal) {
		const {whatIf} = await import('../questions/whatIf.ts');
		return whatIf(options, terminal);
	},
} as const satisfies Command;
