import {type CommandName, type CommandSet, type CommandSpec, commandNames} from './commandSet.ts';
import {connectionFlags} from './flagGroups/connection.ts';
import {controllerFlags} from './flagGroups/controller.ts';
import type {FlagSpec, FlagTable} from './flagSpec.ts';

// Also where it was started by its own name: kubectl starts it by that name, too, and says nothing that older ones say.
const program = 'kubectl evictwatch';

/** The help in kubectl's form: of one command, or of the program. */
export function helpText(command: CommandName | undefined, commands: CommandSet): string {
	const isOfProgram = command === undefined || command === 'help';
	const sections = isOfProgram ? programSections(commands) : commandSections(command, commands);
	return `${sections.join('\n\n')}\n`;
}

/** The commands as the program's help shows them: what an outage asks for comes first. */
const groups: readonly (readonly [title: string, names: readonly CommandName[]])[] = [
	['Try it without a cluster:', ['demo']],
	['In an outage:', ['status', 'pods', 'explain', 'rescue', 'what-if']],
	['Look closer:', ['workloads', 'nodes', 'zones', 'events', 'clusters', 'pressure', 'settings']],
	['Keep and watch:', ['record', 'replay', 'report', 'shadow']],
];

const programExamples: CommandSpec['examples'] = [
	['Pods of all namespaces, and what changes', 'pods -A -w'],
	['Why a pod is evicted, or is not', 'explain cart-1 -n shop'],
	['How to save the pods of a Deployment', 'rescue deploy/checkout -n shop'],
	['What one more dead node would do', 'what-if --node-down b4'],
];

/** One screen of 80 columns. */
function programSections(commands: CommandSet): string[] {
	const widest = Math.max(...commandNames.map(({length}) => length));
	return [
		[
			'Predict which pods an outage evicts next, when, and why. It only reads the',
			'cluster (get, list, watch). What cannot be known exactly is shown as a range.',
			'Without a command it is a dashboard (a table where there is no terminal).',
		].join('\n'),
		...groups.map(([title, names]) =>
			[title, ...names.map((name) => `  ${name.padEnd(widest)} ${commands.of(name).summary}`)].join('\n'),
		),
		[
			'Examples:',
			...programExamples.flatMap(([what, command]) => [`  # ${what}`, `  ${program} ${command}`]),
		].join('\n'),
		[
			'Flags that most commands take, as with kubectl:',
			'  -n NAMESPACE, -A, -l SELECTOR   whose pods',
			'  -o json|yaml|wide|...           how it is printed; tables without it',
			'  -f FILE                         a dump or a recording instead of a cluster',
			'  -s URL, --context NAME          which cluster',
		].join('\n'),
		[
			`Usage: ${program} [COMMAND] [NAME...] [flags]`,
			`More of a command: ${program} COMMAND --help. Flags of every command:`,
			`${program} options. Other commands: completion, version, help.`,
		].join('\n'),
	];
}

function commandSections(name: CommandName, commands: CommandSet): string[] {
	const {summary, description, legends = [], usage, examples, aliases} = commands.of(name);
	return [
		`${summary}.`,
		...(description ? [description.map((line) => ` ${line}`).join('\n')] : []),
		...(aliases.length > 0 ? [`Aliases:\n${[name, ...aliases].join(', ')}`] : []),
		...(examples.length > 0 ? [examplesSection(examples)] : []),
		...legends.map(legendSection),
		...flagSections(name, commands),
		[
			'Usage:',
			...usage.map((words) => `  ${program} ${`${name} ${words}`.trimEnd()} [flags] [options]`),
		].join('\n'),
		`Use "${program} options" for a list of global command-line options (applies to all commands).`,
	];
}

/** The flags of a command; those of the controllers stand by themselves, and those of the connection elsewhere. */
function flagSections(command: CommandName | undefined, commands: CommandSet): string[] {
	const flags = Object.entries(commands.shownFlagsOf(command)).filter(
		([flag]) => !Object.hasOwn(connectionFlags, flag),
	);
	const [own, controller] = [
		flags.filter(([flag]) => !isOfController(flag)),
		flags.filter(([flag]) => isOfController(flag)),
	];
	const {outputs} = commands.of(command);
	const shown = own.map(([flag, spec]) => [
		flag,
		flag === 'output' ? {...spec, help: outputHelp(outputs)} : spec,
	]);
	return [
		optionsSection('Options', Object.fromEntries(shown)),
		...(controller.length > 0
			? [
					optionsSection(
						'Controller Options (found out where possible; a flag wins)',
						Object.fromEntries(controller),
					),
				]
			: []),
	];
}

const isOfController = (flag: string): boolean => Object.hasOwn(controllerFlags, flag);

const outputHelp = (outputs: CommandSpec['outputs']): string =>
	`Output format. One of: (${outputs.join(', ')}).`;

const examplesSection = (examples: CommandSpec['examples']): string =>
	`Examples:\n${examples.map(([what, command]) => `  # ${what}\n  ${program} ${command}`).join('\n\n')}`;

function legendSection([title, words]: readonly [string, Readonly<Record<string, string>>]): string {
	const widest = Math.max(...Object.keys(words).map(({length}) => length));
	const rows = Object.entries(words).map(([word, meaning]) => `  ${word.padEnd(widest)}   ${meaning}`);
	return [`${title}:`, ...rows].join('\n');
}

/** Flags under a title. */
export function optionsSection(title: string, flags: FlagTable): string {
	return [`${title}:`, ...Object.entries(flags).map(([name, spec]) => flagLines(name, spec))].join('\n');
}

function flagLines(name: string, spec: FlagSpec): string {
	const {shortFlag, help} = spec;
	return `    ${shortFlag ? `-${shortFlag}, ` : ''}--${name}=${presetOf(spec)}:\n\t${help}`;
}

/** A flag's default, as kubectl writes it. */
export const presetOf = ({type, shown, isMultiple, isOnByDefault}: FlagSpec): string =>
	shown ?? (type === 'boolean' ? String(isOnByDefault ?? false) : isMultiple ? '[]' : "''");
