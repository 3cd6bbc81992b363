import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {drawLines} from './drawLines.ts';
import {keyOf, type Mutant, mutantsIn, report} from './mutants.ts';
import {runStryker} from './stryker.ts';
import {testFiles} from './testFiles.ts';

// Changes the sources at drawn lines, one change at a time, and runs the tests that reach it: first the fast test files,
// then, for unnoticed changes, the slow ones. A change that no test notices survives: it is printed, and lowers the score.

const {values: options, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		/** How many lines of code are drawn; each gives any number of changes. */
		lines: {type: 'string', default: '700'},
		seed: {type: 'string', default: '1'},
		/** The maximum duration of a fast test file, in milliseconds. */
		quick: {type: 'string', default: '300'},
		/** The maximum duration of a test file that is run at all, in milliseconds. */
		slow: {type: 'string', default: '1000000'},
		/** Only prints the results of the last run, even if it was stopped. */
		report: {type: 'boolean', default: false},
	},
});

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.cache/mutation');
const [quickFolder, slowFolder] = [join(folder, 'quick'), join(folder, 'slow')];

if (!options.report) {
	/** The folders or files to change. */
	const places =
		positionals.length > 0 ? positionals : ['src/core', 'src/forecast', 'src/impact', 'src/print'];
	mkdirSync(folder, {recursive: true});
	for (const old of [quickFolder, slowFolder]) rmSync(old, {recursive: true, force: true});
	const {quick, slow} = testFiles(root, folder, Number(options.quick), Number(options.slow));
	const lines = drawLines(root, places, Number(options.lines), Number(options.seed));
	await runStage('quick', quick, lines);
	const unnoticed = mutantsIn(quickFolder).filter(isUnnoticed);
	writeFileSync(join(folder, 'unnoticed.json'), JSON.stringify(unnoticed.map(keyOf)));
	if (unnoticed.length > 0) await runStage('slow', slow, unnoticed.map(placeOf));
}
report(merged());

function isUnnoticed({status}: Mutant): boolean {
	return status === 'Survived' || status === 'NoCoverage';
}

/** A mutant's place as a Stryker pattern, whose columns count from 0; it also makes the smaller mutants within it again. */
function placeOf({fileName, location: {start, end}}: Mutant): string {
	return `${fileName}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

async function runStage(name: string, files: readonly string[], mutate: readonly string[]): Promise<void> {
	const list = join(folder, `${name}-tests.json`);
	writeFileSync(list, JSON.stringify(files));
	console.log(`${name}: ${files.length} test files`);
	await runStryker({root, mutate, testFiles: list, events: join(folder, name)});
}

/** The results of the fast tests, replaced by those of the slow tests where the fast ones noticed nothing. */
function merged(): readonly Mutant[] {
	const later = new Map(existsSync(slowFolder) ? mutantsIn(slowFolder).map((one) => [keyOf(one), one]) : []);
	return mutantsIn(quickFolder).map((one) => (isUnnoticed(one) ? (later.get(keyOf(one)) ?? one) : one));
}
