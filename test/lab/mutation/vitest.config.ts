import {readFileSync} from 'node:fs';
import {devNull} from 'node:os';
import {defineConfig} from 'vitest/config';

/** The test files of this stage, which `run.ts` chooses. */
const files: readonly string[] = JSON.parse(
	readFileSync(process.env['EVICTWATCH_MUTATION_TESTS'] ?? '', 'utf8'),
);

export default defineConfig({
	test: {
		include: [...files],
		env: {FORCE_COLOR: '0', TZ: 'UTC', XDG_STATE_HOME: devNull},
		// As in the unit tests: loading the modules again for each file would take longer than most of the tests.
		isolate: false,
		experimental: {viteModuleRunner: false},
		// A run with coverage takes several times as long, and Stryker has its own limits.
		...{testTimeout: 600_000, hookTimeout: 600_000},
	},
});
