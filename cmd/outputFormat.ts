import type {CommandName} from './commandTable.ts';
import type {OutputFormat} from './options.ts';
import {usageError} from './usageError.ts';

const structured = ['json', 'yaml'] as const;
const all = ['json', 'name', 'wide', 'yaml'] as const;

/** What `-o` may say to each command. */
const allowed: Readonly<Partial<Record<CommandName, readonly OutputFormat[]>>> = {
	pods: all,
	nodes: all,
	zones: all,
	settings: all,
	explain: structured,
	'what-if': structured,
	rescue: structured,
	version: structured,
};

/** What `-o` may say to a command; nothing where it has no output to format. */
export const formatsOf = (command: CommandName): readonly OutputFormat[] => allowed[command] ?? [];

/** Reads `-o`. @throws UserError, in kubectl's words, where the command has no such format. */
export function outputFormat(text: string | undefined, command: CommandName): OutputFormat {
	if (text === undefined || text === '') return 'table';
	const formats = formatsOf(command);
	if (formats.length === 0) throw usageError(`"${command}" has no output formats`);
	const format = formats.find((one) => one === text);
	if (format !== undefined) return format;
	throw usageError(
		`unable to match a printer suitable for the output format "${text}", ` +
			`allowed formats are: ${formats.join(',')}`,
	);
}
