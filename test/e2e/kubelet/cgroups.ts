import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Where they are mounted, a folder for each hierarchy. */
const mounts = '/sys/fs/cgroup';
/** As much of the processors as some programs have, not one: a node's own share, beside whatever else runs. */
const cpuShares = 4096;

/** Goes into the cgroup that is mounted as the root, sees it as such, and becomes another program. */
const enter = `for procs in ${mounts}/*/cgroup.procs; do echo $$ > $procs; done; exec unshare --cgroup "$@"`;

/**
 * Makes a cgroup the root of all hierarchies for whoever is in this namespace of mounts: a kubelet that takes it for its
 * machine measures its own memory, its runtime's and its pods', and nothing of what else runs.
 */
export function mountAsRoot(cgroup: string): void {
	// The unified one holds no controller where these do.
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

/** How to start a program in the cgroup that is mounted as the root. */
export const inRoot = (program: string, args: readonly string[]): [program: string, args: string[]] => [
	'sh',
	['-ec', enter, 'sh', program, ...args],
];

/** A cgroup of these begins without any, and takes no process then. */
function inherit(folder: string, name: string): void {
	writeFileSync(join(folder, name), readFileSync(join(folder, '..', name)));
}
