import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {second} from '../../../src/core/time/instant.ts';

/** How long anything may take that should come soon. */
const patience = 60 * second;

/** A command of the plugin that goes on, and what it has said so far. */
export class Program {
	readonly lines: string[] = [];
	readonly #child: ChildProcess;
	readonly #exit: Promise<unknown>;
	code: number | null | undefined;

	private constructor(plugin: string, args: readonly string[]) {
		this.#child = spawn(plugin, args, {stdio: ['ignore', 'pipe', 'pipe']});
		// A suite that fails leaves nothing running.
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

	/** Starts the API of a simulated outage, and answers with its URL as well. */
	static async demo(plugin: string, scenario: string): Promise<{program: Program; server: string}> {
		const program = new Program(plugin, ['demo', scenario, '--serve', '0']);
		return {program, server: await program.says(/^Serving on (http:\S+);/)};
	}

	/** What the first group of a pattern holds, once a line has it. @throws Error where none does in time */
	async says(pattern: RegExp): Promise<string> {
		for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(50)) {
			for (const line of this.lines) {
				const [, found] = pattern.exec(line) ?? [];
				if (found !== undefined) return found;
			}
			if (this.code !== undefined) break;
		}
		throw new Error(`nothing says ${pattern}; the last words: ${this.lines.slice(-5).join('\n')}`);
	}

	/** Where its pages are. */
	url(): Promise<string> {
		return this.says(/"url":"(http:[^"]+)"/);
	}

	/** Ends it by a signal, and waits until it is gone. */
	async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (this.code === undefined) this.#child.kill(signal);
		await this.#exit;
	}
}

/** Asks until something is so. @throws Error where it does not become so in time */
export async function until(what: string, isSo: () => Promise<boolean>, limit = patience): Promise<void> {
	for (const deadline = Date.now() + limit; Date.now() < deadline; await sleep(200)) {
		if (await isSo().catch(() => false)) return;
	}
	throw new Error(`not in time: ${what}`);
}
