import type {TimeZone} from '../../src/dates/timeZone.ts';
import {parseCommandLine as parse} from '../args/commandLine.ts';
import {commandSet} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import type {Command} from './command.ts';
import {clusters, events, nodes, pods, workloads, zones} from './listCommands.ts';
import {completion, dashboard, help, options, version} from './programCommands.ts';
import {explain, pressure, rescue, settings, status, whatIf} from './questionCommands.ts';
import {demo, record, replay, report, shadow} from './recordingCommands.ts';

/** The commands by name. A new one stands in the file of its topic, and in a row here. */
const commandTable = {
	demo,
	status,
	pods,
	explain,
	rescue,
	'what-if': whatIf,
	workloads,
	nodes,
	zones,
	events,
	clusters,
	pressure,
	settings,
	record,
	replay,
	report,
	shadow,
	completion,
	version,
	options,
	help,
} as const satisfies Readonly<Record<string, Command>>;

/** The names in the table. */
export type KnownCommand = keyof typeof commandTable;

export const commands = commandSet<Command>(dashboard, commandTable);

/** Parses a command line. @throws UserError if it is invalid */
export const parseCommandLine = (argv: readonly string[], preferredTimeZone?: TimeZone): Options =>
	parse(argv, commands, preferredTimeZone);
