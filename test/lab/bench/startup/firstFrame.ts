import {PtyProgram} from '../../../cmd/pty.ts';
import type {Contender} from './contest.ts';

/** The timeout for a frame, in milliseconds. */
const patience = 30_000;

/** A program on a terminal, from its start to the first frame that matches; then it is stopped. */
export const firstFrame = (
	name: string,
	shows: RegExp,
	env: Readonly<Record<string, string>>,
	file: string,
	...args: readonly string[]
): Contender => ({
	name,
	run: async () => {
		const begun = performance.now();
		const program = new PtyProgram(file, args, env, 120, 40);
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error(`no frame:\n${program.text()}`)), patience);
		const ended = program.exited.then(({exitCode}) => {
			throw new Error(`${file} ended with ${exitCode} before its first frame: ${program.written}`);
		});
		try {
			await Promise.race([program.shows(shows), late.promise, ended]);
			return performance.now() - begun;
		} finally {
			clearTimeout(timer);
			ended.catch(() => undefined);
			program.kill('SIGKILL');
			await program.exited;
		}
	},
});
