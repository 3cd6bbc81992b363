import {usageError} from './usageError.ts';

/** How objects are printed; `table` where nothing else was asked for. */
export type OutputFormat = 'table' | 'wide' | 'name' | DocumentFormat | PageFormat;

/** Forms of a page that people read. */
export type PageFormat = 'markdown' | 'html';

/** Forms that are made of the JSON contract. */
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

/** What `-o` may say to commands that print something else than a list of objects. */
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

/** What it may say to those that print objects of one kind. */
export const listOutputs = [
	...structuredOutputs,
	...(['custom-columns', 'custom-columns-file', 'name', 'wide'] as const),
].toSorted();

/** What it may say to those that tell a story. */
export const pageOutputs = ['html', 'json', 'markdown'] as const satisfies readonly OutputFormat[];

/** What is printed, and what a format is told of it. */
type Output = {
	readonly output: OutputFormat;
	/** A template, the columns, or the file that holds them. Empty where the format takes nothing. */
	readonly template: string;
};

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
 * @param formats those that the command has
 * @throws UserError, in kubectl's words, where the command has no such format, or the format lacks its template.
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
