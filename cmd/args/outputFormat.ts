import {usageError} from './usageError.ts';

/** How objects are printed; `table` by default. */
export type OutputFormat = 'table' | 'wide' | 'name' | 'markdown' | DocumentFormat;

/** Formats made from the JSON contract. */
export type DocumentFormat =
	| 'json'
	| 'yaml'
	| 'kyaml'
	| 'jsonpath'
	| 'jsonpath-as-json'
	| 'jsonpath-file'
	| 'custom-columns'
	| 'custom-columns-file';

/** `-o` values of commands that print something other than a list of objects. */
export const structuredOutputs = [
	'json',
	'jsonpath',
	'jsonpath-as-json',
	'jsonpath-file',
	'kyaml',
	'yaml',
] as const satisfies readonly OutputFormat[];

/** `-o` values of commands that print an answer. */
export const answerOutputs = [...structuredOutputs, 'wide'] as const satisfies readonly OutputFormat[];

/** `-o` values of commands that print objects of one kind. */
export const listOutputs = [
	...structuredOutputs,
	...(['custom-columns', 'custom-columns-file', 'name', 'wide'] as const),
].toSorted();

/** `-o` values of the command that prints a report. */
export const reportOutputs = ['json', 'markdown'] as const satisfies readonly OutputFormat[];

/** The arguments that formats require, in kubectl's words. */
const needs: Readonly<Partial<Record<OutputFormat, string>>> = {
	'custom-columns': 'custom-columns format specified but no custom columns given',
	'custom-columns-file': 'custom-columns format specified but no custom columns given',
	jsonpath: 'template format specified but no template given',
	'jsonpath-as-json': 'template format specified but no template given',
	'jsonpath-file': 'template format specified but no template given',
};

/** kubectl's names of Go templates. */
const goTemplates: readonly string[] = ['go-template', 'go-template-file', 'template', 'templatefile'];

/**
 * Parses `-o` and `--template`, which without `-o` is a Go template to kubectl.
 *
 * @param formats the command's formats
 * @throws UserError in kubectl's words if the command lacks the format, or the format lacks its template
 */
export function outputOf(
	{output, template}: {readonly output: string | undefined; readonly template: string | undefined},
	formats: readonly OutputFormat[],
): {readonly output: OutputFormat; readonly template: string} {
	if (!output && !template) return {output: 'table', template: ''};
	const text = output || 'go-template';
	const equals = text.indexOf('=');
	const name = equals < 0 ? text : text.slice(0, equals);
	const given = equals < 0 ? undefined : text.slice(equals + 1);
	if (goTemplates.includes(name)) {
		const instead = (['jsonpath', 'custom-columns', 'json'] as const).filter((other) =>
			formats.includes(other),
		);
		throw usageError(`Go templates are not supported; use -o ${instead.join(', -o ')}`);
	}
	const format = formats.find((known) => known === name);
	if (format === undefined || (given !== undefined && needs[format] === undefined)) {
		throw usageError(
			`unable to match a printer suitable for the output format "${text}", ` +
				`allowed formats are: ${formats.join(',')}`,
		);
	}
	const need = needs[format];
	const told = need === undefined ? '' : given || template;
	if (need !== undefined && !told) throw usageError(need);
	return {output: format, template: told ?? ''};
}
