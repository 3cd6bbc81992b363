import {devNull} from 'node:os';
import {defineConfig} from 'vitest/config';
import {CountReporter} from './test/support/countReporter.ts';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		exclude: ['test/e2e/**'],
		// No state: what somebody's own runs have learned of the demo would change what tests see.
		env: {FORCE_COLOR: '0', TZ: 'UTC', XDG_STATE_HOME: devNull},
		// No test is a race: limits are there for what hangs, on a machine with other work to do.
		...{testTimeout: 30_000, hookTimeout: 60_000},
		reporters: ['default', new CountReporter()],
	},
});
