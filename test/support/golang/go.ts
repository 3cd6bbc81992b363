import {execFileSync} from 'node:child_process';

const compiler = 'go';

/** Runs the go command in a folder, with inherited output. */
export function runGo(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
	execFileSync(compiler, [...args], {
		cwd,
		env: {...process.env, ...env},
		stdio: ['ignore', 'inherit', 'inherit'],
	});
}

/** Runs the go command in a folder, and returns its output. */
export function askGo(args: readonly string[], cwd: string): string {
	return execFileSync(compiler, [...args], {cwd, encoding: 'utf8'});
}
