import {readTextFile} from '../../src/async/readTextFile.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {formatJson} from '../../src/print/json/json.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {formatKyaml} from '../../src/print/json/kyaml.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {CustomColumns, columnsOfFile, columnsOfSpec} from '../../src/print/template/customColumns.ts';
import {jsonPathAsJsonTemplate, jsonPathTemplate, type Template} from '../../src/print/template/jsonPath.ts';
import {TemplateError} from '../../src/print/template/templateError.ts';
import {fileErrorOf, UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import type {DocumentFormat, OutputFormat} from '../args/outputFormat.ts';
import {tableOptions} from './tableOptions.ts';
import type {Terminal} from './terminal.ts';
import {warnings} from './warnings.ts';

export type DocumentPrinter = (document: unknown, items: readonly unknown[]) => Promise<string>;

const others: readonly OutputFormat[] = ['table', 'wide', 'name', 'markdown'];

export const isDocumentFormat = (output: OutputFormat): output is DocumentFormat => !others.includes(output);

/** The terminal's function for a format: documents are escaped by their printers, other text by the terminal. */
export const printIn = ({print, printDocument}: Terminal, output: OutputFormat): Terminal['print'] =>
	isDocumentFormat(output) ? printDocument : print;

/** Whether the output includes problems; otherwise they go to stderr. */
export const includesProblems = (output: OutputFormat) =>
	output === 'json' || output === 'yaml' || output === 'kyaml';

/**
 * Prepares to print several documents in one format; columns keep their widths.
 *
 * @throws UserError if a template cannot be parsed; the printer throws one if it does not fit a document
 */
export async function documentPrinter(
	output: DocumentFormat,
	{template, showHeaders, flags}: Options,
): Promise<DocumentPrinter> {
	const options = {allowsMissingKeys: flags.allowMissingTemplateKeys};
	switch (output) {
		case 'json':
			return async (document) => formatJson(document);
		case 'yaml':
			return async (document) => (await import('../../src/print/json/yaml.ts')).formatYaml(jsonOf(document));
		case 'kyaml':
			return async (document) => formatKyaml(jsonOf(document));
		case 'jsonpath':
			return ofTemplate(output, template, (text) => jsonPathTemplate(text, options));
		case 'jsonpath-file':
			return ofTemplate('jsonpath', await contentOf(template), (text) => jsonPathTemplate(text, options));
		case 'jsonpath-as-json':
			return ofTemplate(output, template, (text) => jsonPathAsJsonTemplate(text, options));
		case 'custom-columns':
			return ofColumns(template, () => new CustomColumns(columnsOfSpec(template), showHeaders));
		case 'custom-columns-file': {
			const text = await contentOf(template);
			return ofColumns(text, () => new CustomColumns(columnsOfFile(text), showHeaders));
		}
	}
}

function ofTemplate(what: string, text: string, make: (text: string) => Template): DocumentPrinter {
	const template = blaming(`error parsing ${what} ${JSON.stringify(text)}`, () => make(text));
	return async (document) =>
		blaming(`error executing ${what} ${JSON.stringify(text)}`, () => template(jsonOf(document)));
}

function ofColumns(text: string, make: () => CustomColumns): DocumentPrinter {
	const what = `error in custom columns ${JSON.stringify(text)}`;
	const columns = blaming(what, make);
	return async (_, items) => blaming(what, () => columns.rows(items.map((item) => jsonOf(item))));
}

/** Turns errors into a UserError that blames the user's input. @throws UserError */
export function blaming<T>(what: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		throw new UserError(`${what}: ${error.message}`, 'see what it is applied to with -o json');
	}
}

const contentOf = (file: string): Promise<string> =>
	readTextFile(file).catch((error: unknown) => {
		throw new UserError(
			`error reading template ${file}: ${fileErrorOf(error)}`,
			'name a file that can be read',
		);
	});

type PrintedAnswer<Document> = Readonly<{
	text: (table: TableOptions) => string;
	document: () => Document;
	/** The rows of the document, for custom columns. */
	items?: (document: Document) => readonly unknown[];
	/** Problems; the document includes them. */
	problems: readonly Problem[];
	now: Instant;
}>;

/** What is asked, and where the answer goes. */
export type CommandCall = {readonly options: Options; readonly terminal: Terminal};

/** Prints an answer in the chosen format; problems go to stderr unless the format includes them. */
export async function printAnswer<Document>(
	{text, document, items = () => [], problems, now}: PrintedAnswer<Document>,
	{options, terminal}: CommandCall,
) {
	const {output} = options;
	if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		const found = document();
		await terminal.printDocument(await print(found, items(found)));
	} else await terminal.print(text(tableOptions(options, terminal)));
	if (!includesProblems(output)) await terminal.printError(warnings(problems, now, options));
}
