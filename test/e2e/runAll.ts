import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
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

const lanes = 3;

/** The share of the processors' time that a host may withhold from a suite of real time. */
const mostStarved = 0.05;

/** Waits for nearly all of its time, and takes a tenth of one core: it has a lane of its own. */
const idle = 'kubelet/run.ts';

// Otherwise both lanes would build it.
if (hasGo()) buildControlPlane(console.log);
const besides = runSuite(idle);
const outcomes = [
	...(await mapWithConcurrency(waiting, (name) => runSuite(name), lanes)),
	await besides,
	...(await mapWithConcurrency(computing, (name) => runSuite(name), 1)),
];
const again = outcomes.filter(({isUndecided}) => isUndecided).map(({name}) => name);
const decided = [
	...outcomes.filter(({isUndecided}) => !isUndecided),
	...(await mapWithConcurrency(again, (name) => runSuite(name, true), 1)),
];
process.exit(decided.every(({status}) => status === 0) ? 0 : 1);

/**
 * Runs a suite. Its result decides, but where it failed while this machine's host kept the processors from it: real time went
 * on without it, and it is run once more, alone.
 */
async function runSuite(name: string, isLast = false) {
	const [begun, before] = [performance.now(), processorTime()];
	const args = name.endsWith('.ts') ? [join(import.meta.dirname, name)] : [vitest, 'run', '--mode', name];
	const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe']});
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
	const [status] = await once(child, 'close');
	const after = processorTime();
	const starved = (after.withheld - before.withheld) / Math.max(1, after.all - before.all);
	const isUndecided = status !== 0 && !isLast && starved > mostStarved;
	const text = Buffer.concat(output).toString().trimEnd();
	// What does not count must not look like a result.
	console.log(`== ${name}\n${isUndecided ? text.replaceAll(/^/gm, '| ') : text}`);
	const outcome = isUndecided ? 'is run once more: it did not pass' : status === 0 ? 'passed' : 'failed';
	const seconds = Math.round((performance.now() - begun) / 1000);
	console.log(
		`== ${name} ${outcome} after ${seconds} s; ${Math.round(starved * 100)} % of the processors were withheld`,
	);
	return {name, status: Number(status ?? 1), isUndecided};
}

/** The processors' time, in ticks: what the host of a virtual machine withheld of it, and all. Nothing where that is not told. */
function processorTime(): {readonly withheld: number; readonly all: number} {
	try {
		const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
		const ticks = line.trim().split(/ +/).slice(1, 9).map(Number);
		return {withheld: ticks[7] ?? 0, all: ticks.reduce((sum, one) => sum + one, 0)};
	} catch {
		return {withheld: 0, all: 0};
	}
}
