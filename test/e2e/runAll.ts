import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {mapWithConcurrency} from '../../src/async/mapWithConcurrency.ts';
import {buildControlPlane, hasGo} from './buildControlPlane.ts';

// Runs all suites. Most of them wait for real time, so they run in parallel lanes, each with its own control plane and ports. A
// suite's output is printed when it has ended.

/** Suites that mostly wait, the longest first: a free lane takes the next. */
const waiting = [
	'faults/run.ts --part frozen',
	'shadow/run.ts',
	'readyAgain/run.ts',
	'aftermath/run.ts',
	'faults/run.ts --part undelivered',
	'run.ts',
	'faults/run.ts --part scenarios',
	'deleters/run.ts',
	'shadowDeployment/run.ts',
	'pressure/run.ts',
	'shadowOperations/run.ts',
	'readOnly/run.ts',
	'drain/run.ts',
];

/** Suites that need the processors: they run one after another, alone. */
const computing = ['faults/run.ts --part memory', 'program', 'release', 'release/run.ts'];

/** Suites that vitest runs in the mode of their name: the built program's processes and terminal, and its published form. */
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

const lanes = 3;

/** It waits nearly all the time and needs a tenth of a core, so it has a lane of its own. */
const idle = 'kubelet/run.ts';

// Otherwise two lanes would build it.
if (hasGo()) buildControlPlane(console.log);
const besides = runSuite(idle, true);
const outcomes = [
	...(await mapWithConcurrency(waiting, (name) => runSuite(name, true), lanes)),
	await besides,
	...(await mapWithConcurrency(computing, (name) => runSuite(name), 1)),
];
const again = outcomes.filter(({isPlayedAgain}) => isPlayedAgain).map(({name}) => name);
const decided = [
	...outcomes.filter(({isPlayedAgain}) => !isPlayedAgain),
	...(await mapWithConcurrency(again, (name) => runSuite(name), 1)),
];
process.exit(decided.every(({status}) => status === 0) ? 0 : 1);

/**
 * Runs a suite. One of real time that failed beside others is played once more, alone, as real time does not wait: what it said
 * is printed, but does not count.
 */
async function runSuite(name: string, isBesideOthers = false) {
	const [begun, before] = [performance.now(), processorTime()];
	const [script = '', ...flags] = name.split(' ');
	const args = script.endsWith('.ts')
		? [join(import.meta.dirname, script), ...flags]
		: [vitest, 'run', '--mode', name];
	const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe']});
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
	const [status] = await once(child, 'close');
	const after = processorTime();
	const starved = (after.withheld - before.withheld) / Math.max(1, after.all - before.all);
	const isPlayedAgain = status !== 0 && isBesideOthers;
	const text = Buffer.concat(output).toString().trimEnd();
	// Output that does not count must not look like a result.
	console.log(`== ${name}\n${isPlayedAgain ? text.replaceAll(/^/gm, '| ') : text}`);
	const outcome = isPlayedAgain ? 'is played once more: it did not pass' : status === 0 ? 'passed' : 'failed';
	const seconds = Math.round((performance.now() - begun) / 1000);
	console.log(
		`== ${name} ${outcome} after ${seconds} s; ${Math.round(starved * 100)} % of the processors were withheld`,
	);
	return {name, status: Number(status ?? 1), isPlayedAgain};
}

/** The processors' time, in ticks: what the host withheld, and the total. Zero if the system does not report it. */
function processorTime(): {readonly withheld: number; readonly all: number} {
	try {
		const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
		const ticks = line.trim().split(/ +/).slice(1, 9).map(Number);
		return {withheld: ticks[7] ?? 0, all: ticks.reduce((sum, one) => sum + one, 0)};
	} catch {
		return {withheld: 0, all: 0};
	}
}
