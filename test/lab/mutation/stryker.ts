import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** What to change, the file with the list of test files, and the folder for the results. */
type Stage = {
	readonly root: string;
	readonly mutate: readonly string[];
	readonly testFiles: string;
	readonly events: string;
};

/** Runs Stryker over some places with some test files. Only the results matter, not its exit code. */
export async function runStryker({root, mutate, testFiles, events}: Stage): Promise<void> {
	const config = `${events}.json`;
	writeFileSync(config, JSON.stringify(configOf(mutate, events)));
	const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const child = spawn(process.execPath, [stryker, 'run', config], {
		cwd: root,
		stdio: 'inherit',
		env: {...process.env, EVICTWATCH_MUTATION_TESTS: testFiles},
	});
	await once(child, 'exit');
	rmSync(config);
}

const configOf = (mutate: readonly string[], events: string) => ({
	mutate,
	testRunner: 'vitest',
	plugins: ['@stryker-mutator/vitest-runner'],
	coverageAnalysis: 'perTest',
	vitest: {configFile: 'test/lab/mutation/vitest.config.ts', related: false, pool: 'forks'},
	// Goldens check texts, and a changed log line is no bug.
	mutator: {excludedMutations: ['StringLiteral']},
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 30,
	reporters: ['event-recorder', 'progress-append-only'],
	eventReporter: {baseDir: events},
	// Otherwise Stryker would rewrite the file with TypeScript's old API, which version 7 lacks.
	tsconfigFile: 'none',
	tempDirName: '.cache/mutation/sandboxes',
	ignorePatterns: ['.cache', 'dist', 'docs/pictures'],
	disableTypeChecks: false,
	allowConsoleColors: false,
});
