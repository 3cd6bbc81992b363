import {
	differences,
	nodeColumns,
	nodeMeanings,
	outcomes,
	podColumns,
	podVerdicts,
	timeForms,
	workloadColumns,
	zoneColumns,
} from '../../src/print/legend.ts';
import {
	contextFlags,
	fileFlags,
	listingFlags,
	objectTableFlags,
	ofContextNamespace,
	outputFlags,
	scopeFlags,
	tableFlags,
	watchFlags,
} from '../args/flagGroups/commandFlags.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {listOutputs, structuredOutputs} from '../args/outputFormat.ts';
import {aliasesOf} from '../args/targets.ts';
import {usageError} from '../args/usageError.ts';
import {type Command, loaded} from './command.ts';

/** Shared by the commands that list or watch objects of one kind. */
const listCommand = {
	outputs: listOutputs,
	run: loaded(async () => (await import('../lists/listAction.ts')).list),
};

export const flagsWithout = <Table extends FlagTable, Name extends keyof Table & string>(
	flags: Table,
	...names: readonly Name[]
): Omit<Table, Name> =>
	Object.fromEntries(
		Object.entries(flags).filter(([name]) => !names.some((one) => one === name)),
	) as unknown as Omit<Table, Name>;

export const podFields = ['metadata.name', 'metadata.namespace', 'spec.nodeName'] as const;

export const pods: Command = {
	...listCommand,
	aliases: aliasesOf('pods'),
	summary: 'Show which pods are evicted next, when, and why',
	description: [ofContextNamespace],
	usage: ['[NAME...] [-n NAMESPACE | -A] [-l SELECTOR] [-w]'],
	examples: [
		['Show the pods of the current namespace that are in trouble', 'pods'],
		['Show why and when, for the whole cluster, and go on watching', 'pods -A -o wide -w'],
		['Fail a script while any eviction is to come', 'pods -A --exit-code'],
		[
			'Predict from a dump instead of a cluster',
			'pods -A -f dump.json --node-monitor-grace-period=40s --kubernetes-version=v1.31.2',
		],
	],
	legends: [
		['VERDICT, whether a pod is evicted', podVerdicts],
		['Columns', podColumns],
		['Times', timeForms],
		['THEN (-o wide), what follows its deletion', outcomes],
	],
	schemas: ['pod-forecast-list', 'pod-forecast'],
	flags: listingFlags,
	completes: 'pods',
	selectableFields: podFields,
};

export const nodes: Command = {
	...listCommand,
	aliases: aliasesOf('nodes'),
	summary: 'Show which nodes turn Unknown and get tainted, and when',
	usage: ['[NAME...] [-l SELECTOR] [-w]'],
	examples: [['Show all nodes, those in trouble first', 'nodes']],
	legends: [
		['VERDICT, what happens to a node', nodeMeanings],
		['Columns', nodeColumns],
		['Times', timeForms],
	],
	schemas: ['node-forecast-list', 'node-forecast'],
	flags: listingFlags,
	completes: 'nodes',
	selectableFields: ['metadata.name'],
};

export const zones: Command = {
	...listCommand,
	aliases: aliasesOf('zones'),
	summary: 'Show which zones evict, how fast, and what would change that',
	usage: ['[NAME...] [-w]'],
	examples: [['Show whether a zone has stopped its evictions', 'zones eu/b']],
	legends: [
		['Columns', zoneColumns],
		['Times', timeForms],
	],
	schemas: ['zone-forecast-list', 'zone-forecast'],
	flags: listingFlags,
	completes: 'zones',
	selectableFields: ['metadata.name'],
};

// A deletion has no verdict and no future.
const flags = flagsWithout(listingFlags, 'verdict', 'exit-code');

export const events: Command = {
	...listCommand,
	aliases: ['event', 'ev'],
	summary: 'Show which pods were evicted, and whether that was predicted',
	description: [
		ofContextNamespace,
		'It shows the evictions of the last hour, as Kubernetes events and pods report them. With -w it also shows each new deletion',
		'beside its prediction, as the view EVENTS of the dashboard does. Evictions by kubelets (node pressure) that an event or a pod tells are included:',
		'such a pod ends as Failed. Pods of nodes in trouble are watched, with --all every pod. Labels choose none of them, as the pods are gone.',
		'Of a recording (-f) each deletion stands beside its prediction, too.',
	],
	usage: ['[POD...] [-n NAMESPACE | -A] [-w]'],
	examples: [
		['Show the evictions of the last hour', 'events -A'],
		['Show each deletion as it comes, beside its prediction', 'events -A -w'],
		['Show the deletions of pods on healthy nodes, too, and by whom', 'events -A --all -w'],
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
};

export const workloads: Command = {
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
	run: loaded(async () => (await import('../questions/statusAction.ts')).workloads),
};

const followingFlags = flagsWithout(watchFlags, 'debug');

export const clusters: Command = {
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
	async run(options: Options, terminal) {
		if (options.names.length > 0)
			throw usageError('clusters takes no arguments: choose contexts with --contexts NAME,...');
		const {clusters} = await import('../clusters/clustersAction.ts');
		return clusters(options, terminal);
	},
};
