import {
	drainColumns,
	drainWords,
	lossColumns,
	outcomes,
	podChanges,
	pressureColumns,
	rescueColumns,
} from '../../src/print/legend.ts';
import {
	explainFlags,
	fileFlags,
	kubeletFlags,
	objectTableFlags,
	ofAllNamespaces,
	outputFlags,
	scopeFlags,
	settingsFlags,
	tableFlags,
	watchFlags,
} from '../args/flagGroups/commandFlags.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {whatIfFlags} from '../args/flagGroups/whatIfFlags.ts';
import {answerOutputs, listOutputs, structuredOutputs} from '../args/outputFormat.ts';
import {usageError} from '../args/usageError.ts';
import {type Command, loaded} from './command.ts';
import {podFields} from './listCommands.ts';

/** What questions about pods take. */
const question = {
	outputs: answerOutputs,
	flags: {...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	selectableFields: podFields,
} as const;

export const status: Command = {
	...question,
	aliases: ['summary'],
	summary: 'Show the outage on one page: what is next, what stops it, when it ends',
	description: [
		ofAllNamespaces,
		'It looks once. To go on watching, open the dashboard ("kubectl evictwatch"), or run "pods -A -w".',
	],
	usage: ['[-n NAMESPACE] [-l SELECTOR]'],
	examples: [['Show what an outage does to the whole cluster', 'status']],
	outputs: structuredOutputs,
	schemas: ['status'],
	async run(options, terminal) {
		if (options.names.length > 0)
			throw usageError('status takes no arguments: choose pods with -n and -l, or ask: workloads KIND/NAME');
		const {status} = await import('../questions/statusAction.ts');
		return status(options, terminal);
	},
};

export const explain: Command = {
	...question,
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
	flags: {...explainFlags, ...question.flags},
	completes: 'targets',
	run: loaded(async () => (await import('../questions/explainAction.ts')).explain),
};

export const rescue: Command = {
	...question,
	summary: 'Show how to save pods from eviction, and until when',
	description: [
		'It simulates what could be done, and prints the commands; it runs none of them.',
		ofAllNamespaces,
	],
	usage: ['[(pod|node|WORKLOAD)/NAME...] [-n NAMESPACE]'],
	examples: [
		['Show by when each node must recover', 'rescue'],
		['Show every way to save one pod, as commands', 'rescue pod/cart-0 -n shop'],
		['Show until when the pods of a Deployment can be saved', 'rescue deployment/web -n shop'],
	],
	schemas: ['rescue'],
	legends: [['Columns', rescueColumns]],
	completes: 'targets',
	run: loaded(async () => (await import('../questions/rescueAction.ts')).rescue),
};

export const whatIf: Command = {
	...question,
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
		'--drain NODE[,NODE]',
		'(--each-node | --each-zone)',
		'--how-many-more',
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
		['Show what blocks the drain of a node, and how to go on', 'what-if --drain n4'],
		['Show how many nodes each zone can still lose', 'what-if --how-many-more'],
		['Show what the loss of each node would do, the worst first', 'what-if --each-node'],
		['Fail a pipeline if the loss of any zone takes a workload to zero', 'what-if --each-zone --exit-code'],
	],
	legends: [
		['CHANGE, what the change does to a pod', podChanges],
		['THEN, what follows its deletion', outcomes],
		['EVICTION, what a drain does to a pod', drainWords],
		['Other columns of --drain', drainColumns],
		['Columns of --each-node and --each-zone', lossColumns],
	],
	completes: 'targets',
	outputs: listOutputs,
	schemas: ['what-if', 'loss-outlook', 'supposed-loss-list', 'supposed-loss', 'drain'],
	flags: {
		...whatIfFlags,
		'exit-code': watchFlags['exit-code'],
		...question.flags,
		...tableFlags,
		'sort-by': objectTableFlags['sort-by'],
	},
	run: loaded(async () => (await import('../questions/whatIfAction.ts')).whatIf),
};

export const pressure: Command = {
	summary: 'Show what a node has left, and which pods its kubelet evicts next',
	description: [
		'It queries the kubelets of the named nodes, or of all nodes with a pressure condition, for statistics and thresholds.',
		'This needs the right to get nodes/proxy, which allows more than reading these: grant it with care. In the cluster itself,',
		'--kubelet-certificate-authority needs nodes/stats and nodes/configz in its place. Without these rights, the',
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
	outputs: answerOutputs,
	schemas: ['pressure-forecast-list'],
	legends: [['Columns', pressureColumns]],
	flags: {watch: watchFlags.watch, ...kubeletFlags, ...outputFlags, ...tableFlags, ...fileFlags},
	completes: 'nodes',
	run: loaded(async () => (await import('../pressure/pressureAction.ts')).pressure),
};

export const settings: Command = {
	aliases: ['setting'],
	summary: "Show the controllers' settings and where each comes from",
	usage: ['[NAME...]', '--check [--want DURATION]'],
	examples: [
		[
			'Show where each setting comes from, and what the behaviour of the controllers shows',
			'settings -o wide',
		],
		[
			'Show how long a deletion takes, and what to set to get it within two minutes',
			'settings --check --want 2m',
		],
	],
	outputs: listOutputs,
	schemas: ['setting-list', 'settings-check'],
	flags: {...settingsFlags, ...outputFlags, ...tableFlags, ...fileFlags, ...controllerFlags},
	completes: 'settings',
	run: loaded(async () => (await import('../questions/settingsAction.ts')).showSettings),
};
