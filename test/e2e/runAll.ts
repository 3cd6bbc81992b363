import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {mapWithConcurrency} from '../../src/async/mapWithConcurrency.ts';
import {buildControlPlane, hasGo} from './buildControlPlane.ts';

// Runs all suites. Most of them wait for real time: lanes run side by side, each suite with a control plane and
// ports of its own. What a suite says is printed once it has ended.

/** Suites that wait, the longest first: a lane that is free takes the next. */
const waiting = [
	'faults/run.ts',
	'shadow/run.ts',
	'aftermath/run.ts',
	'run.ts',
	'shadowDeployment/run.ts',
	'pressure/run.ts',
	'shadowOperations/run.ts',
	'readOnly/run.ts',
];

/** Suites that compute: one after another, with the machine for themselves. */
const computing = ['program', 'browser/run.ts', 'release', 'release/run.ts'];

/** Suites that vitest runs, by its mode: the built program with its processes and its terminal, and what is published of it. */
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

const lanes = 2;

/** Waits for nearly all of its time, and takes a tenth of one core: it has a lane of its own. */
const idle = 'kubelet/run.ts';

// Otherwise both lanes would build it.
if (hasGo()) buildControlPlane(console.log);
const besides = runSuite(idle);
const statuses = [
	...(await mapWithConcurrency(waiting, runSuite, lanes)),
	await besides,
	...(await mapWithConcurrency(computing, runSuite, 1)),
];
process.exit(statuses.every((status) => status === 0) ? 0 : 1);

async function runSuite(name: string): Promise<number> {
	const begun = performance.now();
	const args = name.endsWith('.ts') ? [join(import.meta.dirname, name)] : [vitest, 'run', '--mode', name];
	const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe']});
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
	const [status] = await once(child, 'close');
	console.log(`== ${name}\n${Buffer.concat(output).toString().trimEnd()}`);
	const outcome = status === 0 ? 'passed' : 'failed';
	console.log(`== ${name} ${outcome} after ${Math.round((performance.now() - begun) / 1000)} s`);
	return status ?? 1;
}
