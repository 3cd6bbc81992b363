import {type ExecFileOptions, execFile} from 'node:child_process';
import {dirname, join} from 'node:path';

/** How a program ended, and what it printed. */
export type ProgramResult = {readonly code: number | null; readonly out: string; readonly err: string};

/** A PATH with Node.js and the system's programs only. */
export const barePath = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** The environment of a program with its own home, without the user's kubeconfig. */
export const bareHome = (home: string) => ({PATH: barePath, HOME: home, KUBECONFIG: join(home, 'none')});

/** Runs a program to its end, whatever its exit code. */
export const runProgram = (
	file: string,
	args: readonly string[],
	options: ExecFileOptions,
): Promise<ProgramResult> =>
	new Promise((resolve) => {
		const child = execFile(file, args, {...options, encoding: 'utf8'}, (_, out, err) =>
			resolve({code: child.exitCode, out, err}),
		);
	});
