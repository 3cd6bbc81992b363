import {globSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

type Position = {readonly line: number; readonly column: number};

/** The result of one change, in Stryker's format: lines and columns count from 1. */
export type Mutant = {
	readonly fileName: string;
	readonly location: {readonly start: Position; readonly end: Position};
	readonly mutatorName: string;
	readonly replacement?: string;
	readonly status: string;
};

/** The results of a run so far, even if it was stopped: each is written as soon as it is known. */
export const mutantsIn = (folder: string): readonly Mutant[] =>
	globSync('*-onMutantTested.json', {cwd: folder})
		.toSorted()
		.map((file): Mutant => JSON.parse(readFileSync(join(folder, file), 'utf8')))
		.map((one) => ({...one, fileName: relative('.', one.fileName)}));

/** The key of a change, which is the same in two runs. */
export const keyOf = ({fileName, location: {start, end}, mutatorName, replacement}: Mutant): string =>
	[fileName, start.line, start.column, end.line, end.column, mutatorName, replacement].join(' ');

/** Prints the survivors, and the score: the share of the tested changes that were noticed. */
export function report(mutants: readonly Mutant[]): void {
	const tried = mutants.filter(({status}) => /^(Killed|Timeout|Survived|NoCoverage)$/.test(status));
	const left = tried.filter(({status}) => status === 'Survived' || status === 'NoCoverage');
	for (const {fileName, location, mutatorName, replacement = '', status} of left) {
		console.log(`${status} ${fileName}:${location.start.line}:${location.start.column} ${mutatorName}`);
		console.log(`  - ${textAt(fileName, location)}\n  + ${oneLine(replacement)}`);
	}
	const noticed = tried.length - left.length;
	const score = tried.length > 0 ? ((100 * noticed) / tried.length).toFixed(1) : '-';
	console.log(`${noticed} of ${tried.length} changes noticed, ${score} %`);
}

function textAt(fileName: string, {start, end}: Mutant['location']): string {
	const lines = readFileSync(fileName, 'utf8')
		.split('\n')
		.slice(start.line - 1, end.line);
	const last = lines.length - 1;
	const cut = lines.map((line, index) =>
		line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
	);
	return oneLine(cut.join('\n'));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
