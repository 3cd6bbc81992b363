import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

/** The costs of a program's run. */
export type Cost = {
	readonly wallSeconds: number;
	/** On all cores, user and system time. */
	readonly cpuSeconds: number;
	readonly peakMegabytes: number;
};

const ticksPerSecond = 100;
const lookEvery = 20;

/** The CPU time of a process so far, in seconds; Linux only. */
export function cpuSecondsOf(pid: number): number {
	const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
	const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
	return (user + system) / ticksPerSecond;
}

/** The CPU time of all ended child processes and their descendants. */
export function cpuSecondsOfEnded(): number {
	const [, fields = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
	const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
	return (user + system) / ticksPerSecond;
}

/** The peak memory of a process so far, in megabytes; Linux only. */
export function peakMegabytesOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'latin1');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Runs a program to its end; returns its costs. Its output is discarded. The CPU time includes other child processes that
 * end at the same time.
 */
export async function costOf(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Cost> {
	const [file = '', ...args] = command;
	const startedAt = performance.now();
	const child = spawn(file, args, {env, stdio: ['ignore', 'pipe', 'pipe']});
	child.stdout.resume();
	let complaint = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		complaint += text;
	});
	const exit = once(child, 'exit');
	let peakMegabytes = 0;
	const secondsBefore = cpuSecondsOfEnded();
	// The kernel drops a process' data when it ends, so the last look before that is used.
	const looking = new AbortController();
	const look = async () => {
		while (!looking.signal.aborted && child.pid !== undefined) {
			try {
				peakMegabytes = peakMegabytesOf(child.pid) || peakMegabytes;
			} catch {
				return;
			}
			await sleep(lookEvery);
		}
	};
	const looked = look();
	const [code] = await exit;
	const wallSeconds = (performance.now() - startedAt) / 1000;
	looking.abort();
	await looked;
	if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${complaint}`);
	return {wallSeconds, cpuSeconds: cpuSecondsOfEnded() - secondsBefore, peakMegabytes};
}

/** A running program's share of a core, in percent, and its memory. The program is stopped afterwards. */
export async function shareOfCore(
	command: readonly string[],
	env: NodeJS.ProcessEnv,
	{warmUp, measured}: {readonly warmUp: number; readonly measured: number},
): Promise<{readonly percent: number; readonly peakMegabytes: number}> {
	const [file = '', ...args] = command;
	const child = spawn(file, args, {env, stdio: ['ignore', 'pipe', 'pipe']});
	child.stdout.resume();
	child.stderr.resume();
	const {pid = 0} = child;
	try {
		await sleep(warmUp);
		const [before, startedAt] = [cpuSecondsOf(pid), performance.now()];
		await sleep(measured);
		const seconds = (performance.now() - startedAt) / 1000;
		const percent = ((cpuSecondsOf(pid) - before) / seconds) * 100;
		return {percent, peakMegabytes: peakMegabytesOf(pid)};
	} finally {
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		await exit;
	}
}
