import {completion} from '../commands/completion.ts';
import {dashboard} from '../commands/dashboard.ts';
import {demo} from '../commands/demo.ts';
import {explain} from '../commands/explain.ts';
import {help} from '../commands/help.ts';
import {nodes} from '../commands/nodes.ts';
import {options} from '../commands/options.ts';
import {pods} from '../commands/pods.ts';
import {pressure} from '../commands/pressure.ts';
import {record} from '../commands/record.ts';
import {replay} from '../commands/replay.ts';
import {report} from '../commands/report.ts';
import {rescue} from '../commands/rescue.ts';
import {settings} from '../commands/settings.ts';
import {shadow} from '../commands/shadow.ts';
import {version} from '../commands/version.ts';
import {whatIf} from '../commands/whatIf.ts';
import {zones} from '../commands/zones.ts';
import type {CommandSpec} from './commandSpec.ts';

/**
 * The commands by name, in the order of the help text. A new one is a file in `commands`, a row here, and one in
 * `actions.ts`.
 */
export const commandTable = {
	pods,
	nodes,
	zones,
	explain,
	'what-if': whatIf,
	rescue,
	pressure,
	settings,
	record,
	replay,
	report,
	shadow,
	demo,
	completion,
	version,
	options,
	help,
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** The name of a command. */
export type CommandName = keyof typeof commandTable;

/** The names of all commands, in that order. */
export const commandNames = Object.keys(commandTable) as readonly CommandName[];

/** What is known of a command; of the program itself, where none is named. */
export const specOf = (command: CommandName | undefined): CommandSpec =>
	command === undefined ? dashboard : commandTable[command];

const byWord: ReadonlyMap<string, CommandName> = new Map(
	commandNames.flatMap((name) => [name, ...commandTable[name].aliases].map((word) => [word, name])),
);

/** The command that a word names, by its name or an alias. */
export const findCommand = (word: string): CommandName | undefined => byWord.get(word);
