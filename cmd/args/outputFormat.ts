import {type CommandName, specOf} from './commandTable.ts';
import type {FlagValues} from './flagValues.ts';
import type {Options, OutputFormat} from './options.ts';
import {usageError} from './usageError.ts';

/** What is printed, and what a format is told of it. */
type Output = Pick<Options, 'output' | 'template'>;

/** What a format needs that takes something after its name, in kubectl's words. */
const needs: Readonly<Partial<Record<OutputFormat, string>>> = {
	'custom-columns': 'custom-columns format specified but no custom columns given',
	'custom-columns-file': 'custom-columns format specified but no custom columns given',
	'go-template': 'template format specified but no template given',
	'go-template-file': 'template format specified but no template given',
	jsonpath: 'template format specified but no template given',
	'jsonpath-as-json': 'template format specified but no template given',
	'jsonpath-file': 'template format specified but no template given',
};

/** Other names that kubectl takes. */
const aliases: Readonly<Record<string, OutputFormat>> = {
	template: 'go-template',
	templatefile: 'go-template-file',
};

/**
 * Reads `-o` and `--template`.
 *
 * @throws UserError, in kubectl's words, where the command has no such format, or the format lacks its template.
 */
export function outputOf(
	{output, template}: Pick<FlagValues, 'output' | 'template'>,
	command: CommandName | undefined,
): Output {
	if (!output) return template ? {output: 'go-template', template} : {output: 'table', template: ''};
	const equals = output.indexOf('=');
	const name = equals < 0 ? output : output.slice(0, equals);
	const given = equals < 0 ? undefined : output.slice(equals + 1);
	const formats = specOf(command).outputs;
	const format = formats.find((one) => one === (aliases[name] ?? name));
	if (format === undefined || (given !== undefined && needs[format] === undefined)) {
		throw usageError(
			`unable to match a printer suitable for the output format "${output}", ` +
				`allowed formats are: ${formats.join(',')}`,
		);
	}
	const need = needs[format];
	const told = need === undefined ? '' : given || template;
	if (need !== undefined && !told) throw usageError(need);
	return {output: format, template: told ?? ''};
}
