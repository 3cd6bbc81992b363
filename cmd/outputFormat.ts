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
	replay: all,
	explain: structured,
	version: structured,
};

/** A report is a page, not a list: it reads its own format. */
export const reportFormats = ['markdown', 'json', 'html'] as const;

/** What `-o` may say to a command; nothing where it has no output to format. */
export const formatsOf = (command: CommandName): readonly string[] =>
	command === 'report' ? reportFormats : (allowed[command] ?? []);

/** Reads `-o`. @throws UserError, in kubectl's words, where the command has no such format. */
export function outputFormat(text: string | undefined, command: CommandName): OutputFormat {
	if (text === undefined || text === '') return 'table';
	if (command === 'report') return 'table';
	const formats = allowed[command] ?? [];
	if (formats.length === 0) throw usageError(`"${command}" has no output formats`);
	const format = formats.find((one) => one === text);
	if (format !== undefined) return format;
	throw usageError(
		`unable to match a printer suitable for the output format "${text}", ` +
			`allowed formats are: ${formats.join(',')}`,
	);
}
