import type {TimeZone} from '../../src/dates/timeZone.ts';
import {parseCommandLine as parse} from '../args/commandLine.ts';
import {type CommandName, CommandSet} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import {clusters} from './clusters.ts';
import type {Command} from './command.ts';
import {completion} from './completion.ts';
import {dashboard} from './dashboard.ts';
import {demo} from './demo.ts';
import {events} from './events.ts';
import {explain} from './explain.ts';
import {help} from './help.ts';
import {nodes} from './nodes.ts';
import {options} from './options.ts';
import {pods} from './pods.ts';
import {pressure} from './pressure.ts';
import {record} from './record.ts';
import {replay} from './replay.ts';
import {report} from './report.ts';
import {rescue} from './rescue.ts';
import {settings} from './settings.ts';
import {shadow} from './shadow.ts';
import {status} from './status.ts';
import {version} from './version.ts';
import {whatIf} from './whatIf.ts';
import {workloads} from './workloads.ts';
import {zones} from './zones.ts';

/** The commands by name. A new one is a file in this folder and a row here. */
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
} as const satisfies Readonly<Record<CommandName, Command>>;

export const commands = new CommandSet<Command>(dashboard, commandTable);

type UnionOf<All> = (All extends unknown ? (one: All) => void : never) extends (one: infer Joined) => void
	? Joined
	: never;

/** Parses a command line. @throws UserError if it is invalid */
export const parseCommandLine = (
	argv: readonly string[],
	preferredTimeZone?: TimeZone,
): Options<UnionOf<(typeof commandTable)[CommandName]['flags']>> =>
	parse(argv, commands, preferredTimeZone) as ReturnType<typeof parseCommandLine>;
