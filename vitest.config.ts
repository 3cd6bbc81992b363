import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		exclude: ['test/e2e/**'],
		env: {FORCE_COLOR: '0', TZ: 'UTC'},
	},
});
