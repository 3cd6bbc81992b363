import {usageError} from './usageError.ts';

/** How objects are printed; `table` by default. */
export type OutputFormat = 'table' | 'wide' | 'name' | DocumentFormat | PageFormat;

export type PageFormat = 'markdown' | 'html';

/** Formats made from the JSON contract. */
export type DocumentFormat =
	| 'json'
	| 'yaml'
	| 'kyaml'
	| 'jsonpath'
	| 'jsonpath-as-json'
	| 'jsonpath-file'
	| 'go-template'
	| 'go-template-file'
	| 'custom-columns'
	| 'custom-columns-file';

/** `-o` values of commands that print something other than a list of objects. */
export const structuredOutputs = [
	'go-template',
	'go-template-file',
	'json',
	'jsonpath',
	'jsonpath-as-json',
	'jsonpath-file',
	'kyaml',
	'yaml',
] as const satisfies readonly OutputFormat[];

/** `-o` values of commands that print objects of one kind. */
export const listOutputs = [
	...structuredOutputs,
	...(['custom-columns', 'custom-columns-file', 'name', 'wide'] as const),
].toSorted();

/** `-o` values of commands that print a report. */
export const pageOutputs = ['html', 'json', 'markdown'] as const satisfies readonly OutputFormat[];

type Output = {
	readonly output: OutputFormat;
	/** A template, columns, or the file that holds them; empty if the format takes nothing. */
	readonly template: string;
};

/** The arguments that formats require, in kubectl's words. */
const needs: Readonly<Partial<Record<OutputFormat, string>>> = {
	'custom-columns': 'custom-columns format specified but no custom columns given',
	'custom-columns-file': 'custom-columns format specified but no custom columns given',
	'go-template': 'template format specified but no template given',
	'go-template-file': 'template format specified but no template given',
	jsonpath: 'template format specified but no template given',
	'jsonpath-as-json': 'template format specified but no template given',
	'jsonpath-file': 'template format specified but no template given',
};

/** kubectl's aliases of formats. */
const aliases: Readonly<Record<string, OutputFormat>> = {
	template: 'go-template',
	templatefile: 'go-template-file',
};

/**
 * Parses `-o` and `--template`.
 *
 * @param formats the command's formats
 * @throws UserError in kubectl's words if the command lacks the format, or the format lacks its template
 */
export function outputOf(
	{output, template}: {readonly output: string | undefined; readonly template: string | undefined},
	formats: readonly OutputFormat[],
): Output {
	if (!output) return template ? {output: 'go-template', template} : {output: 'table', template: ''};
	const equals = output.indexOf('=');
	const name = equals < 0 ? output : output.slice(0, equals);
	const given = equals < 0 ? undefined : output.slice(equals + 1);
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
