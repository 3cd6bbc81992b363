import {existsSync, globSync, readFileSync, rmdirSync, rmSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Place} from './namespaces.ts';

// Removes what a suite in namespaces leaves behind. It first waits for the end of its input, which ends with the process that
// started both. The input has the place, and the pid with which all processes of the suite end.

const patience = 15_000;

const [place = '', pid] = (await text(process.stdin)).split('\n');
const {folder, cgroup}: Place = JSON.parse(place);
if (pid) await untilEnded(Number(pid));
await removeCgroups();
rmSync(folder, {recursive: true, force: true});

/** The process ends by itself, as its input has ended too, unless it is stopped by a signal. */
async function untilEnded(pid: number): Promise<void> {
	const isRunning = () => existsSync(`/proc/${pid}`) && commandOf(pid) === 'unshare';
	for (const deadline = Date.now() + patience; isRunning(); await sleep(50)) {
		if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
	}
}

function commandOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
	} catch {
		return '';
	}
}

/** Starts with the innermost. A killed process keeps its cgroup for a moment. */
async function removeCgroups(): Promise<void> {
	const remaining = () =>
		[`/sys/fs/cgroup/*/${cgroup}/**/`, `/sys/fs/cgroup/*/${cgroup}/`].flatMap((pattern) => globSync(pattern));
	for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(200)) {
		const folders = [...new Set(remaining())].toSorted((a, b) => b.length - a.length);
		if (folders.length === 0) return;
		for (const one of folders) {
			try {
				rmdirSync(one);
			} catch {
				// The next round tries again.
			}
		}
	}
	console.error(`cgroups are left: ${remaining().join(' ')}`);
}
