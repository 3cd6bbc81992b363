import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * Separate mounts, network and processes: ports do not collide, and when the first process in the namespaces ends, all others
 * and their mounts end too.
 */
export const unshareFlags: readonly string[] = [
	...['--mount', '--propagation', 'private'],
	...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
];

/** The resources of a suite in namespaces, which are removed at its end. */
export type Place = {
	/** The folder of its disks. */
	readonly folder: string;
	/** The name of its cgroup, in each hierarchy. */
	readonly cgroup: string;
};

const exitCodes = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const;

/**
 * Runs a script in its own namespaces; returns its exit code. Nothing is left behind, however this process ends: another
 * process waits for that, and removes what does not end with the namespaces.
 *
 * @param args further arguments, after the place as JSON
 */
export async function runInNamespaces(script: string, args: readonly string[]): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-kubelet-'));
	const place: Place = {folder, cgroup: `evictwatch-e2e-${process.pid}`};
	// Its input closes when this process ends, even if it is killed.
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
	// Its own process group protects it from the terminal's Ctrl-C.
	return spawn(program, args, {stdio: ['pipe', output, 'inherit'], detached: true});
}

const interruption = (signal: string) =>
	new Promise<number>((resolve) => {
		process.once(signal, () => resolve(exitCodes[signal as keyof typeof exitCodes]));
	});
