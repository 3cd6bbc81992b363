import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {PtyProgram} from '../../cmd/pty.ts';
import {runProgram} from '../../support/runProgram.ts';
import {Skipped} from './skipped.ts';

/** Older ones lack a call of Windows 10 with which V8 reserves memory. */
const oldestWine = 10;

/** Runs the executable for Windows in Wine, on a demo that the one for Linux serves. */
export async function inWine(windows: string, linux: string, scratch: string): Promise<Skipped | undefined> {
	const {out} = await runProgram('wine', ['--version'], {});
	const [, release = '0'] = /^wine-(\d+)/.exec(out) ?? [];
	if (Number(release) < oldestWine)
		return new Skipped(out ? `${out.trim()} is too old for Node.js` : 'Wine is not installed');
	const folder = join(scratch, 'windows');
	execFileSync('python3', ['-m', 'zipfile', '-e', windows, folder]);
	execFileSync('tar', ['-xzf', linux, '-C', folder, 'kubectl-evictwatch']);
	const program = join(folder, 'kubectl-evictwatch.exe');
	const env = {
		...{PATH: process.env['PATH'] ?? '', HOME: scratch, TERM: 'xterm-256color'},
		...{WINEPREFIX: join(scratch, 'wine'), WINEDEBUG: '-all'},
	};
	const demo = spawn(join(folder, 'kubectl-evictwatch'), ['demo', 'node-dies', '--serve', '0'], {env});
	try {
		const [greeting] = await once(demo.stdout, 'data');
		const [, server = ''] = /Serving on (\S+);/.exec(String(greeting)) ?? [];
		for (const [args, want] of [
			[['version', '--client'], /^Client Version: v.*Platform: windows\/amd64/s],
			[['pods', '-A', '-s', server], /^NAMESPACE +NAME/],
			[['status', '-s', server], /node/],
		] as const) {
			const {code, out, err} = await runProgram('wine', [program, ...args], {env});
			if (code !== 0 || !want.test(out))
				throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`);
		}
		const dashboard = new PtyProgram('wine', [program, '-s', server], env, 120, 40);
		await dashboard.shows(/NEXT EVICTIONS/);
		dashboard.type('q');
		await dashboard.exited;
		return undefined;
	} finally {
		demo.kill();
		await runProgram('wineserver', ['-k'], {env});
	}
}
