import {globSync, readFileSync} from 'node:fs';
import {devNull} from 'node:os';
import {defineConfig} from 'vitest/config';

/** Tests of other processes, which no change in this one reaches, and rules about the sources' own text. */
const isElsewhere = (file: string) =>
	/\/(layering|quirks|docs)\.test\.ts$/.test(file) ||
	/node:child_process|builtProgram|node-pty/.test(readFileSync(file, 'utf8'));

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		exclude: globSync('test/**/*.test.ts').filter(isElsewhere),
		env: {FORCE_COLOR: '0', TZ: 'UTC', XDG_STATE_HOME: devNull},
		// A run with coverage takes several times as long, and Stryker has limits of its own.
		...{testTimeout: 600_000, hookTimeout: 600_000},
	},
});
