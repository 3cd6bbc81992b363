import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, includesProblems, isDocumentFormat} from './documentPrinter.ts';
import type {Terminal} from './terminal.ts';
import {warnings} from './warnings.ts';

type Answer<Document> = {
	readonly text: () => string;
	readonly document: () => Document;
	/** The rows of the document, for custom columns. */
	readonly items?: (document: Document) => readonly unknown[];
	/** Problems; the document includes them. */
	readonly problems: readonly Problem[];
	readonly now: Instant;
};

/** Prints an answer in the chosen format; problems go to stderr unless the format includes them. */
export async function printAnswer<Document>(
	{text, document, items = () => [], problems, now}: Answer<Document>,
	options: Options,
	terminal: Terminal,
): Promise<void> {
	const {output} = options;
	if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		const found = document();
		await terminal.printDocument(await print(found, items(found)));
	} else await terminal.print(text());
	if (!includesProblems(output)) await terminal.printError(warnings(problems, now, options));
}
