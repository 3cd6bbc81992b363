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
	record: {
		aliases: [],
		usage: 'record FILE [--for DURATION] [--all]',
		summary: 'Write what is seen to a file, to replay or report it later',
		examples: [
			[
				'Record an outage as it goes, until ctrl-c; packed, as its name ends in .gz',
				'record outage.jsonl.gz',
			],
			['Record the next ten minutes, and every pod there is', 'record outage.jsonl --for 10m --all'],
		],
	},
	replay: {
		aliases: [],
		usage: 'replay FILE [--speed N] [--at TIME] | replay FILE -o wide|json|yaml|name | -w',
		summary: 'Play a recording in the dashboard, or as a stream of changes',
		examples: [
			['Play an outage again; [ and ] jump to what happened, ? shows all keys', 'replay outage.jsonl.gz'],
			['Print each change of each forecast, as a watch would have', 'replay outage.jsonl.gz -o json'],
		],
	},
	report: {
		aliases: [],
		usage: 'report -f RECORDING [-o markdown|json|html]',
		summary: 'Tell an outage afterwards: what went, what was foretold, what would have changed it',
		examples: [
			['Write a page for the review of an outage', 'report -f outage.jsonl.gz -o html > outage.html'],
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
