import {workloadColumns} from '../../src/print/legend.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {ofContextNamespace, scopeFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

export const workloads = {
	aliases: ['workload', 'wl'],
	summary: 'Show which workloads lose pods, and which reach zero',
	description: [
		ofContextNamespace,
		'Workloads that reach zero come first. One that lost pods, has all of them again and loses no more is not shown.',
		'A NAME without a kind names a workload; pod/NAME, node/NAME and zone/NAME stand for the workloads of their pods.',
	],
	usage: ['[NAME... | KIND/NAME... | KIND] [-n NAMESPACE | -A] [-l SELECTOR]'],
	examples: [
		['Show which workloads of all namespaces reach zero', 'workloads -A'],
		['Show those of one kind, as get deploy, get sts or get ds', 'workloads deploy -A'],
		['Show what a Deployment and its services lose', 'workloads deploy/web -n shop -o wide'],
	],
	outputs: [...structuredOutputs, 'wide'],
	schemas: ['workload-impact-list'],
	legends: [['Columns', workloadColumns]],
	flags: {...scopeFlags, ...outputFlags, ...tableFlags, ...fileFlags, ...controllerFlags},
	completes: 'targets',
	selectableFields: podFields,
	run: async (options, terminal) =>
		(await import('../questions/statusAction.ts')).workloads(options, terminal),
} as const satisfies Command;
