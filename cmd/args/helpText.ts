import {maxOf} from '../../src/core/collections/extremes.ts';
import type {TextMap} from '../../src/text/textMap.ts';
import type {CommandName, CommandSet, SpecLists} from './commandSet.ts';
import {connectionFlags} from './flagGroups/connectionFlags.ts';
import {controllerFlags} from './flagGroups/controllerFlags.ts';
import type {FlagSpec, FlagTable} from './flagSpec.ts';
import {questions} from './usageError.ts';

// Also if started by its own name: kubectl, too, starts it by that name, and does not say so.
const program = 'kubectl evictwatch';

/** The help of a command or of the program, in kubectl's form. */
export function helpText(command: CommandName | undefined, commands: CommandSet): string {
	const isOfProgram = command === undefined || command === 'help';
	const sections = isOfProgram ? programSections() : commandSections(command, commands);
	return `${sections.join('\n\n')}\n`;
}

const others: readonly (readonly [title: string, names: readonly CommandName[]])[] = [
	['Look closer:', ['nodes', 'events', 'pressure', 'settings', 'clusters']],
	['Keep, and more:', ['record', 'replay', 'report', 'shadow', 'options', 'completion', 'version']],
];

/** Fits one screen of 24 lines and 80 columns, with the prompt. */
const programSections = (): string[] => [
	[
		'Predict which pods an outage evicts next, when, and why. It only reads the',
		'cluster. Without a command it is a dashboard (the table of pods where piped).',
		`Try it without a cluster: ${program} demo`,
	].join('\n'),
	[
		'In an outage:',
		...questions.map(({command, rest, answer}) => `  ${`${command} ${rest}`.padEnd(26)}${answer}`),
	].join('\n'),
	[
		...others.map(([title, names]) => `${title.padEnd(17)}${names.join(', ')}`),
		'Flags that most commands take, as with kubectl:',
		'  -n NAMESPACE, -A, -l SELECTOR   whose pods',
		'  -o json|yaml|wide|...           how it is printed; tables without it',
		'  -s URL, --context NAME          which cluster; -f FILE: a dump or a recording',
	].join('\n'),
	`Usage: ${program} [COMMAND] [NAME...] [flags]. More: COMMAND --help`,
];

function commandSections(name: CommandName, commands: CommandSet): string[] {
	const {summary, description, legends = [], usage, examples, aliases} = commands.of(name);
	const hasControllerFlags = Object.keys(commands.shownFlagsOf(name)).some(isOfController);
	return [
		`${summary}.`,
		...(description ? [description.map((line) => ` ${line}`).join('\n')] : []),
		...(aliases.length > 0 ? [`Aliases:\n${[name, ...aliases].join(', ')}`] : []),
		...(examples.length > 0 ? [examplesSection(examples)] : []),
		...legends.map(legendSection),
		optionsSection('Options', ownFlags(name, commands)),
		[
			'Usage:',
			...usage.map((words) => `  ${program} ${`${name} ${words}`.trimEnd()} [flags] [options]`),
		].join('\n'),
		`Use "${program} options" for a list of global command-line options (applies to all commands)${hasControllerFlags ? '\nand of the flags of the controllers, which are found out where possible' : ''}.`,
	];
}

/** The flags of a command without the controllers' and the connection's, which few need. */
function ownFlags(command: CommandName, commands: CommandSet): FlagTable {
	const {outputs} = commands.of(command);
	const own = Object.entries(commands.shownFlagsOf(command)).filter(
		([flag]) => !Object.hasOwn(connectionFlags, flag) && !isOfController(flag),
	);
	const shown = own.map(([flag, spec]) => [
		flag,
		flag === 'output' ? {...spec, help: `Output format. One of: (${outputs.join(', ')}).`} : spec,
	]);
	return Object.fromEntries(shown);
}

const isOfController = (flag: string) => Object.hasOwn(controllerFlags, flag);

const examplesSection = (examples: SpecLists['examples']) =>
	`Examples:\n${examples.map(([what, command]) => `  # ${what}\n  ${program} ${command}`).join('\n\n')}`;

function legendSection([title, words]: readonly [string, TextMap]): string {
	const widest = maxOf(Object.keys(words).map(({length}) => length));
	const rows = Object.entries(words).map(([word, meaning]) => `  ${word.padEnd(widest)}   ${meaning}`);
	return [`${title}:`, ...rows].join('\n');
}

export function optionsSection(title: string, flags: FlagTable): string {
	return [`${title}:`, ...Object.entries(flags).map(([name, spec]) => flagLines(name, spec))].join('\n');
}

function flagLines(name: string, spec: FlagSpec): string {
	const {shortFlag, help} = spec;
	return `    ${shortFlag ? `-${shortFlag}, ` : ''}--${name}=${presetOf(spec)}:\n\t${help}`;
}

/** A flag's default, as kubectl writes it. */
export const presetOf = ({type, shown, isMultiple, isOnByDefault}: FlagSpec) =>
	shown ?? (type === 'boolean' ? String(isOnByDefault ?? false) : isMultiple ? '[]' : "''");
