import {apiVersion, itemJson, metadataJson} from '../../src/print/json/json.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat, tellsProblems} from './documentPrinter.ts';
import {withListing} from './listing.ts';
import {chosenItems, type PrintedScene, show, warnings} from './show.ts';
import type {Terminal} from './terminal.ts';

/** Prints what is listed, as kubectl does: several kinds as a table each, or as one list; answers with the exit code. */
export async function showLists(scene: PrintedScene, options: Options, terminal: Terminal): Promise<number> {
	const {lists, command, output} = options;
	if (lists.length < 2) return withListing(command, (listing) => show(listing, scene, options, terminal));
	if (isDocumentFormat(output)) {
		const all = lists.map(({kind, filter}) =>
			withListing(kind, (listing) => {
				const {meant, items, missing} = chosenItems(listing, scene, {...options, filter});
				const documents = items.map((item) => itemJson(listing.kind, item));
				return {documents, missing, kind, code: listing.exitCodeOf(meant, scene.forecast)};
			}),
		);
		const items = all.flatMap(({documents}) => documents);
		const print = await documentPrinter(output, options);
		const metadata = metadataJson(scene.forecast);
		await terminal.printDocument(await print({apiVersion, kind: 'List', metadata, items}, items));
		const complaints = all.flatMap(({missing, kind}) =>
			missing.map((name) => `error: ${kind} "${name}" not found\n`),
		);
		if (!tellsProblems(output))
			await terminal.printError(warnings(scene.forecast.problems, scene.now, options));
		await terminal.printError(complaints.join(''));
		if (complaints.length > 0) return 1;
		return options.exitCode ? Math.max(...all.map(({code}) => code)) : 0;
	}
	return showTables(scene, options, terminal);
}

// A line is left free between two tables, and names tell their kinds.
async function showTables(scene: PrintedScene, options: Options, terminal: Terminal): Promise<number> {
	const {lists, output} = options;
	const flags = {...options.flags, showKind: true};
	const codes: number[] = [];
	let printed = 0;
	for (const [index, {kind, filter}] of lists.entries()) {
		const before = printed;
		const print = async (text: string) => {
			const isNext = output !== 'name' && printed === before && before > 0 && text !== '';
			printed += text.length;
			await terminal.print(isNext ? `\n${text}` : text);
		};
		// What could not be seen is said once.
		const forecast = index === 0 ? scene.forecast : {...scene.forecast, problems: []};
		const own = {...options, command: kind, filter, flags};
		codes.push(
			await withListing(kind, (listing) => show(listing, {...scene, forecast}, own, {...terminal, print})),
		);
	}
	return Math.max(...codes);
}
