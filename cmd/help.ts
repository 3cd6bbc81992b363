import {type CommandName, type CommandSpec, commandTable, findCommand} from './commandTable.ts';
import {connectionFlags, controllerFlags, type FlagSpec, type FlagTable, outputFlags} from './flagTable.ts';
import {formatsOf} from './outputFormat.ts';
import type {Terminal} from './terminal.ts';
import {usageError} from './usageError.ts';

const program = 'kubectl evictwatch';

/** The command `help`. */
export async function printHelp([word]: readonly string[], terminal: Terminal): Promise<number> {
	const command = word === undefined ? undefined : findCommand(word);
	if (word !== undefined && command === undefined) throw usageError(`unknown command "${word}"`);
	await terminal.print(helpText(command));
	return 0;
}

// In kubectl's form: of one command, or of the program.
function helpText(command: CommandName | undefined): string {
	const sections = command === undefined || command === 'help' ? programSections() : commandSections(command);
	return `${sections.join('\n\n')}\n`;
}

function programSections(): string[] {
	const commands = Object.entries<CommandSpec>(commandTable);
	const examples = commands.flatMap(([, {examples}]) => examples.slice(0, 1));
	return [
		'Predict which pods an outage evicts next, when, and why.',
		[
			" Reads the cluster (get, list and watch only) and reruns the controllers' own logic ahead of time: node health,",
			' zones and rate limits, NoExecute taints and tolerations. What a client cannot see is shown as a range.',
			' Without a command it is a dashboard on a terminal, and the table of pods elsewhere.',
		].join('\n'),
		examplesSection(examples),
		['Available Commands:', ...commands.map(([name, {summary}]) => `  ${name.padEnd(10)}${summary}`)].join(
			'\n',
		),
		optionsSection('Options', outputFlags),
		optionsSection('Connection Options', connectionFlags),
		optionsSection('Controller Options (found out where possible; a flag wins)', controllerFlags),
		`Usage:\n  ${program} [COMMAND] [NAME...] [flags]`,
	];
}

function commandSections(name: CommandName): string[] {
	const {summary, usage, examples}: CommandSpec = commandTable[name];
	return [
		`${summary}.`,
		...(examples.length > 0 ? [examplesSection(examples)] : []),
		optionsSection('Options', flagsOf(name)),
		`Usage:\n  ${program} ${usage}`,
		...(readsCluster(name)
			? [`Use "${program} --help" for the connection and controller options, which it takes as well.`]
			: []),
	];
}

/** The flags that mean something to a command. */
const flagsOf = (name: CommandName): FlagTable =>
	Object.fromEntries(
		Object.entries<FlagSpec>(outputFlags)
			.filter(([, {of}]) => of === undefined || of.includes(name))
			.map(([flag, spec]) => [flag, flag === 'output' ? {...spec, help: outputHelp(name)} : spec]),
	);

const outputHelp = (name: CommandName): string => `Output format. One of: (${formatsOf(name).join(', ')}).`;

const readsCluster = (name: CommandName): boolean => Object.hasOwn(flagsOf(name), 'filename');

const examplesSection = (examples: CommandSpec['examples']): string =>
	`Examples:\n${examples.map(([what, command]) => `  # ${what}\n  ${program} ${command}`).join('\n\n')}`;

function optionsSection(title: string, flags: FlagTable): string {
	const lines = Object.entries(flags).map(([name, {type, shortFlag, shown, help, isMultiple}]) => {
		const preset = shown ?? (type === 'boolean' ? 'false' : isMultiple ? '[]' : "''");
		return `    ${shortFlag ? `-${shortFlag}, ` : ''}--${name}=${preset}:\n\t${help}`;
	});
	return [`${title}:`, ...lines].join('\n');
}
