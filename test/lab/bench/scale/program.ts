import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

/** What a run of a program cost. */
export type Cost = {
	readonly wallSeconds: number;
	/** On all cores, in its own code and in the kernel for it. */
	readonly cpuSeconds: number;
	readonly peakMegabytes: number;
};

const ticksPerSecond = 100;
const lookEvery = 20;

/** The processor time that a process has used so far, in seconds; Linux only. */
export function cpuSecondsOf(pid: number): number {
	const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
	const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
	return (user + system) / ticksPerSecond;
}

/** The same of all children that have ended so far, and of theirs. */
export function cpuSecondsOfEnded(): number {
	const [, fields = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
	const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
	return (user + system) / ticksPerSecond;
}

/** The most memory that a process has had so far, in megabytes; Linux only. */
export function peakMegabytesOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'latin1');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Runs a program to its end, and says what it cost. Its output is read and thrown away. What others that run at the same
 * time have used is counted, too.
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
	// The kernel forgets a process as soon as it ends: the last look before that counts.
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

/** The share of a core that a program takes while it runs on, in percent, and its memory. It is ended then. */
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
