import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, rmdirSync} from 'node:fs';
import {askGo} from '../../support/golang/go.ts';
import {hasGo} from '../buildControlPlane.ts';
import {unshareFlags} from './namespaces.ts';
import {hasModules} from './programs.ts';

/** The reason why a kubelet cannot run on this machine, in one line; undefined if it can. */
export function whyNot(): string | undefined {
	if (process.platform !== 'linux') return 'a kubelet runs on Linux only';
	if (process.getuid?.() !== 0) return 'a kubelet needs root';
	if (!hasGo()) return 'Go is not installed';
	const compiler = askGo(['env', 'CC'], import.meta.dirname).trim();
	if (!succeeds(compiler, '--version'))
		return `there is no C compiler (${compiler}), which runc is built with`;
	if (!existsSync('/sys/fs/cgroup/memory'))
		return 'the suite knows cgroup v1 only, which is not mounted here';
	try {
		mkdirSync('/sys/fs/cgroup/memory/evictwatch-probe');
		rmdirSync('/sys/fs/cgroup/memory/evictwatch-probe');
	} catch {
		return 'no cgroup can be made here';
	}
	// The same operations as in namespaces.ts and node.ts.
	const probe = 'mount -t tmpfs none /mnt && losetup --find && ip link set lo up && mkfs.ext4 -V';
	if (!succeeds('unshare', ...unshareFlags, 'sh', '-ec', probe)) {
		return 'namespaces, mounts, loop devices or their tools (unshare, mount, losetup, ip, mkfs.ext4) are not to be had';
	}
	if (!hasModules()) return 'the Go modules of the kubelet and of containerd are not to be had';
	return undefined;
}

function succeeds(program: string, ...args: readonly string[]): boolean {
	try {
		execFileSync(program, args, {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}
