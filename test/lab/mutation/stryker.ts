import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** What to change, the list of test files to run, and the folder in which each result is written as it comes. */
type Stage = {
	readonly root: string;
	readonly mutate: readonly string[];
	readonly testFiles: string;
	readonly events: string;
};

/** Runs Stryker over some places with some test files; its exit code tells nothing, the results do. */
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
	// Texts are held by goldens, and a changed log line is no fault.
	mutator: {excludedMutations: ['StringLiteral']},
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 30,
	reporters: ['event-recorder', 'progress-append-only'],
	eventReporter: {baseDir: events},
	// It would rewrite the file with TypeScript's former API, which version 7 has not.
	tsconfigFile: 'none',
	tempDirName: '.cache/mutation/sandboxes',
	ignorePatterns: ['.cache', 'dist', 'docs/pictures'],
	disableTypeChecks: false,
	allowConsoleColors: false,
});
