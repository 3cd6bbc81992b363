import {execFileSync, type SpawnSyncReturns, spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {dataArgs, dataOf, type Unmeasurable} from './bench.ts';

/** What a bench needs besides its file. */
type Needs = {
	/** Whether it runs the program, which is then built first. */
	readonly build?: true;
	/** Flags of Node.js. */
	readonly flags?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
};

/** With the program's own build and flags (scripts/build.ts); garbage is also collected between two measurements. */
const asBuilt: Needs = {
	flags: [
		...['--max-semi-space-size=8', '--min-semi-space-size=8', '--expose-gc'],
		...['--import', join(import.meta.dirname, 'ui/asBuilt.ts')],
	],
	env: {NODE_ENV: 'production'},
};

/** All benches; each name is also its file's name. */
export const benches: Readonly<Record<string, Needs>> = {
	startup: {build: true},
	simulation: {},
	forecast: {flags: ['--expose-gc']},
	impact: {},
	pressure: {},
	connections: {},
	scale: {build: true},
	growth: {build: true},
	recording: {},
	ui: asBuilt,
	// In a process of its own: what others leave would be counted.
	memory: asBuilt,
};

const noTime = 'no time was left for it';
const root = join(import.meta.dirname, '../../..');
let isBuilt = false;

/** Runs a bench in its own process; returns its exit status. */
export function runBench(name: string, args: readonly string[]): number {
	return start(name, args, 'inherit').status ?? 1;
}

/**
 * A bench's results, measured in its own process, or why it failed.
 *
 * @param limit its timeout, in milliseconds
 */
export function measuredBy<Measured extends object>(
	name: string,
	args: readonly string[],
	limit: number,
): Measured | Unmeasurable {
	if (limit <= 0) return {unmeasurable: noTime};
	try {
		const {status, signal, stdout, error} = start(name, dataArgs(args), 'pipe', limit);
		if (error && 'code' in error && error.code === 'ETIMEDOUT') return {unmeasurable: noTime};
		if (status === 0) return dataOf<Measured | Unmeasurable>(stdout);
		return {unmeasurable: error?.message ?? `the bench ended with ${signal ?? status}`};
	} catch (error) {
		return {unmeasurable: error instanceof Error ? error.message : String(error)};
	}
}

function start(
	name: string,
	args: readonly string[],
	stdout: 'inherit' | 'pipe',
	limit = Number.POSITIVE_INFINITY,
): SpawnSyncReturns<string> {
	const {build = false, flags = [], env = {}} = benches[name] ?? {};
	// The build's output goes to stderr, to keep it out of the bench's.
	if (build && !isBuilt)
		execFileSync(process.execPath, ['scripts/build.ts'], {cwd: root, stdio: ['ignore', 2, 2]});
	isBuilt ||= build;
	return spawnSync(
		process.execPath,
		[...process.execArgv, ...flags, join(import.meta.dirname, `${name}.ts`), ...args],
		{
			stdio: ['inherit', stdout, 'inherit'],
			env: {...process.env, ...env},
			encoding: 'utf8',
			...(Number.isFinite(limit) && {timeout: Math.ceil(limit)}),
		},
	);
}
