import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat, tellsProblems} from '../output/documentPrinter.ts';
import {warnings} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';

/** What a command found out: for people, and for programs. */
type Answer = {
	readonly text: () => string;
	readonly document: () => object;
	/** What could not be seen; the document says it, too. */
	readonly problems: readonly Problem[];
	/** When all of it was seen. */
	readonly now: Instant;
};

/** Prints an answer in the form that is asked for; what could not be seen goes to stderr where that does not say it. */
export async function printAnswer(
	{text, document, problems, now}: Answer,
	options: Options,
	terminal: Terminal,
): Promise<void> {
	const {output} = options;
	if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		await terminal.printDocument(await print(document(), []));
	} else await terminal.print(text());
	if (!tellsProblems(output)) await terminal.printError(warnings(problems, now, options));
}
