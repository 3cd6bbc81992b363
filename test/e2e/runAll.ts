import {spawnSync} from 'node:child_process';
import {join} from 'node:path';

/** All suites, one after another: each has the machine, and the ports of its control plane, for itself. */
const suites = [
	'run.ts',
	'aftermath/run.ts',
	'readOnly/run.ts',
	'faults/run.ts',
	'shadow/run.ts',
	'pressure/run.ts',
	'browser/run.ts',
	'shadowOperations/run.ts',
	'shadowDeployment/run.ts',
	'release/run.ts',
];

/** The built program by itself: its processes, its terminal, its exit codes. */
const program = [
	join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs'),
	'run',
	'--mode',
	'program',
];

const isRight = (name: string, args: readonly string[]): boolean => {
	console.log(`== ${name}`);
	return spawnSync(process.execPath, args, {stdio: 'inherit'}).status === 0;
};

const results = [
	isRight('program', program),
	...suites.map((suite) => isRight(suite, [join(import.meta.dirname, suite)])),
];
process.exit(results.every(Boolean) ? 0 : 1);
