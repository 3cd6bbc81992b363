import {globSync, readFileSync} from 'node:fs';
import {availableParallelism, devNull} from 'node:os';
import {defineConfig} from 'vitest/config';
import {CountReporter} from './test/support/countReporter.ts';

/** The suites that draw their cases: a deep run plays all of these, and nothing else. */
const drawnSuites = () =>
	globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('support/drawn.ts'));

/** Tests of other programs than this process, the built one and kubectl: they belong to the end-to-end suites. */
const programTests = ['test/e2e/program/*.test.ts', 'test/e2e/kubectl/*.test.ts'];

/** What a mode runs; any other runs all unit tests. */
const includes: Readonly<Record<string, () => string[]>> = {
	deep: drawnSuites,
	program: () => programTests,
};

export default defineConfig(({mode}) => ({
	test: {
		include: includes[mode]?.() ?? ['test/**/*.test.ts'],
		exclude: mode === 'program' ? [] : programTests,
		globalSetup: mode === 'program' ? 'test/support/buildProgram.ts' : [],
		// No state and no configuration: what somebody's own runs have learned of the demo would change what tests see.
		env: {
			...{FORCE_COLOR: '0', TZ: 'UTC', XDG_STATE_HOME: devNull, XDG_CONFIG_HOME: '/nonexistent'},
			...(mode === 'deep' && {EVICTWATCH_DEEP: '1'}),
		},
		// One file a core. By default a machine of two cores would run one at a time.
		maxWorkers: availableParallelism(),
		// A worker keeps the modules that it has loaded: loading them anew for each file took half of the time. Node.js
		// loads them itself, as it does in every other command.
		isolate: false,
		experimental: {viteModuleRunner: false},
		// No test is a race: limits are there for what hangs, on a machine with other work to do.
		...{testTimeout: 30_000, hookTimeout: 60_000},
		expect: {poll: {timeout: 25_000, interval: 10}},
		reporters: ['default', new CountReporter()],
	},
}));
