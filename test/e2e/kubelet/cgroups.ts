import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** The mount point of the cgroup hierarchies, each of which is a folder. */
const mounts = '/sys/fs/cgroup';
/** The CPU shares of four programs, so that the node gets its share on a busy machine. */
const cpuShares = 4096;

/** Enters the cgroup that is mounted as the root, creates a cgroup namespace, and executes another program. */
const enter = `for procs in ${mounts}/*/cgroup.procs; do echo $$ > $procs; done; exec unshare --cgroup "$@"`;

/**
 * Mounts a cgroup as the root of all hierarchies in this mount namespace: a kubelet that takes it for its machine measures only
 * its own memory, its runtime's and its pods'.
 */
export function mountAsRoot(cgroup: string): void {
	// The unified hierarchy has no controllers if these have them.
	const hierarchies = readdirSync(mounts).filter((name) => name !== 'unified');
	for (const hierarchy of hierarchies) {
		const folder = join(mounts, hierarchy, cgroup);
		mkdirSync(folder);
		if (hierarchy === 'cpuset') for (const name of ['cpuset.cpus', 'cpuset.mems']) inherit(folder, name);
		if (hierarchy === 'cpu') writeFileSync(join(folder, 'cpu.shares'), String(cpuShares));
	}
	const mount = hierarchies.map((name) => {
		const what = name === 'systemd' ? 'none,name=systemd' : name;
		return `mkdir ${mounts}/${name}; mount -t cgroup -o ${what} none ${mounts}/${name}`;
	});
	const steps = [
		...hierarchies.map((name) => `echo $$ > ${mounts}/${name}/${cgroup}/cgroup.procs`),
		`exec unshare --cgroup sh -ec '${[`mount -t tmpfs -o mode=755 none ${mounts}`, ...mount].join('; ')}'`,
	];
	execFileSync('sh', ['-ec', steps.join('; ')], {stdio: ['ignore', 'ignore', 'inherit']});
}

/** The command line to start a program in the cgroup that is mounted as the root. */
export const inRoot = (program: string, args: readonly string[]): [program: string, args: string[]] => [
	'sh',
	['-ec', enter, 'sh', program, ...args],
];

/** A new cpuset cgroup has no values, and accepts no process until it has. */
function inherit(folder: string, name: string): void {
	writeFileSync(join(folder, name), readFileSync(join(folder, '..', name)));
}
