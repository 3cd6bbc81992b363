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

const failed = suites.filter((suite) => {
	console.log(`== ${suite}`);
	return spawnSync(process.execPath, [join(import.meta.dirname, suite)], {stdio: 'inherit'}).status !== 0;
});
process.exit(failed.length > 0 ? 1 : 0);
