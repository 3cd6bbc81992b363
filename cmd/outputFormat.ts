import {type CommandName, specOf} from './commandTable.ts';
import type {OutputFormat} from './options.ts';
import {usageError} from './usageError.ts';

/** Reads `-o`. @throws UserError, in kubectl's words, where the command has no such format. */
export function outputFormat(text: string | undefined, command: CommandName | undefined): OutputFormat {
	if (text === undefined || text === '') return 'table';
	const formats = specOf(command).outputs;
	const format = formats.find((one) => one === text);
	if (format !== undefined) return format;
	throw usageError(
		`unable to match a printer suitable for the output format "${text}", ` +
			`allowed formats are: ${formats.join(',')}`,
	);
}
