import {readFileSync} from 'node:fs';

/** Whether a process still runs. One that has ended stays listed, as a zombie, until its parent has asked how it ended. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	if (process.platform !== 'linux') return true;
	try {
		return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}
