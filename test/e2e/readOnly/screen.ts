import {dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {PtyProgram} from '../../cmd/pty.ts';
import type {User} from './users.ts';

/** The timeout for the first screen, and for the end. */
const patience = 30_000;
/** How long each view is shown, in milliseconds. */
const looking = 1500;

/** Opens the dashboard as a user, goes through its views, and quits; returns what went wrong. */
export async function watchScreen(
	plugin: string,
	{kubeconfig}: User,
	deadNode: string,
): Promise<readonly string[]> {
	// The plugin's first line looks for node on PATH: it must find the one that runs this test.
	const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
	const env = {PATH: path, TERM: 'xterm-256color', HOME: process.env['HOME'] ?? '/'};
	const program = new PtyProgram(plugin, ['--kubeconfig', kubeconfig], env, 120, 40);
	const inTime = <T>(step: Promise<T>, what: string): Promise<T> =>
		Promise.race([
			step,
			sleep(patience, undefined, {ref: false}).then(() =>
				Promise.reject(new Error(`${what}:\n${program.text()}`)),
			),
		]);
	try {
		const first = await inTime(program.shows(new RegExp(deadNode)), 'it does not show the dead node');
		for (const view of ['nodes', 'zones', 'pods', 'workloads', 'events', 'settings', 'problems']) {
			program.type(`:${view}\r`);
			await sleep(looking);
		}
		const problems = program.text();
		program.type('q');
		const {exitCode} = await inTime(program.exited, 'it does not end');
		return [
			...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
			...[first, problems].filter((text) => /Forbidden/.test(text)),
		];
	} catch (error) {
		program.kill('SIGKILL');
		return [error instanceof Error ? error.message : String(error)];
	}
}
