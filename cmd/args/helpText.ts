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

function programSections(commands: CommandSet): string[] {
	const examples = commandNames.flatMap((name) => commands.of(name).examples.slice(0, 1));
	const widest = Math.max(...commandNames.map(({length}) => length));
	return [
		'Predict which pods an outage evicts next, when, and why.',
		[
			" Reads the cluster (get, list and watch, and nothing else) and reruns the controllers' own logic ahead of",
			' time: node health, zones and rate limits, NoExecute taints and tolerations.',
			' What a client cannot see is shown as a range.',
			' Without a command it is a dashboard on a terminal, and the table of pods elsewhere.',
		].join('\n'),
		examplesSection(examples),
		[
			'Available Commands:',
			...commandNames.map((name) => `  ${name.padEnd(widest)}   ${commands.of(name).summary}`),
		].join('\n'),
		...flagSections(undefined, commands),
		optionsSection('Connection Options', connectionFlags),
		`Usage:\n  ${program} [COMMAND] [NAME...] [flags]`,
		`Use "${program} COMMAND --help" for more of a command.`,
	];
}

function commandSections(name: CommandName, commands: CommandSet): string[] {
	const {summary, description, usage, examples, aliases} = commands.of(name);
	return [
		`${summary}.`,
		...(description ? [description.map((line) => ` ${line}`).join('\n')] : []),
		...(aliases.length > 0 ? [`Aliases:\n${[name, ...aliases].join(', ')}`] : []),
		...(examples.length > 0 ? [examplesSection(examples)] : []),
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
	const flags = Object.entries(commands.flagsOf(command)).filter(
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
