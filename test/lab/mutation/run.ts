import {spawnSync} from 'node:child_process';
import {globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {Random} from '../../../src/core/time/random.ts';

// Changes the sources at drawn lines, one change at a time, and runs the tests that reach it. A change that no test
// notices survives: Stryker prints it, and the score.

const root = join(import.meta.dirname, '../../..');

const {values: options, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		/** How many lines of code are drawn; each gives none, one or a few changes. */
		lines: {type: 'string', default: '700'},
		seed: {type: 'string', default: '1'},
	},
});

/** Folders or files to change. */
const places = positionals.length > 0 ? positionals : ['src/core', 'src/forecast', 'src/impact', 'src/print'];

const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
const config = join(folder, 'stryker.json');
writeFileSync(config, JSON.stringify(strykerConfig(drawLines())));
const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const {status} = spawnSync(process.execPath, [stryker, 'run', config], {cwd: root, stdio: 'inherit'});
rmSync(folder, {recursive: true});
process.exitCode = status ?? 1;

/** Lines that hold code, each as a pattern `FILE:LINE-LINE`. */
function drawLines(): readonly string[] {
	const files = places.flatMap((place) =>
		place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`, {cwd: root}).toSorted(),
	);
	const lines = files.flatMap((file) =>
		readFileSync(join(root, file), 'utf8')
			.split('\n')
			.flatMap((line, index) => (isCode(line) ? [`${file}:${index + 1}-${index + 1}`] : [])),
	);
	const random = new Random(Number(options.seed));
	const drawn = lines.map((line) => ({line, order: random.next()})).toSorted((a, b) => a.order - b.order);
	return drawn.slice(0, Number(options.lines)).map(({line}) => line);
}

function isCode(line: string): boolean {
	return !/^\s*(\/\/|\/\*|\*|import\b|export type\b|readonly\b|[\])}; ]*$)/.test(line);
}

function strykerConfig(mutate: readonly string[]) {
	return {
		mutate,
		testRunner: 'vitest',
		plugins: ['@stryker-mutator/vitest-runner'],
		coverageAnalysis: 'perTest',
		vitest: {configFile: 'test/lab/mutation/vitest.config.ts', related: false},
		// Texts are held by goldens, and a changed log line is no fault.
		mutator: {excludedMutations: ['StringLiteral']},
		ignoreStatic: true,
		concurrency: 2,
		timeoutMS: 60_000,
		dryRunTimeoutMinutes: 30,
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: {reportTests: false, reportScoreTable: true, allowColor: false},
		// It would rewrite the file with TypeScript's former API, which version 7 has not.
		tsconfigFile: 'none',
		tempDirName: '.cache/mutation',
		ignorePatterns: ['.cache', 'dist', 'docs/pictures'],
		disableTypeChecks: false,
		allowConsoleColors: false,
	};
}
