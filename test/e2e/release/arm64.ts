import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import type {Check} from '../judge.ts';
import type {Unpacked} from './archives.ts';

const emulator = 'qemu-aarch64-static';
/** The folder of Debian's libraries that the executable loads. */
const libraries = '/usr/aarch64-linux-gnu';
/** An emulated processor is slow. */
const patience = 300_000;

/** Runs the executable for another processor in an emulator; reports it if there is none. */
export async function onArm64(
	{executable}: Unpacked,
	say: (line: string) => void,
): Promise<readonly Check[]> {
	if (!isInstalled()) {
		say(`linux/arm64 is not run: ${emulator} and ${libraries} are not installed (see test/e2e/README.md)`);
		return [];
	}
	const version = execFileSync(emulator, ['-L', libraries, executable, 'version', '--client'], {
		encoding: 'utf8',
	});
	return [
		{
			name: 'linux/arm64, emulated: version',
			failures: version.includes('Platform: linux/arm64') ? [] : [version],
		},
		await serves(executable),
	];
}

function isInstalled(): boolean {
	try {
		execFileSync(emulator, ['--version']);
	} catch {
		return false;
	}
	return existsSync(libraries);
}

async function serves(executable: string): Promise<Check> {
	const name = 'linux/arm64, emulated: demo --serve';
	const child = spawn(emulator, ['-L', libraries, executable, 'demo', 'node-dies', '--serve', '0']);
	const timer = setTimeout(() => child.kill('SIGKILL'), patience);
	try {
		const [greeting] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
		const [, url] = /Serving on (\S+);/.exec(String(greeting)) ?? [];
		if (url === undefined) return {name, failures: [String(greeting)]};
		const nodes = (await (await fetch(`${url}/api/v1/nodes`)).json()) as {readonly items: readonly object[]};
		return {name, failures: nodes.items.length > 0 ? [] : ['it serves no nodes']};
	} finally {
		clearTimeout(timer);
		child.kill('SIGKILL');
	}
}
