import {fileFlags, outputFlags, tableFlags, watchFlags} from '../args/flagGroups/listing.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

/** What a kubelet does where its node runs short. */
export const pressure = {
	aliases: [],
	summary: 'Show what a node has left, and which pods its kubelet evicts next',
	description: [
		'Asks the kubelets of the named nodes, or of those that show a pressure condition, for their statistics and',
		'thresholds. That takes the right to get nodes/proxy, which opens more of a kubelet than this: give it with care.',
		'Without it, the metrics API tells of memory, with a wider range; and else conditions, events and evicted pods are left.',
		'When a threshold will be met follows from a trend, and that needs three looks: -w looks every ten seconds, and tells it after 20s.',
	],
	usage: ['[NODE...] [-w]', '[NODE...] [-w] -f RECORDING [--at TIME]'],
	examples: [
		['Show who goes next on the nodes under pressure', 'pressure'],
		['Follow a node, with trends and times', 'pressure n1 -w'],
		['Show the whole order of eviction for each signal', 'pressure n1 -o wide'],
		[
			'Show what was to be expected at some time of a recording',
			'pressure -f outage.jsonl.gz --at 2026-01-31T14:02:00Z',
		],
	],
	outputs: [...structuredOutputs, 'wide'],
	schemas: ['pressure-forecast-list'],
	flags: {watch: watchFlags.watch, ...outputFlags, ...tableFlags, ...fileFlags},
	completes: 'nodes',
	async run(options, terminal) {
		const {pressure} = await import('../pressure/pressure.ts');
		return pressure(options, terminal);
	},
} as const satisfies Command;
