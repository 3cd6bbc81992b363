import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * Mounts, network and processes of its own: no port collides, and with the first process in there all others end, and
 * their mounts with them.
 */
export const unshareFlags: readonly string[] = [
	...['--mount', '--propagation', 'private'],
	...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
];

/** What a suite in namespaces may use, all of which is removed at its end. */
export type Place = {
	/** Where its disks are. */
	readonly folder: string;
	/** The name of its cgroup, in each hierarchy. */
	readonly cgroup: string;
};

const exitCodes = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const;

/**
 * Runs a script in namespaces of its own, and answers with its exit code. Nothing of it is left however this process
 * ends: another one waits for that, and removes what namespaces do not take with them.
 *
 * @param args more arguments, after the place as JSON
 */
export async function runInNamespaces(script: string, args: readonly string[]): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-kubelet-'));
	const place: Place = {folder, cgroup: `evictwatch-e2e-${process.pid}`};
	// Its input ends with this process, even if that is killed.
	const cleaner = start([join(import.meta.dirname, 'cleanUp.ts')], 'ignore');
	cleaner.stdin?.write(`${JSON.stringify(place)}\n`);
	const suite = start([script, JSON.stringify(place), ...args], 'inherit', ['unshare', ...unshareFlags]);
	cleaner.stdin?.write(`${suite.pid}\n`);
	const exit = once(suite, 'exit').then(([code]) => code ?? 1);
	const code = await Promise.race([exit, ...Object.keys(exitCodes).map(interruption)]);
	suite.stdin?.end();
	await exit;
	const cleaned = once(cleaner, 'exit');
	cleaner.stdin?.end();
	await cleaned;
	return code;
}

function start(script: readonly string[], output: 'ignore' | 'inherit', before: string[] = []): ChildProcess {
	const [program = '', ...args] = [...before, process.execPath, ...script];
	// A group of its own keeps the terminal's Ctrl-C from it.
	return spawn(program, args, {stdio: ['pipe', output, 'inherit'], detached: true});
}

const interruption = (signal: string) =>
	new Promise<number>((resolve) => {
		process.once(signal, () => resolve(exitCodes[signal as keyof typeof exitCodes]));
	});
