import {readFileSync} from 'node:fs';

/** Whether a process still runs. An ended process stays listed as a zombie until its parent reaps it. */
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
