import {type CommandName, commandNames} from '../../cmd/args/commandSet.ts';
import {connectionFlags} from '../../cmd/args/flagGroups/connectionFlags.ts';
import {controllerFlags} from '../../cmd/args/flagGroups/controllerFlags.ts';
import type {FlagSpec, FlagTable} from '../../cmd/args/flagSpec.ts';
import {presetOf} from '../../cmd/args/helpText.ts';
import {commands} from '../../cmd/commands/commandTable.ts';

const program = 'kubectl evictwatch';

/**
 * The manual page of section 1, in roff, from the same tables as the help and the reference.
 *
 * @param version such as `0.1.0`
 * @param made the date that the page shows
 */
export function manPage(version: string, made: Date): string {
	return [
		`.TH KUBECTL\\-EVICTWATCH 1 "${made.toISOString().slice(0, 10)}" "kubectl\\-evictwatch ${version}" "User Commands"`,
		section('Name'),
		plain('kubectl-evictwatch - predict which pods a Kubernetes outage evicts next, when, and why'),
		section('Synopsis'),
		bold(`${program} [COMMAND] [NAME...] [flags]`),
		section('Description'),
		plain(
			"Reads the cluster (get, list and watch only) and reruns the controllers' own logic ahead of time: node health, zones " +
				'and rate limits, NoExecute taints and tolerations. What a client cannot see is shown as a range. Without a command it is a ' +
				'dashboard on a terminal, and the table of pods elsewhere. Flags come after the name of the plugin, and may stand anywhere there.',
		),
		plain('The dashboard takes these flags:'),
		...flagList(
			without(commands.flagsOf(undefined), {
				...commands.flagsOf('pods'),
				...connectionFlags,
				...controllerFlags,
			}),
		),
		section('Commands'),
		...commandNames.flatMap(commandPart),
		section('Options of the controllers'),
		plain('Taken by the commands that forecast. They are found out where possible; a flag wins.'),
		...flagList(controllerFlags),
		section('Options of every command'),
		...flagList(connectionFlags),
		section('Exit status'),
		...item('0', 'Done.'),
		...item('1', 'An error, told on stderr; with --exit-code, also where too little can be seen to tell.'),
		...item('2', 'With --exit-code: a chosen pod is Scheduled, Expected or Overdue.'),
		section('See also'),
		plain('kubectl(1)'),
		'',
	].join('\n');
}

function commandPart(name: CommandName): string[] {
	const {summary, description = [], usage, aliases, examples, outputs} = commands.of(name);
	const own = without(commands.flagsOf(name), {...connectionFlags, ...controllerFlags});
	const also = aliases.length > 0 ? [`Also ${aliases.join(', ')}.`] : [];
	return [
		`.SS ${escaped(name)}`,
		...usage.flatMap((words) => [bold(`${program} ${`${name} ${words}`.trimEnd()}`), '.br']),
		'.PP',
		plain([`${summary}.`, ...description, ...also].join(' ')),
		...(name === 'options' ? [] : flagList(own)),
		...(outputs.length === 0 ? [] : ['.PP', plain(`Its output formats: ${outputs.join(', ')}.`)]),
		...(examples.length === 0 ? [] : ['.PP', plain('Examples:')]),
		...examples.flatMap(([what, command]) => item(`${program} ${command}`, `${what}.`)),
	];
}

const without = (flags: FlagTable, others: FlagTable): FlagTable =>
	Object.fromEntries(Object.entries(flags).filter(([flag]) => !Object.hasOwn(others, flag)));

const flagList = (flags: FlagTable): string[] => Object.entries(flags).flatMap(flagItem);

function flagItem([name, spec]: readonly [string, FlagSpec]): string[] {
	const short = spec.shortFlag ? `-${spec.shortFlag}, ` : '';
	return item(`${short}--${name}=${presetOf(spec)}`, spec.help);
}

const item = (term: string, text: string): string[] => ['.TP', bold(term), plain(text)];

const section = (title: string): string => `.SH ${title.toUpperCase()}`;

/** A line of bold text. It uses a font escape because a macro would remove quotation marks. */
const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

const plain = (text: string): string => escaped(text).replace(/^(?=[.'])/, '\\&');

// A plain hyphen may be rendered as a typographic one, which does not work when it is pasted into a shell.
const escaped = (text: string): string =>
	text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq');
