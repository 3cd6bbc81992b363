import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {second} from '../../../src/core/time/instant.ts';

/** The timeout for everything that should come soon. */
const patience = 60 * second;

/** A running command of the plugin, and its output so far. */
export class Program {
	readonly lines: string[] = [];
	readonly #child: ChildProcess;
	readonly #exit: Promise<unknown>;
	code: number | null | undefined;

	private constructor(plugin: string, args: readonly string[]) {
		this.#child = spawn(plugin, args, {stdio: ['ignore', 'pipe', 'pipe']});
		// A failing suite leaves no process running.
		process.once('exit', () => this.#child.kill('SIGKILL'));
		this.#exit = once(this.#child, 'exit').then(([code]) => {
			this.code = code;
		});
		for (const stream of [this.#child.stdout, this.#child.stderr]) {
			if (stream) createInterface({input: stream}).on('line', (line) => this.lines.push(line));
		}
	}

	/** Starts a shadow that logs as JSON and serves its pages on a free port. */
	static shadow(plugin: string, args: readonly string[]): Program {
		return new Program(plugin, ['shadow', '--listen', '127.0.0.1:0', '--log-format', 'json', ...args]);
	}

	/** Starts the API of a simulated outage; also returns its URL. */
	static async demo(plugin: string, scenario: string): Promise<{program: Program; server: string}> {
		const program = new Program(plugin, ['demo', scenario, '--serve', '0']);
		return {program, server: await program.untilLine(/^Serving on (http:\S+);/)};
	}

	/** Waits for a line that matches a pattern; returns its first group. @throws Error after a timeout */
	async untilLine(pattern: RegExp): Promise<string> {
		for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(50)) {
			for (const line of this.lines) {
				const [, found] = pattern.exec(line) ?? [];
				if (found !== undefined) return found;
			}
			if (this.code !== undefined) break;
		}
		throw new Error(`nothing says ${pattern}; the last words: ${this.lines.slice(-5).join('\n')}`);
	}

	/** The address of its pages. */
	url(): Promise<string> {
		return this.untilLine(/"url":"(http:[^"]+)"/);
	}

	/** Ends it with a signal, and waits for its exit. */
	async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (this.code === undefined) this.#child.kill(signal);
		await this.#exit;
	}
}

/** Polls until a condition holds. @throws Error after a timeout */
export async function until(what: string, isSo: () => Promise<boolean>, limit = patience): Promise<void> {
	for (const deadline = Date.now() + limit; Date.now() < deadline; await sleep(200)) {
		if (await isSo().catch(() => false)) return;
	}
	throw new Error(`not in time: ${what}`);
}
