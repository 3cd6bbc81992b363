import {defineConfig} from 'vitest/config';
import {CountReporter} from './test/support/countReporter.ts';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		exclude: ['test/e2e/**'],
		env: {FORCE_COLOR: '0', TZ: 'UTC'},
		reporters: ['default', new CountReporter()],
	},
});
