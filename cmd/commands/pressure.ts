import {pressureColumns} from '../../src/print/legend.ts';
import {watchFlags} from '../args/flagGroups/listingFlags.ts';
import {outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {fileFlags, kubeletFlags} from '../args/flagGroups/sourceFlags.ts';
import type {Options} from '../args/options.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

export const pressure = {
	aliases: [],
	summary: 'Show what a node has left, and which pods its kubelet evicts next',
	description: [
		'It queries the kubelets of the named nodes, or of all nodes with a pressure condition, for statistics and thresholds.',
		'This needs the right to get nodes/proxy, which allows more than reading these: grant it with care. Without it, the',
		'metrics API gives memory only, with a wider range; without that, only conditions, events and evicted pods are shown.',
		'One look tells which pod is next, and about when, as memory falls at its pace so far, or by when, as the grace period of a soft',
		'threshold ends, unless it falls below a hard one before. A range of times takes a trend of three measurements: -w makes one every ten seconds, and',
		'says when after 20s.',
	],
	usage: ['[NODE...] [-w]', '--all-kubelets [-w]', '[NODE...] [-w] -f RECORDING [--at TIME]'],
	examples: [
		['Show which pods are evicted next on nodes under pressure', 'pressure'],
		['Follow a node, with trends and times', 'pressure n1 -w'],
		['Show which nodes are nearest to a threshold, before any has a condition', 'pressure --all-kubelets'],
		['Show the whole order of eviction for each signal', 'pressure n1 -o wide'],
		['Show the forecast at a time of a recording', 'pressure -f outage.jsonl.gz --at 2026-01-31T14:02:00Z'],
	],
	outputs: [...structuredOutputs, 'wide'],
	schemas: ['pressure-forecast-list'],
	legends: [['Columns', pressureColumns]],
	flags: {watch: watchFlags.watch, ...kubeletFlags, ...outputFlags, ...tableFlags, ...fileFlags},
	completes: 'nodes',
	run: async (options: Options<typeof kubeletFlags>, terminal) =>
		(await import('../pressure/pressureAction.ts')).pressure(options, terminal, options.flags.allKubelets),
} as const satisfies Command;
