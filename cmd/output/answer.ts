import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat, tellsProblems} from './documentPrinter.ts';
import type {Terminal} from './terminal.ts';
import {warnings} from './warnings.ts';

/** What a command found out: for people, and for programs. */
type Answer<Document> = {
	readonly text: () => string;
	readonly document: () => Document;
	/** What of the document its columns are made of. */
	readonly items?: (document: Document) => readonly unknown[];
	/** What could not be seen; the document says it, too. */
	readonly problems: readonly Problem[];
	/** When all of it was seen. */
	readonly now: Instant;
};

/** Prints an answer in the form that is asked for; what could not be seen goes to stderr where that does not say it. */
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
	if (!tellsProblems(output)) await terminal.printError(warnings(problems, now, options));
}
