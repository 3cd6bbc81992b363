/** One command, as `help` presents it. */
export type CommandSpec = {
	readonly aliases: readonly string[];
	readonly usage: string;
	readonly summary: string;
	readonly examples: readonly (readonly [what: string, command: string])[];
};

/** The commands by name, in the order of the help text. */
export const commandTable = {
	pods: {
		aliases: ['pod', 'po'],
		usage: 'pods [NAME...] [-n NAMESPACE | -A] [-l SELECTOR] [-o wide|json|yaml|name] [-w]',
		summary: 'Show which pods go next, when, and why',
		examples: [
			['Show the pods of the current namespace that are in trouble', 'pods'],
			['Show why and when, for the whole cluster, and go on watching', 'pods -A -o wide -w'],
			['Fail a script while any eviction is to come', 'pods -A --exit-code'],
			[
				'Predict from a dump instead of a cluster',
				'pods -A -f dump.json --node-monitor-grace-period=40s --kubernetes-version=v1.31.2',
			],
		],
	},
	nodes: {
		aliases: ['node', 'no'],
		usage: 'nodes [NAME...] [-l SELECTOR] [-o wide|json|yaml|name] [-w]',
		summary: 'Show which nodes turn Unknown and get tainted, and when',
		examples: [['Show all nodes, those in trouble first', 'nodes']],
	},
	zones: {
		aliases: ['zone'],
		usage: 'zones [NAME...] [-o wide|json|yaml|name] [-w]',
		summary: 'Show the state and eviction rate of each zone, and what would change it',
		examples: [['Show whether a zone has stopped its evictions', 'zones eu/b']],
	},
	explain: {
		aliases: [],
		usage: 'explain (pod|node|zone)/NAME... [-n NAMESPACE] [-o json|yaml]',
		summary: 'Show how a forecast comes about, step by step, and what keeps a pod from going',
		examples: [
			['Show why a pod of the current namespace goes, or stays', 'explain pod/cart-0'],
			['Show what happens to a node, and to the pods on it', 'explain node/n1'],
			['Show what a zone lacks to evict again; its name holds a slash', 'explain zone/eu/b'],
			[
				'Explain a dump instead of a cluster, for a script',
				'explain pod/cart-0 -n shop -f dump.json -o json',
			],
		],
	},
	'what-if': {
		aliases: ['whatif'],
		usage:
			'what-if --node-down NODE[@+2m] ... [-f FILE] [-o json|yaml] | what-if --how-many-more | what-if --buy-time POD',
		summary: 'Show what would happen if nodes, taints, controllers or flags changed',
		examples: [
			['Show what the loss of one more node would do', 'what-if --node-down n4'],
			['Show who is saved if a zone is back in two minutes', 'what-if --zone-back eu/a@+2m'],
			['Show what a faster eviction rate would do', 'what-if --set node-eviction-rate=1'],
			['Show how many nodes each zone can still lose', 'what-if --how-many-more'],
		],
	},
	rescue: {
		aliases: [],
		usage: 'rescue [(pod|node)/NAME...] [-n NAMESPACE] [-f FILE] [-o json|yaml]',
		summary: 'Show until when each pod can still be saved, and by what',
		examples: [
			['Show the last moment at which each node must be back', 'rescue'],
			['Show all that would save one pod, as commands to type', 'rescue pod/cart-0 -n shop'],
		],
	},
	settings: {
		aliases: ['setting'],
		usage: 'settings [NAME...] [-o wide|json|yaml|name] | settings --check [--want DURATION]',
		summary: "Show the controllers' settings and where each comes from",
		examples: [
			['Show where each setting comes from, and what behaviour says of it', 'settings -o wide'],
			[
				'Show how long a deletion takes, and what to set to have it within two minutes',
				'settings --check --want 2m',
			],
		],
	},
	demo: {
		aliases: [],
		usage: 'demo [SCENARIO] [--speed N] | demo [SCENARIO] --serve [PORT] | demo --list',
		summary: 'Play a simulated outage; no cluster is needed',
		examples: [['Serve the API of a simulated cluster on loopback', 'demo node-dies --serve 8001']],
	},
	version: {
		aliases: [],
		usage: 'version [-o json|yaml]',
		summary: 'Show the version of evictwatch',
		examples: [],
	},
	help: {
		aliases: [],
		usage: 'help [COMMAND]',
		summary: 'Show this help, or that of one command',
		examples: [],
	},
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** The name of a command. */
export type CommandName = keyof typeof commandTable;

const byWord: ReadonlyMap<string, CommandName> = new Map(
	Object.entries(commandTable).flatMap(([name, {aliases}]) =>
		[name, ...aliases].map((word) => [word, name as CommandName]),
	),
);

/** The command that a word names, by its name or an alias. */
export const findCommand = (word: string): CommandName | undefined => byWord.get(word);
