import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {type Case, chooseSlices} from './chooseSlices.ts';

// Plays every case of the drawn suites, and chooses those that `npm test` plays: together they reach all code that the cases
// of their suite reach. Writes test/support/slices.json.

const root = join(import.meta.dirname, '../../..');
const slicesFile = join(root, 'test/support/slices.json');

const {positionals, values} = parseArgs({
	allowPositionals: true,
	// A file of earlier measurements to choose from, without playing.
	options: {from: {type: 'string'}},
});

const folder = mkdtempSync(join(tmpdir(), 'slices-'));
try {
	const file = values.from ?? join(folder, 'cases.jsonl');
	const status = values.from === undefined ? play(file) : 0;
	if (status === 0) write(readCases(file));
	process.exitCode = status;
} finally {
	rmSync(folder, {recursive: true});
}

function play(file: string): number {
	const env = {...process.env, EVICTWATCH_MEASURE_SLICES: file};
	const vitest = join(root, 'node_modules/vitest/vitest.mjs');
	const args = [
		...process.execArgv,
		vitest,
		'run',
		'--mode',
		'deep',
		'--testTimeout',
		'3600000',
		...positionals,
	];
	return spawnSync(process.execPath, args, {cwd: root, env, stdio: 'inherit'}).status ?? 1;
}

function readCases(file: string): readonly Case[] {
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter((line) => line !== '').map((line): Case => JSON.parse(line));
}

/** Writes the slices; suites that were not played keep theirs. */
function write(cases: readonly Case[]): void {
	const before: Record<string, unknown> = JSON.parse(readFileSync(slicesFile, 'utf8'));
	const chosen = chooseSlices(cases);
	for (const {suite, cases: played, all, milliseconds} of chosen.summary)
		console.log(`${suite}: ${played} of ${all} cases, ${(milliseconds / 1000).toFixed(1)} s`);
	const slices = Object.entries({...before, ...chosen.slices}).toSorted(([a], [b]) => (a < b ? -1 : 1));
	writeFileSync(slicesFile, `${JSON.stringify(Object.fromEntries(slices), null, '\t')}\n`);
}
