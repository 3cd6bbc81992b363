import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {buildControlPlane, hasGo} from './buildControlPlane.ts';

// Runs all suites. Most of them wait for real time: those that do not disturb each other wait side by side, each with a
// control plane and ports of its own.

/** Suites side by side: a lane plays its own one after another. */
const lanes = [
	['run.ts', 'faults/run.ts', 'pressure/run.ts'],
	['aftermath/run.ts', 'browser/run.ts', 'shadowOperations/run.ts'],
	['shadow/run.ts', 'readOnly/run.ts', 'shadowDeployment/run.ts'],
];

/** Suites that take all of the machine: they come last, each for itself. */
const alone = ['release/run.ts'];

const {values: options} = parseArgs({
	options: {
		/** A command that runs beside the lanes, on the time that they leave. */
		beside: {type: 'string', multiple: true, default: []},
	},
});

process.exit(await main());

async function main(): Promise<number> {
	if (hasGo()) buildControlPlane(console.log);
	const here = process.execPath;
	const suite = (name: string) => () => run(name, here, [join(import.meta.dirname, name)]);
	const beside = options.beside.map((line) => [() => run(line, 'nice', ['-n', '19', 'sh', '-c', line])]);
	const inLanes = [...lanes.map((names) => names.map(suite)), ...beside].map(inTurn);
	const statuses = (await Promise.all(inLanes)).flat();
	statuses.push(...(await inTurn(alone.map(suite))));
	return statuses.every((status) => status === 0) ? 0 : 1;
}

async function inTurn(runs: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
	const statuses: number[] = [];
	for (const one of runs) statuses.push(await one());
	return statuses;
}

/** Runs a command, and prints what it said once it has ended, so that suites side by side do not mix. */
async function run(name: string, command: string, args: readonly string[]): Promise<number> {
	const begun = performance.now();
	const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'pipe']});
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
	const [status] = await once(child, 'close');
	const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
	console.log(`== ${name}, ${minutes} min\n${Buffer.concat(output).toString().trimEnd()}`);
	if (status !== 0) console.log(`== ${name} failed`);
	return status ?? 1;
}
